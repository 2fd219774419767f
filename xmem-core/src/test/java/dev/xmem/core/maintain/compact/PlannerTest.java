package dev.xmem.core.maintain.compact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PlannerTest extends CompactionFixture {
    @Test
    void plan_withoutRoomForMergedLines_keepsNoBytesOfThem() throws Exception {
        threeAlike();
        try (XMemStore store = open()) {
            List<LineChange> changes = withoutRoom(store).plan().logs().get(0).changes();
            assertThat(changes)
                    .extracting(LineChange::why)
                    .containsExactly(LineChange.Why.COVERED, LineChange.Why.COVERED, LineChange.Why.MERGED);
            for (LineChange change : changes) {
                assertThat(bytesReachedFrom(change)).as(change.reason().get()).isZero();
            }
            Replacement merged = changes.get(2).line();
            assertThat(new String(merged == null ? new byte[0] : merged.bytes(), UTF_8))
                    .contains("2026-02-12-003", "one");
        }
    }

    @Test
    void plan_withoutRoom_lineThatChangesInPlaceMeanwhile_isNotMerged() throws Exception {
        threeAlike();
        try (XMemStore store = open()) {
            Planner before = withoutRoom(store);
            Replacement merged =
                    withoutRoom(store).plan().logs().get(0).changes().get(2).line();
            Path log = directory.resolve("data/failures.jsonl");
            String other = Files.readString(log).replace("\"one\"", "\"two\"");
            Files.writeString(log, other, StandardOpenOption.WRITE);
            assertThatThrownBy(() -> Objects.requireNonNull(merged).bytes())
                    .isInstanceOf(LogChangedException.class)
                    .hasMessageContaining("plan again");
            assertThat(before.plan().logs().get(0).changes())
                    .extracting(LineChange::ordinal)
                    .containsExactly(1, 2);
        }
    }

    private void threeAlike() throws IOException {
        hot(
                failure("2026-02-12-001", "2026-02-12T10:00:00Z", "'notes':'one'"),
                failure("2026-02-12-002", "2026-02-12T11:00:00Z", ""),
                failure("2026-02-12-003", "2026-02-12T12:00:00Z", ""));
    }

    /** A planner that keeps no bytes of merged lines. */
    private static Planner withoutRoom(XMemStore store) throws Exception {
        LogRegistry registry = TestStores.registry(store);
        Planner planner = new Planner(
                registry.whole(), registry::extent, Retention.defaults(), 1 << 20, Stores.NOW.toEpochMilli());
        Field room = Planner.class.getDeclaredField("room");
        room.setAccessible(true);
        room.setLong(planner, 0);
        return planner;
    }

    @Property(tries = 8)
    void repeatedHashes_ofAnyLog_areThoseOfLookups(@ForAll long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Path directory = Files.createTempDirectory("xmem-hashes");
        try (XMemStore store = CompactionFromColumnsTest.used(directory, random)) {
            for (LogSnapshot view : TestStores.registry(store).whole().logs()) {
                LogIndex log = view.index();
                int count = random.nextInt(view.count() + 1);
                Set<List<Integer>> lookedUp = new HashSet<>();
                for (String hash : log.keys(IndexedField.HASH)) {
                    if (log.lines().postings(IndexedField.HASH, hash).countBelow(count) > 1) {
                        Postings lines = log.withHash(hash);
                        lookedUp.add(IntStream.range(0, lines.countBelow(count))
                                .mapToObj(lines::at)
                                .toList());
                    }
                }
                List<List<Integer>> passedOn = new ArrayList<>();
                view.upTo(count)
                        .repeatedHashes(
                                true,
                                lines ->
                                        passedOn.add(IntStream.of(lines).boxed().toList()));
                assertThat(passedOn).containsExactlyInAnyOrderElementsOf(lookedUp);
            }
        } finally {
            CompactionFromColumnsTest.delete(directory);
        }
    }

    /** Follows the fields of the objects of this package, what arrays have, and what lambdas of it captured. */
    private static int bytesReachedFrom(Object root) throws IllegalAccessException {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> next = new ArrayDeque<>(List.of(root));
        int bytes = 0;
        while (!next.isEmpty()) {
            Object object = next.pop();
            bytes += object instanceof byte[] array ? array.length : 0;
            if (!seen.add(object)) {
                continue;
            }
            if (object instanceof Object[] array) {
                Stream.of(array).filter(Objects::nonNull).forEach(next::push);
            }
            if (!object.getClass().getName().startsWith(LineChange.class.getPackageName())) {
                continue;
            }
            for (Field field : object.getClass().getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    Object value = field.get(object);
                    if (value != null) {
                        next.push(value);
                    }
                }
            }
        }
        return bytes;
    }
}

package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Limits;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.Resources;
import dev.xmem.core.TestStores;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A compaction or an erasure that carries the index over, beside damage, crashes and other writers. */
class CarriedIndexFaultsTest {
    private static final int LINES = 80;
    private static final int LINE_BYTES = 2_000;

    @TempDir
    Path folder;

    private final FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
    private Path log = Path.of("");

    @BeforeEach
    void create() throws IOException {
        log = Files.createDirectories(folder.resolve("data")).resolve("failures.jsonl");
    }

    private static String failure(int number, String hash) {
        return "{\"id\":\"2026-02-13-%03d\",\"ts\":\"2026-02-13T10:%02d:%02dZ\",\"type\":\"tool_failure\","
                        .formatted(number, 59 - number / 60, 59 - number % 60)
                + "\"tool\":\"git\",\"error\":\"no %03d\",\"ctx_hash\":\"x-%s\"}".formatted(number, hash);
    }

    private static String success(int number, String answers) {
        return "{\"id\":\"2026-02-12-1%02d\",\"ts\":\"2026-02-13T10:00:00Z\",\"type\":\"tool_success\","
                        .formatted(number)
                + "\"tool\":\"git\",\"pattern_name\":\"p\",\"key_steps\":[],\"critical_params\":{},\"confidence\":0.5,"
                + "\"usage_count\":1,\"tags\":[],\"ctx_hash\":\"y\",\"session_id\":null" + answers + "}\n";
    }

    /** Only the third line and the last one are duplicates: all between them stay, further back in the file. */
    private void fill() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= LINES; i++) {
            lines.append(failure(i, i == LINES ? "3" : "" + i)).append('\n');
        }
        Files.writeString(log, lines);
    }

    private XMemStore open() {
        Resources resources = Resources.of(
                task -> {
                    throw new RejectedExecutionException();
                },
                1 << 20);
        return TestStores.withSegmentLines(TestStores.builder(folder, disk), 8)
                .resources(resources)
                .limits(Limits.defaults().lineBytes(LINE_BYTES))
                .clock(InstantSource.fixed(Stores.NOW))
                .durability(Durability.OS)
                .open();
    }

    private static void seal(XMemStore store) throws IOException {
        LogRegistry registry = TestStores.registry(store);
        registry.whole();
        boolean some = true;
        while (some) {
            some = registry.sealOne();
        }
    }

    private static void assertHasAll(XMemStore store) {
        for (int i = 1; i <= LINES; i++) {
            String id = "2026-02-13-%03d".formatted(i);
            assertThat(store.find(id).map(Entry::json))
                    .as(id)
                    .isPresent()
                    .get()
                    .asString()
                    .contains("no ");
        }
        assertThat(store.search(Query.words("050")).matches()).hasSize(1);
    }

    @Test
    void compact_thatEndsBeforeTheRename_leavesTheOldIndexMergeable() throws IOException {
        fill();
        try (XMemStore store = open()) {
            seal(store);
            disk.beforeRenaming(log, () -> {
                throw new UncheckedIOException(new IOException("the process ends"));
            });
            assertThatThrownBy(() -> store.compact(store.planCompaction(Retention.defaults())))
                    .isInstanceOf(XMemException.class);
            LogRegistry registry = TestStores.registry(store);
            registry.mergeOne(() -> false);
            LogIndex index = registry.own().stream()
                    .filter(own -> own.kind() == Entry.Kind.FAILURE)
                    .findFirst()
                    .orElseThrow();
            long offset = 0;
            for (int i = 0; i < LINES; i++) {
                assertThat(index.lines().offset(i)).isEqualTo(offset);
                offset += index.lines().length(i) + 1;
            }
            assertHasAll(store);
        }
        try (XMemStore store = open()) {
            assertHasAll(store);
            assertThat(store.verify().findings()).isEmpty();
        }
    }

    @Test
    void purge_ofSealedAndMergedLines_leavesNothingOfThemInAnyFile() throws IOException {
        fill();
        String erased = failure(7, "zyzzyva")
                .replace("\"git\"", "\"zyzzyva\",\"tags\":[\"zyzzyva\"],\"session_id\":\"zyzzyva\"")
                .replace("no 007", "no zyzzyva");
        Files.writeString(log, Files.readString(log).replace(failure(7, "7"), erased));
        try (XMemStore store = open()) {
            seal(store);
            assertThat(TestStores.mergeOne(store, () -> false)).isTrue();
            assertThat(filesWith("zyzzyva")).isNotEmpty();
            store.compact(store.planCompaction(Retention.defaults()));
            assertThat(store.search(Query.words("zyzzyva")).matches()).hasSize(1);
            assertThat(store.purge(Set.of("2026-02-13-007"), true))
                    .as("a line of the log and one of its backup")
                    .isEqualTo(2);
            assertThat(filesWith("zyzzyva")).isEmpty();
            seal(store);
            assertThat(store.search(Query.words("zyzzyva")).matches()).isEmpty();
            assertThat(store.stats().failures()).isEqualTo(LINES - 2);
        }
        assertThat(filesWith("zyzzyva")).isEmpty();
    }

    private List<Path> filesWith(String word) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(word)) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    @Test
    void purge_thatMakesTwoLinesAlike_erases() throws IOException {
        fill();
        Path successes = log.resolveSibling("successes.jsonl");
        String other = ",\"notes\":\"n\"";
        Files.writeString(
                successes,
                success(1, ",\"answers\":[\"2026-02-13-007\"]")
                        + success(2, other)
                        + success(1, "")
                        + success(3, other));
        try (XMemStore store = open()) {
            seal(store);
            store.purge(Set.of("2026-02-13-007"));
            assertThat(store.verify().findings()).isEmpty();
            assertThat(store.stats().successes()).isEqualTo(3);
        }
        assertThat(Files.readString(successes)).doesNotContain("2026-02-13-007");
        try (XMemStore store = open()) {
            assertThat(store.stats().successes()).isEqualTo(3);
        }
    }

    @Test
    void compact_thatMovesALineWithAByteOrderMarkToTheBeginning_indexesItAsARebuild() throws IOException {
        Files.writeString(
                log,
                "broken\n\uFEFF" + failure(1, "1") + "\n" + failure(2, "2") + "\n" + failure(3, "2") + "\n"
                        + failure(4, "4") + "\n");
        try (XMemStore store = open()) {
            seal(store);
            store.compact(store.planCompaction(Retention.defaults()));
            List<String> carried = entries(store);
            try (XMemStore again = open()) {
                assertThat(entries(again)).isEqualTo(carried);
            }
            assertThat(store.verify().findings()).isEmpty();
        }
        removeSegments();
        try (XMemStore store = open()) {
            assertThat(store.verify().findings()).isEmpty();
        }
    }

    private static List<String> entries(XMemStore store) {
        return store.search(Query.all().limit(100).tokenBudget(1_000_000)).matches().stream()
                .map(match -> match.entry().json())
                .toList();
    }

    @Test
    void compact_ofALineWithManyBlanksBehindIt_leavesALineThatCanBeRead() throws IOException {
        fill();
        String third = failure(3, "3");
        String padded = third + " ".repeat(LINE_BYTES - third.length());
        Files.writeString(log, Files.readString(log).replace(third, padded));
        try (XMemStore store = open()) {
            seal(store);
            assertThat(store.compact(store.planCompaction(Retention.defaults())).removed())
                    .isEqualTo(1);
            assertHasAll(store);
        }
        removeSegments();
        try (XMemStore store = open()) {
            assertHasAll(store);
            assertThat(store.verify().findings()).isEmpty();
        }
    }

    private void removeSegments() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(".xmem/index"))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".facts")).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void compact_ofAnIndexWithDamagedSections_healsItOrSaysWhatToDo() throws IOException {
        fill();
        try (XMemStore store = open()) {
            seal(store);
        }
        List<Path> facts;
        try (Stream<Path> files = Files.list(folder.resolve(".xmem/index"))) {
            facts = files.filter(file -> file.toString().endsWith(".facts"))
                    .sorted()
                    .toList();
        }
        for (int at = 40; at < Files.size(facts.get(1)) - 200; at += 97) {
            byte[] bytes = Files.readAllBytes(facts.get(1));
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x55;
            Files.write(facts.get(1), damaged);
            try (XMemStore store = open()) {
                assertThat(store.planCompaction(Retention.defaults()).removes())
                        .as("at " + at)
                        .hasSize(1);
            }
            if (!Files.exists(facts.get(1))) {
                Files.write(facts.get(1), bytes);
            }
        }
    }

    @Test
    void compact_whileAnotherStoreAppends_losesAndDoublesNothing() throws IOException {
        fill();
        try (XMemStore store = open();
                XMemStore other = open()) {
            seal(store);
            seal(other);
            int[] appended = {LINES};
            store.compact(store.planCompaction(Retention.defaults()), progress -> {
                for (int i = 0; i < 9; i++) {
                    append(failure(++appended[0], "" + appended[0]) + "\n");
                }
                assertThat(other.find("2026-02-13-%03d".formatted(appended[0]))).isPresent();
                return true;
            });
            for (XMemStore each : List.of(store, other)) {
                assertThat(each.stats().failures()).isEqualTo(appended[0] - 1);
                assertThat(each.find("2026-02-13-%03d".formatted(LINES))).isPresent();
            }
            List<String> before = entries(other);
            seal(other);
            assertThat(entries(store)).isEqualTo(before);
        }
        try (XMemStore store = open()) {
            assertThat(store.verify().findings()).isEmpty();
        }
    }

    private void append(String text) {
        try {
            Files.writeString(log, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

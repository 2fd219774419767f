package dev.xmem.core.maintain.compact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.store.index.LogRegistry;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlannerTest extends CompactionFixture {
    @Test
    void plan_withoutRoomForMergedLines_keepsNoBytesOfThem() throws Exception {
        hot(
                failure("2026-02-12-001", "2026-02-12T10:00:00Z", "'notes':'one'"),
                failure("2026-02-12-002", "2026-02-12T11:00:00Z", ""),
                failure("2026-02-12-003", "2026-02-12T12:00:00Z", ""));
        try (XMemStore store = open()) {
            LogRegistry registry = TestStores.registry(store);
            Planner planner = new Planner(
                    registry.whole(),
                    registry::extent,
                    new LineCodec(),
                    Retention.defaults(),
                    1 << 20,
                    Stores.NOW.toEpochMilli());
            Field room = Planner.class.getDeclaredField("room");
            room.setAccessible(true);
            room.setLong(planner, 0);
            List<LineChange> changes = planner.plan().logs().get(0).changes();
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

    /** Follows the fields of the objects of this package, and what lambdas of it captured. */
    private static int bytesReachedFrom(Object root) throws IllegalAccessException {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> next = new ArrayDeque<>(List.of(root));
        int bytes = 0;
        while (!next.isEmpty()) {
            Object object = next.pop();
            bytes += object instanceof byte[] array ? array.length : 0;
            if (!seen.add(object) || !object.getClass().getName().startsWith(LineChange.class.getPackageName())) {
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

package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No id is given to two entries, also when nothing in the store shows the first one any more. */
class IdHighWaterMarksTest {
    @TempDir
    Path directory;

    private Instant now = Instant.parse("2026-02-14T16:30:00Z");

    private XMemStore open() {
        return XMem.builder(directory).clock(() -> now).open();
    }

    private static String record(XMemStore store) {
        return store.recordFailure(Failure.of("git", "push", "rejected")).id();
    }

    private Path file() {
        return directory.resolve(".xmem/spent-numbers.json");
    }

    @Test
    void record_afterTheDaysHighestWasErased_givesTheNextNumber() throws IOException {
        try (XMemStore store = open();
                XMemStore other = open()) {
            record(store);
            assertThat(record(other)).isEqualTo("2026-02-14-002");
            store.purge(Set.of("2026-02-14-002"), true);
            assertThat(record(other)).isEqualTo("2026-02-14-003");
            other.purge(Set.of("2026-02-14-001", "2026-02-14-003"));
            assertThat(record(store)).isEqualTo("2026-02-14-004");
            store.purge(Set.of("2026-02-14-004"));
        }
        assertThat(file()).hasContent("{\"2026-02-14\":4}");
        try (XMemStore store = open()) {
            assertThat(record(store)).isEqualTo("2026-02-14-005");
            now = now.plus(Duration.ofDays(1));
            assertThat(record(store)).isEqualTo("2026-02-15-001");
        }
    }

    @Test
    void record_afterTheDaysHighestWasPruned_givesTheNextNumber() {
        try (XMemStore store = open()) {
            record(store);
            now = now.plus(Duration.ofHours(2));
            Retention anHour = Retention.defaults().pruneAfter(Duration.ofHours(1));
            assertThat(store.compact(store.planCompaction(anHour)).removed()).isEqualTo(1);
            assertThat(record(store)).isEqualTo("2026-02-14-002");
        }
    }

    @Test
    void record_afterTheDaysHighestWasErasedInTheHeap_givesTheNextNumber() {
        try (XMemStore store = XMem.inMemoryBuilder().clock(() -> now).open()) {
            store.purge(Set.of(record(store)));
            assertThat(record(store)).isEqualTo("2026-02-14-002");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{broken",
                "[1]",
                "{\"2026-02-14\":\"7\",\"2026-02-15\":-7,\"2026-02-1\":7,\"x\":{\"2026-02-14\":7}}",
                "{\"2026-02-14\":99999999999,\"2026-02-15\":1.5}"
            })
    void record_fileSaysNothing_countsWhatTheLogsHave(String content) throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), content);
        try (XMemStore store = open()) {
            assertThat(record(store)).isEqualTo("2026-02-14-001");
            store.purge(Set.of("2026-02-14-001"));
            assertThat(record(store)).isEqualTo("2026-02-14-002");
        }
    }
}

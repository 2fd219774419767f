package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs without the lock write to a log while a compaction or an erasure puts another file in its place. */
class LateWritesTest {
    @TempDir
    Path directory;

    private final FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
    private Path log;

    @BeforeEach
    void makeLog() {
        log = directory.resolve("data/failures.jsonl");
        Stores.append(directory, "failures.jsonl", line(1, "a"), line(2, "a"), line(3, "b"));
    }

    private static String line(int number, String hash) {
        return ("{'id':'2026-02-13-%03d','ts':'2026-02-13T10:00:00Z','type':'tool_failure','tool':'git','error':'e',"
                        + "'ctx_hash':'git-%s'}")
                .formatted(number, hash)
                .replace('\'', '"');
    }

    private XMemStore open() {
        return TestStores.builder(directory, disk)
                .clock(InstantSource.fixed(Stores.NOW))
                .open();
    }

    private static void compact(XMemStore store) {
        assertThat(store.compact(store.planCompaction(Retention.defaults())).removed())
                .isPositive();
    }

    private static void write(OutputStream out, String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void holds(XMemStore store, int... numbers) {
        List<String> ids =
                IntStream.of(numbers).mapToObj("2026-02-13-%03d"::formatted).toList();
        for (String id : ids) {
            assertThat(store.find(id).map(Entry::id)).contains(id);
        }
        assertThat(store.stats().failures()).isEqualTo(numbers.length);
    }

    @Test
    void compact_lineWrittenRightBeforeTheRenaming_isInTheNewLog() {
        disk.beforeRenaming(log, () -> Stores.appendRaw(directory, "failures.jsonl", line(4, "c") + "\n"));
        try (XMemStore store = open()) {
            compact(store);
            holds(store, 2, 3, 4);
            assertThat(log).content().endsWith("}\n" + line(4, "c") + "\n");
        }
    }

    @Test
    void purge_lineWrittenRightBeforeTheRenaming_isInTheNewLog() {
        disk.beforeRenaming(log, () -> Stores.appendRaw(directory, "failures.jsonl", line(4, "c") + "\n"));
        try (XMemStore store = open()) {
            store.purge(Set.of("2026-02-13-001", "2026-02-13-002"));
            holds(store, 3, 4);
        }
    }

    @Test
    void compact_programThatKeepsTheLogOpen_losesNothingUntilTheStoreIsClosed() throws IOException {
        try (OutputStream out = new FileOutputStream(log.toFile(), true)) {
            try (XMemStore store = open()) {
                compact(store);
                write(out, line(4, "c") + "\n" + line(5, "d"));
            }
            try (XMemStore store = open()) {
                holds(store, 2, 3, 4, 5);
                assertThat(store.verify().findings()).isEmpty();
            }
        }
    }

    @Test
    void compact_lineWrittenAfterTheFilesOfAnEarlierCompactionWereReadForTheLastTime_isInTheNewLog()
            throws IOException {
        try (OutputStream out = new FileOutputStream(log.toFile(), true);
                XMemStore store = open()) {
            compact(store);
            long compacted = System.nanoTime();
            TestStores.maintenance(store).collectLateWrites(compacted);
            write(out, line(4, "c") + "\n");
            TestStores.maintenance(store).collectLateWrites(compacted + LateWrites.WATCHED.toNanos());
            holds(store, 2, 3, 4);
            write(out, line(5, "d") + "\n");
            TestStores.maintenance(store).collectLateWrites(System.nanoTime());
            holds(store, 2, 3, 4);
        }
    }

    @Test
    void compact_lineOfWhichHalfIsWrittenBeforeAndHalfAfterTheRenaming_isWhole() throws IOException {
        String late = line(4, "c");
        try (OutputStream out = new FileOutputStream(log.toFile(), true)) {
            disk.beforeRenaming(log, () -> write(out, late.substring(0, 40)));
            try (XMemStore store = open()) {
                compact(store);
                store.recordFailure(Failure.of("npm", "ci", "own"));
                write(out, late.substring(40) + "\n");
            }
        }
        try (XMemStore store = open()) {
            assertThat(store.find("2026-02-13-004").map(Entry::json)).contains(late);
            assertThat(store.stats().failures()).isEqualTo(4);
        }
    }

    @Test
    void compact_againAndAgainWhileAShellAppends_losesNoLine() throws Exception {
        Path script = directory.resolve("append.sh");
        Files.writeString(
                script,
                "i=100; while [ $i -lt 900 ]; do echo '" + line(0, "s").replace("02-13-000", "02-13-'$i'") + "' >> '"
                        + log + "'; i=$((i+1)); done\n");
        Process shell = new ProcessBuilder("sh", script.toString()).inheritIO().start();
        try (XMemStore store = open()) {
            while (shell.isAlive()) {
                store.compact(store.planCompaction(Retention.defaults()));
            }
            assertThat(shell.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(shell.exitValue()).isZero();
        } finally {
            shell.destroyForcibly();
        }
        try (XMemStore store = open()) {
            for (int i = 100; i < 900; i++) {
                assertThat(store.find("2026-02-13-" + i)).as("line " + i).isPresent();
            }
        }
    }
}

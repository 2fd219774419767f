package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.CompactionPlan;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operation, millions of times, with logs that another program truncates: no resource grows. Segments are written
 * again and again, logs are compacted, and the store is closed and opened from time to time.
 */
class LongRunTest {
    private static final long LARGEST_LOG = 512 << 10;
    private static final int KEPT_LINES = 300;
    private static final int SEGMENT_LINES = 512;
    private static final int CUT_EVERY = 500;
    private static final int COMPACT_EVERY = 10_000;
    private static final int REOPEN_EVERY = 25_000;
    private static final int SAMPLES = 20;
    private static final int EARLY = 4;
    private static final int LOOKS = 4;

    @TempDir
    Path directory;

    private final Random random = new Random(5);
    private final List<String> ids = new ArrayList<>();
    private int number;
    private long begun;

    /**
     * The figures that must not grow.
     *
     * @param mappedFiles how many files of the store are mapped into memory
     */
    private record Sample(long openFiles, long mappedFiles, long heapBytes, long storeBytes) {
        Sample least(Sample other) {
            return new Sample(
                    Math.min(openFiles, other.openFiles),
                    Math.min(mappedFiles, other.mappedFiles),
                    Math.min(heapBytes, other.heapBytes),
                    Math.min(storeBytes, other.storeBytes));
        }
    }

    @Test
    void operations_tenThousand_growNothing() throws IOException {
        run(10_000);
    }

    @Test
    @Tag("soak")
    void operations_tenMillion_growNothing() throws IOException {
        run(Integer.getInteger("xmem.soak.operations", 10_000_000));
    }

    private XMemStore open() {
        return TestStores.withSegmentLines(XMem.builder(directory), SEGMENT_LINES)
                .open();
    }

    private void run(int operations) throws IOException {
        begun = System.nanoTime();
        List<Sample> samples = new ArrayList<>();
        XMemStore store = open();
        try {
            for (int i = 1; i <= operations; i++) {
                operation(store);
                if (i % CUT_EVERY == 0) {
                    cutBack();
                }
                if (i % (operations / SAMPLES) == 0) {
                    boolean compared = samples.size() == EARLY || i == operations;
                    samples.add(sample(i, compared ? LOOKS : 1));
                }
                if (i % COMPACT_EVERY == 0) {
                    upkeep(store, i / COMPACT_EVERY);
                }
                if (i % REOPEN_EVERY == 0) {
                    store.close();
                    store = open();
                }
            }
            assertThat(store.verify().findings())
                    .noneMatch(finding -> finding.contains("JSON") || finding.contains("segment"));
        } finally {
            store.close();
        }
        Sample early = samples.get(EARLY);
        Sample last = samples.get(SAMPLES - 1);
        System.out.printf("reliability: %,d operations: from %s to %s%n", operations, early, last);
        assertThat(last.openFiles).isLessThanOrEqualTo(early.openFiles + 5);
        assertThat(last.mappedFiles).isLessThanOrEqualTo(early.mappedFiles + 64);
        assertThat(last.heapBytes).isLessThan(early.heapBytes * 3 / 2 + (16 << 20));
        assertThat(last.storeBytes).isLessThan(8 * LARGEST_LOG);
    }

    private void operation(XMemStore store) {
        String error = "error: cannot open file number " + number % 1_000;
        int choice = random.nextInt(100);
        if (choice < 6) {
            remember(store.recordFailure(Failure.of("git", "fetch", error).tags("t" + number++ % 50)));
        } else if (choice < 9) {
            remember(store.recordSuccess(Success.of("git", "Pattern " + number++)));
        } else if (choice < 11) {
            store.writeNote(Note.of("note", "a note " + number++));
        } else if (choice < 12) {
            store.remember(Directive.parse("Never use number " + random.nextInt(20)));
        } else if (choice < 13 && !ids.isEmpty()) {
            String id = ids.get(ids.size() - 1);
            store.reportOutcome(id, Outcome.WORKED, "session" + random.nextInt(3));
        } else if (choice < 30) {
            store.recall(ToolCall.shell("git fetch"), ToolError.exit(1, error));
        } else if (choice < 85) {
            store.find(ids.isEmpty() ? "2026-01-01-001" : ids.get(random.nextInt(ids.size())));
        } else if (choice < 95) {
            store.search(Query.all().tool("git").limit(3));
        } else if (choice < 99) {
            store.search(Query.words("cannot open number").limit(3));
        } else {
            store.stats();
        }
    }

    private void remember(Entry entry) {
        ids.add(entry.id());
        if (ids.size() > KEPT_LINES / 2) {
            ids.remove(0);
        }
    }

    /** Another program puts a shorter file in the place of a log that has become too long. */
    private void cutBack() throws IOException {
        for (String log : Aftermath.LOGS) {
            Path file = directory.resolve("data").resolve(log);
            if (Files.exists(file) && Files.size(file) > LARGEST_LOG) {
                List<String> lines = Files.readAllLines(file);
                int from = Math.max(0, lines.size() - KEPT_LINES);
                long bytes = lines.subList(from, lines.size()).stream()
                        .mapToLong(String::length)
                        .sum();
                while (bytes > LARGEST_LOG / 2) {
                    bytes -= lines.get(from++).length();
                }
                Path shorter = Files.write(directory.resolve("shorter"), lines.subList(from, lines.size()));
                Files.move(shorter, file, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private void upkeep(XMemStore store, int turn) throws IOException {
        store.purge(Set.copyOf(ids.subList(0, Math.min(ids.size(), 10))));
        CompactionPlan plan = store.planCompaction(Retention.defaults());
        if (!plan.isEmpty()) {
            Path backup = store.compact(plan).backup();
            if (turn % 3 == 0) {
                store.restore(backup);
            }
        }
        withoutBackups();
    }

    /** Removes the backups, as a user who moves them elsewhere. */
    private void withoutBackups() throws IOException {
        Path backups = directory.resolve("data/backup");
        List<Path> all;
        try (Stream<Path> files = Files.exists(backups) ? Files.walk(backups) : Stream.empty()) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }

    private Sample sample(int operations, int looks) throws IOException {
        Sample least = look();
        // unreachable files are closed by threads of the JVM, later
        for (int i = 1; i < looks; i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            least = least.least(look());
        }
        System.out.printf(
                "%,d operations, %d seconds: %s%n", operations, (System.nanoTime() - begun) / 1_000_000_000, least);
        return least;
    }

    private Sample look() throws IOException {
        System.gc();
        long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        Path self = Path.of("/proc/self");
        long open = 0;
        long mapped = 0;
        if (Files.isDirectory(self)) {
            try (Stream<Path> all = Files.list(self.resolve("fd"))) {
                open = all.count();
            }
            try (Stream<String> all = Files.lines(self.resolve("maps"))) {
                mapped = all.filter(line -> line.contains(directory.toString())).count();
            }
        }
        return new Sample(open, mapped, heap, bytes(directory.toFile()));
    }

    /** The background replaces files meanwhile: one that is gone has no bytes. */
    private static long bytes(File file) {
        File[] inside = file.listFiles();
        return inside == null
                ? file.length()
                : Stream.of(inside).mapToLong(LongRunTest::bytes).sum();
    }
}

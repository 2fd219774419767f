package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything a store does, millions of times, with logs that another program cuts back: nothing grows. */
class LongRunTest {
    private static final long LARGEST_LOG = 512 << 10;
    private static final int KEPT_LINES = 300;
    private static final int SAMPLES = 10;

    @TempDir
    Path directory;

    private final Random random = new Random(5);
    private final List<String> ids = new ArrayList<>();
    private int number;

    /** What is not to grow. */
    private record Sample(long openFiles, long heapBytes, long storeBytes) {}

    @Test
    void operations_tenThousand_growNothing() throws IOException {
        run(10_000);
    }

    @Test
    @Tag("soak")
    void operations_tenMillion_growNothing() throws IOException {
        run(Integer.getInteger("xmem.soak.operations", 10_000_000));
    }

    private void run(int operations) throws IOException {
        List<Sample> samples = new ArrayList<>();
        try (XMemStore store = XMem.open(directory)) {
            for (int i = 1; i <= operations; i++) {
                operation(store);
                if (i % 500 == 0) {
                    cutBack();
                }
                if (i % (operations / SAMPLES) == 0) {
                    samples.add(sample());
                }
            }
            assertThat(store.verify().findings()).noneMatch(finding -> finding.contains("JSON"));
        }
        Sample early = samples.get(1);
        Sample last = samples.get(SAMPLES - 1);
        System.out.printf("reliability: %,d operations: from %s to %s%n", operations, early, last);
        assertThat(last.openFiles).isLessThanOrEqualTo(early.openFiles + 5);
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
        } else if (choice < 60) {
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
                Path shorter = Files.write(
                        directory.resolve("shorter"), lines.subList(lines.size() - KEPT_LINES, lines.size()));
                Files.move(shorter, file, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private Sample sample() throws IOException {
        System.gc();
        long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        Path handles = Path.of("/proc/self/fd");
        long open = 0;
        if (Files.isDirectory(handles)) {
            try (Stream<Path> all = Files.list(handles)) {
                open = all.count();
            }
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return new Sample(
                    open,
                    heap,
                    files.filter(Files::isRegularFile)
                            .mapToLong(file -> file.toFile().length())
                            .sum());
        }
    }
}

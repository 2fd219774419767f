package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One store merges segments while others, which share nothing with it but the folder, read and write. */
class MergingProcessesTest {
    private static final int SEGMENT_LINES = 4;
    private static final int LINES = 17 * SEGMENT_LINES + 1;

    @TempDir
    Path folder;

    private static XMem.Builder builder(FileSystem disk) {
        return TestStores.withSegmentLines(
                TestStores.builder(Path.of("/store"), disk).random(new Random(1)), SEGMENT_LINES);
    }

    private static void record(XMemStore store, int lines) {
        for (int i = 0; i < lines; i++) {
            store.recordFailure(Failure.of("git", "push b" + i % 3, "fatal: quota failed " + i));
        }
    }

    private static List<String> answers(XMemStore store) {
        return List.of(
                store.search(Query.all().limit(60)).text(),
                store.search(Query.words("quota failed 7")).text(),
                store.search(Query.literal("failed 19")).text());
    }

    private static void mergeAll(XMemStore store) {
        try {
            while (TestStores.mergeOne(store, () -> false)) {
                // the next one
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> files(FileSystem files, String end) throws IOException {
        return files.list(Path.of("/store/.xmem/index")).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(end))
                .toList();
    }

    @Test
    void search_afterAnotherStoreRemovedTheSegments_readsWhatItMapped() throws IOException {
        InMemoryFileSystem files = new InMemoryFileSystem();
        FaultyFileSystem looked = new FaultyFileSystem(files);
        try (XMemStore writer = builder(files).open()) {
            record(writer, LINES);
            List<String> expected = answers(writer);
            try (XMemStore reader = builder(looked).readOnly().open()) {
                assertThat(reader.search(Query.all().limit(1)).total()).isEqualTo(LINES);
                assertThat(files(files, ".text")).hasSize(17);
                mergeAll(writer);
                assertThat(files(files, ".merged")).hasSize(2);
                assertThat(files(files, ".text")).hasSize(1);
                assertThat(answers(reader)).isEqualTo(expected).isEqualTo(answers(writer));
                assertThat(looked.mapped.stream().filter(file -> file.toString().endsWith(".text")))
                        .hasSize(17);
            }
        }
    }

    @Test
    void open_whileAnotherStoreMerges_takesTheMergedSegments() throws IOException {
        InMemoryFileSystem files = new InMemoryFileSystem();
        try (XMemStore writer = builder(files).open()) {
            record(writer, LINES);
            List<String> expected = answers(writer);
            FaultyFileSystem looked = new FaultyFileSystem(files);
            AtomicInteger mapped = new AtomicInteger();
            looked.beforeMapping = file -> {
                if (mapped.incrementAndGet() == 4) {
                    mergeAll(writer);
                }
            };
            try (XMemStore late = builder(looked).open()) {
                assertThat(answers(late)).isEqualTo(expected);
            }
            assertThat(mapped.get()).isGreaterThan(4);
            assertThat(looked.mapped).anyMatch(file -> file.toString().endsWith(".merged"));
            assertThat(files(files, ".merged")).hasSize(2);
            assertThat(files(files, ".facts")).as("none written again").hasSizeLessThan(3);
        }
    }

    @Test
    void verify_withoutRoomToMerge_leavesTheSegmentsAsTheyAre() throws IOException {
        InMemoryFileSystem files = new InMemoryFileSystem();
        FaultyFileSystem full = new FaultyFileSystem(files);
        full.unwritable = file -> file.toString().endsWith(".merged");
        try (XMemStore store = builder(full).open()) {
            record(store, LINES);
            List<String> expected = answers(store);
            assertThat(store.verify().findings()).isEmpty();
            assertThat(answers(store)).isEqualTo(expected);
            assertThat(files(files, ".text")).hasSize(17);
            assertThat(files(files, ".merged")).isEmpty();
            full.unwritable = file -> false;
            store.verify();
            assertThat(files(files, ".merged")).hasSize(2);
        }
    }

    @Test
    void open_withPartsAndMergedSegments_removesTheParts() throws IOException {
        InMemoryFileSystem files = new InMemoryFileSystem();
        InMemoryFileSystem before = new InMemoryFileSystem();
        try (XMemStore writer = builder(files).open()) {
            record(writer, LINES);
            answers(writer);
            for (Path file : files.list(Path.of("/store/.xmem/index"))) {
                byte[] bytes = new byte[files.map(file).remaining()];
                files.map(file).get(bytes);
                before.replace(file, bytes);
            }
            mergeAll(writer);
            for (Path file : before.list(Path.of("/store/.xmem/index"))) {
                byte[] bytes = new byte[before.map(file).remaining()];
                before.map(file).get(bytes);
                files.replace(file, bytes);
            }
            assertThat(files(files, ".facts")).hasSizeGreaterThan(16);
        }
        try (XMemStore next = builder(files).open()) {
            assertThat(next.search(Query.words("quota failed 7")).total()).isPositive();
            assertThat(files(files, ".merged")).hasSize(2);
            assertThat(files(files, ".facts")).hasSizeLessThan(3);
        }
    }

    /** Another process that has merged the lines removes each file between its writing and its mapping. */
    @Test
    void verify_whileAnotherProcessRemovesTheSegmentThatIsWritten_losesNothing() {
        InMemoryFileSystem files = new InMemoryFileSystem();
        FaultyFileSystem removing = new FaultyFileSystem(files);
        AtomicInteger removed = new AtomicInteger();
        removing.beforeMapping = file -> {
            if (file.toString().endsWith(".facts")) {
                removed.incrementAndGet();
                files.delete(file);
            }
        };
        try (XMemStore writer = builder(removing).open()) {
            record(writer, LINES);
            assertThat(writer.verify().findings()).noneMatch(finding -> finding.contains("segment"));
            assertThat(removed).hasPositiveValue();
            assertThat(writer.search(Query.all().limit(1)).total()).isEqualTo(LINES);
            assertThat(writer.verify().findings()).noneMatch(finding -> finding.contains("segment"));
        }
    }

    @Test
    @Timeout(120)
    void merge_whileOthersReadWriteOpenAndMerge_losesNothing() throws Exception {
        int entries = 400;
        AtomicInteger written = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (XMemStore writer = TestStores.builder(folder, SEGMENT_LINES).open();
                XMemStore reader =
                        TestStores.builder(folder, SEGMENT_LINES).readOnly().open()) {
            List<Future<?>> others = new ArrayList<>();
            Callable<Void> opens = () -> {
                do {
                    int least = written.get();
                    try (XMemStore store =
                            TestStores.builder(folder, SEGMENT_LINES).open()) {
                        assertThat(store.search(Query.literal("quota")).total())
                                .isGreaterThanOrEqualTo(Math.min(20, least));
                        assertThat(store.search(Query.all().limit(1)).total()).isGreaterThanOrEqualTo(least);
                        mergeAll(store);
                    }
                } while (!done.get());
                return null;
            };
            Callable<Void> reads = () -> {
                do {
                    int least = written.get();
                    assertThat(reader.search(Query.all().tool("git").limit(3)).total())
                            .isGreaterThanOrEqualTo(least);
                    assertThat(reader.search(Query.words("quota failed")).total())
                            .isGreaterThanOrEqualTo(Math.min(1, least));
                } while (!done.get());
                return null;
            };
            Callable<Void> merges = () -> {
                do {
                    mergeAll(writer);
                    Thread.sleep(5);
                } while (!done.get());
                return null;
            };
            for (Callable<Void> each : List.of(opens, reads, merges)) {
                others.add(threads.submit(each));
            }
            for (int i = 0; i < entries; i++) {
                writer.recordFailure(Failure.of("git", "push b" + i % 3, "fatal: quota failed " + i));
                written.incrementAndGet();
            }
            writer.verify();
            done.set(true);
            for (Future<?> other : others) {
                other.get();
            }
            assertThat(writer.search(Query.all().limit(1)).total()).isEqualTo(entries);
            assertThat(writer.verify().findings()).noneMatch(finding -> finding.contains("segment"));
        } finally {
            threads.shutdownNow();
        }
        try (XMemStore store = TestStores.builder(folder, SEGMENT_LINES).open()) {
            for (int i = 0; i < entries; i += 37) {
                assertThat(store.search(Query.literal("quota failed " + i)).total())
                        .isPositive();
            }
        }
    }
}

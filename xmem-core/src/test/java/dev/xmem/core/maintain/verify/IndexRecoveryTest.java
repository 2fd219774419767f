package dev.xmem.core.maintain.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/** Threads that meet a corrupt index at the same time are all answered from the logs. */
class IndexRecoveryTest {
    private static final int THREADS = 6;
    private static final int COLUMNS = 1;

    @TempDir
    Path folder;

    /** Lengths of lines that no line has, with the right checksums. */
    private static byte[] forged(byte[] segment) {
        ByteBuffer bytes = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
        int trailer = bytes.limit() - 24;
        int directory = bytes.getInt(trailer);
        int length = bytes.getInt(trailer + 4);
        for (int at = directory; at < directory + length; at += 16) {
            int from = bytes.getInt(at + 4);
            int size = bytes.getInt(at + 8);
            if (bytes.getInt(at) == COLUMNS) {
                int lines = size / 33;
                for (int line = 0; line < lines; line++) {
                    bytes.putInt(from + 24 * lines + 4 * line, Integer.MAX_VALUE);
                }
                bytes.putInt(at + 12, crc(segment, from, size));
            }
        }
        bytes.putInt(trailer + 8, crc(segment, directory, length));
        return segment;
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    @RepeatedTest(5)
    void searches_ofManyThreads_areAllAnsweredFromTheLogs() throws Exception {
        try (XMemStore store = TestStores.builder(folder, 32).open()) {
            for (int i = 0; i < 100; i++) {
                store.recordFailure(Failure.of("git", "push", "fatal: quota failed " + i));
            }
            store.verify();
        }
        try (Stream<Path> files = Files.list(folder.resolve(".xmem/index"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".facts")).toList()) {
                Files.write(file, forged(Files.readAllBytes(file)));
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (XMemStore store = TestStores.builder(folder, 32).open()) {
            CyclicBarrier together = new CyclicBarrier(THREADS);
            List<Future<Long>> totals = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String line = "quota failed " + (10 + i);
                totals.add(threads.submit(() -> {
                    together.await();
                    return store.search(Query.literal(line)).total();
                }));
            }
            for (Future<Long> total : totals) {
                assertThat(total.get()).isPositive();
            }
        } finally {
            threads.shutdownNow();
        }
        assertLinesAreThere();
    }

    private void assertLinesAreThere() throws IOException {
        try (Stream<String> lines = Files.lines(folder.resolve("data/failures.jsonl"))) {
            assertThat(lines).hasSizeGreaterThanOrEqualTo(100);
        }
    }
}

package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments that an attacker changed, with the right checksums: at most typed errors, an end, and no lost line. */
class ForgedSegmentsTest {
    private static final int TRAILER_BYTES = 24;
    private static final int ENTRY_BYTES = 16;
    private static final int[] EXTREMES = {0, 1, -1, 255, 1 << 16, 1 << 30, Integer.MIN_VALUE, Integer.MAX_VALUE};

    @TempDir
    Path folder;

    private final Random random = new Random(11);
    private final Map<Path, byte[]> files = new TreeMap<>();

    private XMemStore open() {
        return TestStores.builder(folder, 32)
                .clock(() -> Instant.parse("2026-06-01T12:00:00Z"))
                .random(new Random(1))
                .open();
    }

    @BeforeEach
    void used() throws IOException {
        for (int round = 0; round < 2; round++) {
            try (XMemStore store = open()) {
                for (int i = 0; i < 60; i++) {
                    Entry entry = store.recordFailure(
                            Failure.of(i % 3 == 0 ? "git" : "npm", "push b" + i % 7, "fatal: quota failed " + i)
                                    .tags("t" + i % 5));
                    if (i % 10 == 0) {
                        store.recordSuccess(Success.of("git", "push -u").answers(entry.id()));
                        store.reportOutcome(entry.id(), Outcome.WORKED, "s" + i);
                    }
                }
                store.verify();
            }
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(file, Files.readAllBytes(file));
            }
        }
    }

    private List<Path> segments() {
        List<Path> segments = files.keySet().stream()
                .filter(file -> file.toString().matches(".*\\.(facts|text)"))
                .toList();
        assertThat(segments).hasSizeGreaterThan(6);
        return segments;
    }

    /** Changes some bytes of one section, and all checksums so that they say it is undamaged. */
    private byte[] forged(byte[] segment) {
        ByteBuffer bytes = ByteBuffer.wrap(segment.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int trailer = bytes.limit() - TRAILER_BYTES;
        int directory = bytes.getInt(trailer);
        int length = bytes.getInt(trailer + 4);
        int entry = directory + ENTRY_BYTES * random.nextInt(length / ENTRY_BYTES);
        int from = bytes.getInt(entry + 4);
        int size = bytes.getInt(entry + 8);
        for (int i = random.nextInt(4); size > 0 && i >= 0; i--) {
            int at = from + (random.nextBoolean() ? random.nextInt(size) : random.nextInt(Math.min(size, 64)));
            if (random.nextBoolean() && at + 4 <= from + size) {
                bytes.putInt(at & ~3, EXTREMES[random.nextInt(EXTREMES.length)]);
            } else {
                bytes.put(at, (byte) random.nextInt());
            }
        }
        if (random.nextInt(8) == 0) {
            bytes.putInt(entry + 8, random.nextInt(size + 1));
        }
        return withChecksums(bytes);
    }

    private static byte[] withChecksums(ByteBuffer segment) {
        int trailer = segment.limit() - TRAILER_BYTES;
        int directory = segment.getInt(trailer);
        int length = segment.getInt(trailer + 4);
        for (int at = directory; at < directory + length; at += ENTRY_BYTES) {
            segment.putInt(at + 12, crc(segment, segment.getInt(at + 4), segment.getInt(at + 8)));
        }
        segment.putInt(trailer + 8, crc(segment, directory, length));
        return segment.array();
    }

    /** Says of every fourth line that it begins at an offset. */
    private static byte[] withOffsets(byte[] facts, long offset) {
        ByteBuffer bytes = ByteBuffer.wrap(facts.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int entry = bytes.getInt(bytes.limit() - TRAILER_BYTES);
        while (bytes.getInt(entry) != SectionIds.COLUMNS) {
            entry += ENTRY_BYTES;
        }
        int columns = bytes.getInt(entry + 4);
        int lines = bytes.getInt(entry + 8) / 33;
        for (int line = 2; line < lines - 1; line += 4) {
            bytes.putLong(columns + Long.BYTES * line, offset);
        }
        return withChecksums(bytes);
    }

    private static int crc(ByteBuffer bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), from, length);
        return (int) crc.getValue();
    }

    private void restored() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        for (Map.Entry<Path, byte[]> file : files.entrySet()) {
            Files.write(file.getKey(), file.getValue());
        }
    }

    private static void typed(Callable<?> question) throws Exception {
        try {
            question.call();
        } catch (XMemException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    private static void ask(XMemStore store) throws Exception {
        for (Query query : List.of(
                Query.all(),
                Query.all().tool("git").tag("t3"),
                Query.words("quota failed"),
                Query.literal("failed 33"),
                Query.literal("nowhere"),
                Query.regex("fail[a-z]+ 5"))) {
            typed(() -> store.search(query).text());
        }
        // Words that are asked again have bounds, computed from the whole posting lists; a few best are asked for, so
        // that the bounds are used. Another limit is another question: no answer is that of a cache.
        for (int limit = 1; limit <= 4; limit++) {
            Query again = Query.words("quota failed").limit(limit);
            typed(() -> store.search(again).text());
        }
        typed(() -> store.recall(ToolCall.json("git", "push b3"), ToolError.text("fatal: quota failed 9")));
        typed(() -> {
            for (Match match : store.search(Query.all()).matches()) {
                store.find(match.entry().id());
            }
            return true;
        });
        typed(store::stats);
        typed(() -> store.recordFailure(Failure.of("npm", "test", "error: brand new")));
        typed(() -> store.recordFailure(Failure.of("npm", "test", "error: brand newer")));
        typed(store::verify);
        typed(() -> {
            store.flush();
            return true;
        });
        typed(() -> store.planCompaction(Retention.defaults()));
    }

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void forgedSegments_endInTypedErrorsAtMost_andLoseNothing() throws Exception {
        forge(60);
    }

    @Test
    @Tag("soak")
    void forgedSegments_thousands_endInTypedErrorsAtMost() throws Exception {
        forge(5_000);
    }

    /** Such an offset was cut to 32 bits, and the search looked at the same place of the log again and again. */
    @ParameterizedTest
    @ValueSource(longs = {1L << 31, 1L << 32, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void linesAtForgedOffsets_searchForALiteral_endsWithAllThatHaveIt(long offset) throws Exception {
        List<String> before;
        try (XMemStore store = open()) {
            before = idsWith("quota failed", store);
        }
        assertThat(before).hasSizeGreaterThan(64);
        restored();
        for (Path segment : segments()) {
            if (segment.toString().endsWith(".facts")) {
                Files.write(segment, withOffsets(files.get(segment), offset));
            }
        }
        try (XMemStore store = open()) {
            assertThat(idsWith("quota failed", store)).isEqualTo(before);
        }
    }

    private static List<String> idsWith(String literal, XMemStore store) {
        return store.search(Query.literal(literal).limit(200)).matches().stream()
                .map(match -> match.entry().id())
                .toList();
    }

    private void forge(int forgeries) throws Exception {
        List<Path> segments = segments();
        for (int i = 0; i < forgeries; i++) {
            restored();
            Path victim = segments.get(random.nextInt(segments.size()));
            Files.write(victim, forged(files.get(victim)));
            try (XMemStore store = open()) {
                ask(store);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("forgery " + i + " of " + victim, e);
            }
            for (Map.Entry<Path, byte[]> file : files.entrySet()) {
                if (file.getKey().toString().endsWith(".jsonl")) {
                    assertThat(Files.readAllBytes(file.getKey()))
                            .as("forgery " + i + " of " + victim)
                            .startsWith(file.getValue());
                }
            }
        }
    }
}

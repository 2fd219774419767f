package dev.xmem.benchmarks;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The entries of a large store: a {@link Corpus} with one entry every 37 seconds since the beginning of 2024, or every
 * 7 seconds if there are more than two million. Sixteen of the oldest 5 % carry a mark that no other entry has.
 * Immutable.
 *
 * @param entries the number of entries
 */
record Dataset(int entries) {
    /**
     * Changes whenever {@link #forEachChunk} returns other entries, so that prepared folders of an older version are
     * not used.
     */
    static final String VERSION = "2";

    static final int MARKS = 16;

    private static final long SEED = 20260214;
    private static final int CHUNK = 10_000;
    private static final int OLDEST_ONE_IN = 20;
    private static final Instant FIRST = Instant.parse("2024-01-05T08:00:00Z");
    private static final int SECONDS_BETWEEN = 37;
    /** Of more entries, so that ten million are not in the future. */
    private static final int SECONDS_BETWEEN_MANY = 7;

    private static final int MANY = 2_000_000;

    /** Receives the entries in chunks, oldest first. */
    @FunctionalInterface
    interface ChunkConsumer {
        void accept(List<StoredEntry> chunk) throws Exception;
    }

    /** Passes all entries to the consumer, in the same order each time. */
    void forEachChunk(ChunkConsumer consumer) throws Exception {
        Corpus corpus = new Corpus(SEED);
        LineWriter writer = new LineWriter();
        LocalDate today = LocalDate.EPOCH;
        int number = 0;
        int marks = 0;
        for (int i = 0; i < entries; ) {
            List<StoredEntry> chunk = new ArrayList<>(CHUNK);
            for (CorpusEntry entry : corpus.next(Math.min(CHUNK, entries - i))) {
                boolean marked =
                        marks < MARKS && i >= (long) entries * marks / (OLDEST_ONE_IN * MARKS) && entry.isFailure();
                Instant ts = FIRST.plusSeconds((entries > MANY ? SECONDS_BETWEEN_MANY : SECONDS_BETWEEN) * (long) i++);
                LocalDate day = LocalDate.ofInstant(ts, ZoneOffset.UTC);
                number = day.equals(today) ? number + 1 : 1;
                today = day;
                CorpusEntry stored = marked ? entry.withNote(mark(marks++)) : entry;
                chunk.add(StoredEntry.of(stored, IdGenerator.of(day.toString(), number), ts.toString(), writer));
            }
            consumer.accept(chunk);
        }
    }

    /** Returns the text that only the n-th marked entry contains. */
    static String mark(int n) {
        return String.format(Locale.ROOT, "mark%08x", (n + 1) * 0x9E3779B1);
    }

    /** Returns entries that are not in the dataset. */
    static List<CorpusEntry> additional(int count) {
        return new Corpus(SEED + 1).next(count);
    }
}

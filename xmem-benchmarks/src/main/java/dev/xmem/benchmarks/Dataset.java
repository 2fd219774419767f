package dev.xmem.benchmarks;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a store holds that has grown for long: a {@link Corpus}, an entry every 37 seconds since the beginning of 2024.
 * Some of the oldest twentieth carry a mark that no other entry has. Immutable.
 *
 * @param entries how many
 */
record Dataset(int entries) {
    /** Changes with what {@link #each} gives, so that folders made of another one are not taken. */
    static final String VERSION = "1";

    static final int MARKS = 16;

    private static final long SEED = 20260214;
    private static final int CHUNK = 10_000;
    private static final int OLDEST = 20;
    private static final Instant FIRST = Instant.parse("2024-01-05T08:00:00Z");
    private static final int SECONDS_BETWEEN = 37;

    /** Sees entries, some at a time, oldest first. */
    @FunctionalInterface
    interface ChunkConsumer {
        void take(List<StoredEntry> chunk) throws Exception;
    }

    /** Gives all entries, the same ones each time. */
    void forEachChunk(ChunkConsumer taker) throws Exception {
        Corpus corpus = new Corpus(SEED);
        LineWriter writer = new LineWriter();
        LocalDate today = LocalDate.EPOCH;
        int number = 0;
        int marks = 0;
        for (int i = 0; i < entries; ) {
            List<StoredEntry> chunk = new ArrayList<>(CHUNK);
            for (CorpusEntry entry : corpus.next(Math.min(CHUNK, entries - i))) {
                boolean marked = marks < MARKS && i >= (long) entries * marks / (OLDEST * MARKS) && entry.isFailure();
                Instant ts = FIRST.plusSeconds((long) SECONDS_BETWEEN * i++);
                LocalDate day = LocalDate.ofInstant(ts, ZoneOffset.UTC);
                number = day.equals(today) ? number + 1 : 1;
                today = day;
                CorpusEntry stored = marked ? entry.withNote(mark(marks++)) : entry;
                chunk.add(StoredEntry.of(stored, IdGenerator.of(day.toString(), number), ts.toString(), writer));
            }
            taker.take(chunk);
        }
    }

    /** The text that only the n-th marked entry has. */
    static String mark(int n) {
        return String.format(Locale.ROOT, "mark%08x", (n + 1) * 0x9E3779B1);
    }

    /** Entries that are not in the dataset. */
    static List<CorpusEntry> additional(int count) {
        return new Corpus(SEED + 1).next(count);
    }
}

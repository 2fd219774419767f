package dev.xmem.core.store.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.SegmentStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Lines are in the postings and the statistics as soon as a reader asks, however many wait and whoever asks. */
class MemtableTest {
    private static final int LINES = 20_000;
    private static final int TOOLS = 7;
    private static final int READERS = 3;

    private final SegmentStatistics statistics = new SegmentStatistics();
    private final Memtable table = new Memtable(statistics, 0);

    private void add(int line) {
        add(line, 99);
    }

    private void add(int line, int length) {
        IndexedFields fields = IndexedFields.of(
                Entry.Kind.FAILURE,
                Map.of("type", "tool_failure", "id", "2026-01-01-" + (1000 + line), "tool", "tool" + line % TOOLS));
        table.add(fields, 100L * line, length, 1 + line, null);
    }

    private int linesOf(int tool) {
        return table.postings(IndexedField.TOOL, "tool" + tool).countBelow(Integer.MAX_VALUE);
    }

    @Test
    void aReaderFindsEachLineAtOnceAndTheStatisticsCountItOnce() {
        int[] expected = new int[TOOLS];
        for (int line = 0; line < 2000; line++) {
            add(line);
            expected[line % TOOLS]++;
            if (line % 97 == 0 || line % 700 > 650) {
                assertEquals(expected[line % TOOLS], linesOf(line % TOOLS), "after line " + line);
                assertEquals(
                        line,
                        table.postings(IndexedField.ID, "2026-01-01-" + (1000 + line))
                                .at(0));
                assertEquals(line + 1, statistics.logStatistics().of(Entry.Kind.FAILURE));
            }
        }
        table.index();
        assertEquals(2000, statistics.logStatistics().of(Entry.Kind.FAILURE));
        assertEquals(2999, statistics.days().highest("2026-01-01"));
        assertEquals(expected[0], statistics.logStatistics().toolFailures().get("tool0"));
    }

    @Test
    void linesOfManyBytesDoNotWait() {
        int half = 128 << 10;
        add(0, half);
        add(1, half);
        assertEquals(0, statistics.logStatistics().of(Entry.Kind.FAILURE));
        add(2, half);
        assertEquals(2, statistics.logStatistics().of(Entry.Kind.FAILURE));
        add(3, 1 << 20);
        assertEquals(4, statistics.logStatistics().of(Entry.Kind.FAILURE));
    }

    @Test
    void readersFindEveryLineBelowTheCountWhileLinesAreAdded() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(READERS);
        try {
            List<Future<?>> readers = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                readers.add(threads.submit(() -> {
                    for (int count = 0; count < LINES; ) {
                        count = table.count();
                        int tool = count % TOOLS;
                        int found =
                                table.postings(IndexedField.TOOL, "tool" + tool).countBelow(count);
                        assertEquals((count - tool + TOOLS - 1) / TOOLS, found, "below " + count);
                        assertTrue(count == 0 || table.withDigest(count, "2026-01-01-" + (999 + count)) == count - 1);
                    }
                }));
            }
            for (int line = 0; line < LINES; line++) {
                add(line);
            }
            for (Future<?> reader : readers) {
                reader.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(LINES, statistics.logStatistics().of(Entry.Kind.FAILURE));
    }
}

package dev.xmem.core.answer.search;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.terms.LogSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ranks the entries of any number of logs for a query in words. Thread-safe.
 * Decision: docs/adr/0056-deep-search.md.
 */
final class TextSearch {
    /** In logs of more entries only as many hits are counted as the caller asks for. */
    static final int FEW_ENTRIES = 5_000;
    /** In logs of few entries hits up to this number are counted. */
    static final int COUNTED = 1_000;

    private TextSearch() {}

    /** Ranks all hits, without a cache. */
    static TopHits rank(List<LogSlice> logs, String query) {
        return rank(logs, query, Integer.MAX_VALUE, false, null);
    }

    /**
     * Ranks the best {@code k} hits and the hits that score the same as the last of them, unless their times are known
     * and they are older. The others are only counted, and in large logs not all of them: the total is then a lower
     * bound. The statistics of BM25 are those of all the logs together.
     *
     * @param deep whether every entry with a word of the query is a hit
     * @param cache for the bounds of clauses that are asked again; null for none
     */
    static TopHits rank(List<LogSlice> logs, String query, int k, boolean deep, @Nullable ByteCache cache) {
        long entries = 0;
        for (LogSlice log : logs) {
            for (LogSlice.Part segment : log.segments()) {
                entries += segment.index().entriesBelow(log.cutoff(segment));
            }
        }
        return rank(logs, query, k, entries > FEW_ENTRIES ? 0 : COUNTED, deep, cache);
    }

    /** The same, with the number of hits that are counted whatever they score. */
    static TopHits rank(
            List<LogSlice> logs, String query, int k, int counted, boolean deep, @Nullable ByteCache cache) {
        List<ParsedQuery.Clause> clauses = ParsedQuery.clauses(query);
        if (!deep && ParsedQuery.isVague(query, clauses)) {
            clauses = List.of();
        }
        Bm25Scorer scorer = new Bm25Scorer(logs, clauses, deep);
        TopHitsCollector collector = new TopHitsCollector(logs, k, counted, deep);
        SegmentScorer segments = new SegmentScorer(scorer, collector, cache);
        for (SegmentScorer.Run run : clauses.isEmpty() ? List.<SegmentScorer.Run>of() : runs(logs)) {
            segments.score(run);
        }
        return collector.topHits(clauses.stream().map(ParsedQuery.Clause::words).toList());
    }

    /** The runs of lines of all logs, the newest first: older hits with the score of a newer one are skipped. */
    private static List<SegmentScorer.Run> runs(List<LogSlice> logs) {
        List<SegmentScorer.Run> runs = new ArrayList<>();
        int number = 0;
        for (int log = 0; log < logs.size(); log++) {
            LogSlice slice = logs.get(log);
            for (LogSlice.Part segment : slice.segments()) {
                int end = slice.cutoff(segment);
                int lines = segment.index().runLines();
                for (int first = 0, run = 0; first < end; run++) {
                    int last = (int) Math.min(end, (long) first + lines);
                    long latest = slice.times() == null
                            ? Long.MAX_VALUE
                            : slice.times().latest(segment.base() + first, segment.base() + last);
                    runs.add(new SegmentScorer.Run(log, slice, segment, number, run, latest));
                    first = last;
                }
                number++;
            }
        }
        runs.sort(Comparator.comparingLong(SegmentScorer.Run::latest).reversed());
        return runs;
    }
}

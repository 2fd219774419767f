package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.List;

/**
 * Ranks the entries of any number of logs for a query in words. Thread-safe.
 * Decision: docs/adr/0056-deep-search.md.
 */
final class TextSearch {
    private TextSearch() {}

    /** Ranks all hits. */
    static TopHits rank(List<LogSlice> logs, String query) {
        return rank(logs, query, Integer.MAX_VALUE, false);
    }

    /**
     * Ranks the best {@code k} hits and every hit that scores the same as the last of them; the others are only
     * counted. The statistics of BM25 are those of all the logs together.
     *
     * @param deep whether every entry with a word of the query is a hit
     */
    static TopHits rank(List<LogSlice> logs, String query, int k, boolean deep) {
        List<ParsedQuery.Clause> clauses = ParsedQuery.clauses(query);
        if (!deep && ParsedQuery.isVague(query, clauses)) {
            clauses = List.of();
        }
        Bm25Scorer scorer = new Bm25Scorer(logs, clauses, deep);
        TopHitsCollector collector = new TopHitsCollector(k, deep ? 0 : RankingParameters.FLOOR);
        SegmentScorer.Buffers buffers = new SegmentScorer.Buffers();
        for (int log = 0; log < logs.size(); log++) {
            for (LogSlice.Part segment : logs.get(log).segments()) {
                new SegmentScorer(scorer, collector, buffers, log, logs.get(log), segment).score();
            }
        }
        return collector.topHits(clauses.stream().map(ParsedQuery.Clause::words).toList());
    }
}

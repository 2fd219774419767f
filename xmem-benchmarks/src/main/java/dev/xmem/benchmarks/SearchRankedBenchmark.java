package dev.xmem.benchmarks;

import org.openjdk.jmh.annotations.Param;

/**
 * Measures ranked search, top 20, by the formula of each engine: BM25 over fields in xmem, {@code bm25} of FTS5 in
 * SQLite, and BM25 in {@code lucene} (with {@code -Ppeers}). The answers are stored in the folder; {@link
 * AnswerOverlap} compares them.
 */
public class SearchRankedBenchmark extends SearchTrialBenchmark {
    /** The engine under test. */
    @Param({"xmem", "sqlite"})
    public String engine = "";

    /** The {@link QueryType}. */
    @Param({"RANKED_ONE", "RANKED_THREE"})
    public String query = "";

    @Override
    String engine() {
        return engine;
    }

    @Override
    String query() {
        return query;
    }
}

package dev.xmem.benchmarks;

import org.openjdk.jmh.annotations.Param;

/**
 * Measures queries with one correct answer: the newest entries of a context hash, with a literal, or that match a
 * regular expression; see {@link QueryType}. Every engine returns the entries with all fields parsed; {@code xmem}
 * also renders the page as text and counts its tokens, {@code xmem-data} does not. Other engines: {@code grep},
 * {@code recipe} (the shell recipe of the X-MEM protocol) and {@code sqlite-trigram}. With {@code -Ppeers}:
 * {@code lucene} for literals, {@code rocksdb} and {@code mvstore} for pages.
 */
public class SearchBenchmark extends SearchTrialBenchmark {
    /** The engine under test. */
    @Param({"xmem", "xmem-data", "sqlite", "ripgrep"})
    public String engine = "";

    /** The {@link QueryType}. */
    @Param({
        "PAGE_FIRST",
        "PAGE_AGAIN",
        "LITERAL_COMMON",
        "LITERAL_ABSENT",
        "LITERAL_NEAR_MISS",
        "LITERAL_FAR",
        "PHRASE_ABSENT",
        "REGEX_LITERAL",
        "REGEX_OPEN",
        "REGEX_OPEN_ABSENT"
    })
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

package dev.xmem.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Computes retrieval metrics over queries: hit rate at 1, 3 and 8, mean reciprocal rank, precision, and the share of
 * queries without a result. Not thread-safe.
 */
final class RetrievalMetrics {
    /** The number of top results that count. */
    static final int CUTOFF = 8;

    private int queries;
    private int hitsAt1;
    private int hitsAt3;
    private int hitsAt8;
    private double reciprocal;
    private long returned;
    private long wrong;
    private int empty;
    private int wrongFirst;

    /**
     * Adds one query.
     *
     * @param relevant the correct scenarios; empty if nothing is correct
     * @param scenarios the scenarios of the returned entries, best first
     */
    void add(Set<String> relevant, List<String> scenarios) {
        List<String> seen = scenarios.subList(0, Math.min(CUTOFF, scenarios.size()));
        queries++;
        returned += seen.size();
        wrong += seen.stream().filter(s -> !relevant.contains(s)).count();
        empty += seen.isEmpty() ? 1 : 0;
        wrongFirst += seen.isEmpty() || relevant.contains(seen.get(0)) ? 0 : 1;
        for (int i = 0; i < seen.size(); i++) {
            if (relevant.contains(seen.get(i))) {
                hitsAt1 += i < 1 ? 1 : 0;
                hitsAt3 += i < 3 ? 1 : 0;
                hitsAt8++;
                reciprocal += 1.0 / (i + 1);
                break;
            }
        }
    }

    double hitsAt1() {
        return share(hitsAt1);
    }

    double hitsAt3() {
        return share(hitsAt3);
    }

    double hitsAt8() {
        return share(hitsAt8);
    }

    /** Returns the mean reciprocal rank. */
    double mrr() {
        return reciprocal / Math.max(1, queries);
    }

    /** Returns the share of returned entries that are correct. */
    double precision() {
        return returned == 0 ? 1 : (double) (returned - wrong) / returned;
    }

    /** Returns the number of wrong entries per query. */
    double wrong() {
        return (double) wrong / Math.max(1, queries);
    }

    /** Returns the share of queries whose first result is wrong. */
    double wrongFirst() {
        return share(wrongFirst);
    }

    /** Returns the share of queries without a result. */
    double empty() {
        return share(empty);
    }

    private double share(int n) {
        return (double) n / Math.max(1, queries);
    }

    static String header() {
        return "| | queries | hit@1 | hit@3 | hit@8 | MRR | precision | wrong per query | wrong first | no result |\n"
                + "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";
    }

    String row(String name) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %.3f | %.3f | %.3f | %.3f | %.3f | %.2f | %.3f | %.3f |",
                name,
                queries,
                hitsAt1(),
                hitsAt3(),
                hitsAt8(),
                mrr(),
                precision(),
                wrong(),
                wrongFirst(),
                empty());
    }
}

package dev.xmem.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Counts what was shown for questions that have an answer, and for some that have none. Not thread-safe. */
final class RetrievalMetrics {
    /** How many of the entries that are shown are looked at. */
    static final int SHOWN = 8;

    private int asked;
    private int first;
    private int three;
    private int eight;
    private double reciprocal;
    private long shown;
    private long wrong;
    private int silent;

    /** The scenarios of what was shown, best first, for a question with these right answers; none for no right answer. */
    void add(Set<String> relevant, List<String> scenarios) {
        List<String> seen = scenarios.subList(0, Math.min(SHOWN, scenarios.size()));
        asked++;
        shown += seen.size();
        wrong += seen.stream().filter(s -> !relevant.contains(s)).count();
        silent += seen.isEmpty() ? 1 : 0;
        for (int i = 0; i < seen.size(); i++) {
            if (relevant.contains(seen.get(i))) {
                first += i < 1 ? 1 : 0;
                three += i < 3 ? 1 : 0;
                eight++;
                reciprocal += 1.0 / (i + 1);
                break;
            }
        }
    }

    int asked() {
        return asked;
    }

    double first() {
        return share(first);
    }

    double three() {
        return share(three);
    }

    double eight() {
        return share(eight);
    }

    /** Mean reciprocal rank. */
    double mrr() {
        return reciprocal / Math.max(1, asked);
    }

    /** The share of what is shown that is right. */
    double precision() {
        return shown == 0 ? 1 : (double) (shown - wrong) / shown;
    }

    /** Wrong entries a question. */
    double wrong() {
        return (double) wrong / Math.max(1, asked);
    }

    /** The share of questions for which nothing is shown. */
    double silent() {
        return share(silent);
    }

    private double share(int n) {
        return (double) n / Math.max(1, asked);
    }

    static String header() {
        return "| | asked | @1 | @3 | @8 | MRR | precision of what is shown | wrong ones in 8 | silent |\n"
                + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |";
    }

    String row(String name) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %.3f | %.3f | %.3f | %.3f | %.3f | %.2f | %.3f |",
                name,
                asked,
                first(),
                three(),
                eight(),
                mrr(),
                precision(),
                wrong(),
                silent());
    }
}

package dev.xmem.benchmarks.figures;

import dev.xmem.benchmarks.QueryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The performance goals, checked against the largest measured store. A goal is a ratio within one run. */
final class GoalTable {
    private static final String APPEND = "append";
    private static final int SMALL = 10_000;

    private final Results results;
    private final ResultTables tables;
    private final List<String> rows = new ArrayList<>();

    private GoalTable(Results results) {
        this.results = results;
        this.tables = new ResultTables(results);
    }

    static String table(Results results) {
        GoalTable goals = new GoalTable(results);
        goals.appends();
        goals.searches();
        goals.opening();
        goals.atMost("compaction: xmem relative to a copy of the log", "compaction", "xmem", "copy of the log", 20);
        return "\n| goal, on the largest store | target | p50 | mean | result |\n| --- | --- | --- | --- | --- |\n"
                + String.join("", goals.rows);
    }

    private void appends() {
        atMost("append, hash given: xmem relative to floor", APPEND, "xmem", "floor", 2);
        atMost("append, redaction and built-in hasher: xmem relative to floor", APPEND, "xmem-hashing", "floor", 6);
        for (int threads : List.of(16, 64)) {
            String operation = "append, group commit, " + threads + " threads";
            Optional<Double> ratio = tables.ratio(operation, "floor", "xmem", results.largest(operation), true, false);
            row(
                    threads + " threads, entries per second: xmem relative to floor",
                    "≥ 0.8×",
                    Optional.empty(),
                    ratio,
                    0.8,
                    true);
        }
        int largest = results.largest(APPEND);
        row(
                String.format(Locale.ROOT, "append: %,d entries relative to %,d", largest, SMALL),
                "≤ 1.2×",
                growth(largest, false),
                growth(largest, true),
                1.2,
                false);
    }

    private Optional<Double> growth(int largest, boolean mean) {
        Optional<Measurement> few = results.get(APPEND, "xmem", SMALL);
        Optional<Measurement> many = results.get(APPEND, "xmem", largest);
        return largest == SMALL || few.isEmpty() || many.isEmpty()
                ? Optional.empty()
                : Optional.of(ResultTables.of(many.get(), mean) / ResultTables.of(few.get(), mean));
    }

    private void searches() {
        atLeastAsData(QueryType.PAGE_FIRST, 2.5);
        atLeast(QueryType.PAGE_AGAIN, "sqlite", 20, false);
        atLeastAsData(QueryType.LITERAL_COMMON, 1.5);
        atLeast(QueryType.LITERAL_ABSENT, "ripgrep", 500, true);
        atLeast(QueryType.LITERAL_FAR, "ripgrep", 500, true);
        atLeast(QueryType.PHRASE_ABSENT, "ripgrep", 10, true);
        atLeast(QueryType.REGEX_LITERAL, "ripgrep", 200, true);
        for (QueryType type : List.of(QueryType.RANKED_ONE, QueryType.RANKED_THREE)) {
            atLeast(type, "lucene", 1, false);
            atLeast(type, "sqlite", 20, false);
        }
    }

    /** Pages that are not rendered, as the rows of SQLite are not. */
    private void atLeastAsData(QueryType type, double bound) {
        String operation = type.label();
        int largest = results.largest(operation);
        row(
                operation + ", as data: sqlite relative to xmem",
                "≥ " + QuantityFormat.ratio(bound),
                tables.ratio(operation, "sqlite", "xmem-data", largest, false, false),
                tables.ratio(operation, "sqlite", "xmem-data", largest, true, false),
                bound,
                true);
    }

    private void atLeast(QueryType type, String peer, double bound, boolean withoutStart) {
        String operation = type.label();
        String goal = operation + ": " + peer + (withoutStart ? " (startup subtracted)" : "") + " relative to xmem";
        int largest = results.largest(operation);
        Optional<Double> p50 = tables.ratio(operation, peer, "xmem", largest, false, withoutStart);
        Optional<Double> mean = tables.ratio(operation, peer, "xmem", largest, true, withoutStart);
        row(goal, "≥ " + QuantityFormat.ratio(bound), p50, mean, bound, true);
    }

    private void atMost(String goal, String operation, String engine, String than, double bound) {
        int largest = results.largest(operation);
        Optional<Double> p50 = tables.ratio(operation, engine, than, largest, false, false);
        Optional<Double> mean = tables.ratio(operation, engine, than, largest, true, false);
        row(goal, "≤ " + QuantityFormat.ratio(bound), p50, mean, bound, false);
    }

    private void opening() {
        opening(Measurement.OPEN, 100);
        opening(Measurement.OPEN_ARCHIVE, 80);
        for (String peer : List.of("sqlite", "rocksdb")) {
            Optional<Double> peers = withoutJvmStartup(Measurement.OPEN, peer);
            Optional<Double> own = withoutJvmStartup(Measurement.OPEN, "xmem");
            Optional<Double> ratio =
                    peers.isEmpty() || own.isEmpty() ? Optional.empty() : Optional.of(peers.get() / own.get());
            row(
                    "open and query: " + peer + " relative to xmem (JVM startup subtracted)",
                    "≥ 2.00×",
                    ratio,
                    Optional.empty(),
                    2,
                    true);
        }
    }

    private void opening(String operation, double millis) {
        Optional<Double> over = withoutJvmStartup(operation, "xmem").map(micros -> micros / 1000);
        String formatted = over.map(m -> QuantityFormat.threeDigits(m) + " ms").orElse("");
        line(
                operation + " (JVM startup subtracted)",
                "≤ " + QuantityFormat.threeDigits(millis) + " ms",
                formatted,
                "",
                over.map(m -> m <= millis));
    }

    private Optional<Double> withoutJvmStartup(String operation, String engine) {
        int largest = results.largest(operation);
        Optional<Measurement> emptyJvm = results.get(Measurement.OPEN, Measurement.EMPTY_JVM, largest);
        Optional<Measurement> measured = results.get(operation, engine, largest);
        return emptyJvm.isEmpty() || measured.isEmpty()
                ? Optional.empty()
                : Optional.of(measured.get().p50() - emptyJvm.get().p50());
    }

    private void row(
            String goal, String target, Optional<Double> p50, Optional<Double> mean, double bound, boolean atLeast) {
        Optional<Boolean> met = p50.isEmpty() && mean.isEmpty()
                ? Optional.empty()
                : Optional.of(holds(p50, bound, atLeast) && holds(mean, bound, atLeast));
        line(
                goal,
                target,
                p50.map(QuantityFormat::ratio).orElse(""),
                mean.map(QuantityFormat::ratio).orElse(""),
                met);
    }

    private static boolean holds(Optional<Double> actual, double bound, boolean atLeast) {
        return actual.isEmpty() || (atLeast ? actual.get() >= bound : actual.get() <= bound);
    }

    private void line(String goal, String target, String p50, String mean, Optional<Boolean> met) {
        String verdict = met.map(yes -> yes ? "met" : "**not met**").orElse("not measured");
        rows.add("| " + String.join(" | ", goal, target, p50, mean, verdict) + " |\n");
    }
}

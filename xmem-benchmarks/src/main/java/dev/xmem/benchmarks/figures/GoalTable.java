package dev.xmem.benchmarks.figures;

import dev.xmem.benchmarks.QueryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The goals that benchmarks can show, on the largest store that was measured, as ratios of one run. */
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
        goals.atMost("compaction beside a copy of the log", "compaction", "xmem", "copy of the log", 2);
        return "\n| goal, on the largest store measured | should be | p50 | mean | |\n| --- | --- | --- | --- | --- |\n"
                + String.join("", goals.rows);
    }

    private void appends() {
        atMost("append beside the floor", APPEND, "xmem", "floor", 1.4);
        atLeast("append, SQLite beside xmem", APPEND, "sqlite", 25, false);
        atMost("append with redaction and hash beside the floor", APPEND, "xmem-hashing", "floor", 3);
        for (int threads : List.of(16, 64)) {
            String operation = "append, group commit, " + threads + " threads";
            Optional<Double> ratio = tables.ratio(operation, "floor", "xmem", results.largest(operation), true, false);
            row(
                    threads + " threads, entries a second beside a bare group commit",
                    "≥ 0.8×",
                    Optional.empty(),
                    ratio,
                    0.8,
                    true);
        }
        int largest = results.largest(APPEND);
        row(
                String.format(Locale.ROOT, "append at %,d entries beside %,d", largest, SMALL),
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
        atLeast(QueryType.PAGE_FIRST, "sqlite", 4, false);
        atLeast(QueryType.PAGE_AGAIN, "sqlite", 20, false);
        atLeast(QueryType.LITERAL_COMMON, "ripgrep", 100, false);
        atLeast(QueryType.LITERAL_COMMON, "sqlite", 4, false);
        atLeast(QueryType.LITERAL_ABSENT, "ripgrep", 500, true);
        atLeast(QueryType.LITERAL_FAR, "ripgrep", 500, true);
        atLeast(QueryType.PHRASE_ABSENT, "ripgrep", 10, true);
        atLeast(QueryType.REGEX_LITERAL, "ripgrep", 200, true);
        for (QueryType type : List.of(QueryType.RANKED_ONE, QueryType.RANKED_THREE)) {
            atLeast(type, "lucene", 1, false);
            atLeast(type, "sqlite", 20, false);
        }
    }

    private void atLeast(QueryType type, String peer, double bound, boolean withoutStart) {
        String taken = withoutStart ? ", its start taken off," : "";
        atLeast(type.label() + ": " + peer + taken + " beside xmem", type.label(), peer, bound, withoutStart);
    }

    private void atLeast(String what, String operation, String peer, double bound, boolean withoutStart) {
        int largest = results.largest(operation);
        Optional<Double> p50 = tables.ratio(operation, peer, "xmem", largest, false, withoutStart);
        Optional<Double> mean = tables.ratio(operation, peer, "xmem", largest, true, withoutStart);
        row(what, "≥ " + QuantityFormat.ratio(bound), p50, mean, bound, true);
    }

    private void atMost(String what, String operation, String engine, String than, double bound) {
        int largest = results.largest(operation);
        Optional<Double> p50 = tables.ratio(operation, engine, than, largest, false, false);
        Optional<Double> mean = tables.ratio(operation, engine, than, largest, true, false);
        row(what, "≤ " + QuantityFormat.ratio(bound), p50, mean, bound, false);
    }

    private void opening() {
        opening(Measurement.OPEN, 100);
        opening(Measurement.OPEN_ARCHIVE, 80);
        for (String peer : List.of("sqlite", "rocksdb")) {
            Optional<Double> theirs = overNothing(Measurement.OPEN, peer);
            Optional<Double> ours = overNothing(Measurement.OPEN, "xmem");
            Optional<Double> ratio =
                    theirs.isEmpty() || ours.isEmpty() ? Optional.empty() : Optional.of(theirs.get() / ours.get());
            row(
                    "open and answer, " + peer + " beside xmem, a JVM's start taken off",
                    "≥ 2.00×",
                    ratio,
                    Optional.empty(),
                    2,
                    true);
        }
    }

    private void opening(String operation, double millis) {
        Optional<Double> over = overNothing(operation, "xmem").map(micros -> micros / 1000);
        String found = over.map(m -> QuantityFormat.threeDigits(m) + " ms").orElse("");
        line(
                operation + ", over a JVM's start",
                "≤ " + QuantityFormat.threeDigits(millis) + " ms",
                found,
                "",
                over.map(m -> m <= millis));
    }

    private Optional<Double> overNothing(String operation, String engine) {
        int largest = results.largest(operation);
        Optional<Measurement> nothing = results.get(Measurement.OPEN, Measurement.NOTHING, largest);
        Optional<Measurement> engines = results.get(operation, engine, largest);
        return nothing.isEmpty() || engines.isEmpty()
                ? Optional.empty()
                : Optional.of(engines.get().p50() - nothing.get().p50());
    }

    private void row(
            String what, String goal, Optional<Double> p50, Optional<Double> mean, double bound, boolean atLeast) {
        Optional<Boolean> reached = p50.isEmpty() && mean.isEmpty()
                ? Optional.empty()
                : Optional.of(holds(p50, bound, atLeast) && holds(mean, bound, atLeast));
        line(
                what,
                goal,
                p50.map(QuantityFormat::ratio).orElse(""),
                mean.map(QuantityFormat::ratio).orElse(""),
                reached);
    }

    private static boolean holds(Optional<Double> found, double bound, boolean atLeast) {
        return found.isEmpty() || (atLeast ? found.get() >= bound : found.get() <= bound);
    }

    private void line(String what, String goal, String p50, String mean, Optional<Boolean> reached) {
        String verdict = reached.map(yes -> yes ? "reached" : "**not reached**").orElse("not measured");
        rows.add("| " + String.join(" | ", what, goal, p50, mean, verdict) + " |\n");
    }
}

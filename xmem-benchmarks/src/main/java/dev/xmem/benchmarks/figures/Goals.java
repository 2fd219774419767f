package dev.xmem.benchmarks.figures;

import dev.xmem.benchmarks.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The goals that benchmarks can show, on the largest store that was measured, as ratios of one run. */
final class Goals {
    private static final String APPEND = "append";
    private static final int SMALL = 10_000;

    private final Results results;
    private final Tables tables;
    private final List<String> rows = new ArrayList<>();

    private Goals(Results results) {
        this.results = results;
        this.tables = new Tables(results);
    }

    static String table(Results results) {
        Goals goals = new Goals(results);
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
        Optional<Measured> few = results.get(APPEND, "xmem", SMALL);
        Optional<Measured> many = results.get(APPEND, "xmem", largest);
        return largest == SMALL || few.isEmpty() || many.isEmpty()
                ? Optional.empty()
                : Optional.of(Tables.of(many.get(), mean) / Tables.of(few.get(), mean));
    }

    private void searches() {
        atLeast(Ask.PAGE_FIRST, "sqlite", 4, false);
        atLeast(Ask.PAGE_AGAIN, "sqlite", 20, false);
        atLeast(Ask.LITERAL_COMMON, "ripgrep", 100, false);
        atLeast(Ask.LITERAL_COMMON, "sqlite", 4, false);
        atLeast(Ask.LITERAL_ABSENT, "ripgrep", 500, true);
        atLeast(Ask.LITERAL_FAR, "ripgrep", 500, true);
        atLeast(Ask.PHRASE_ABSENT, "ripgrep", 10, true);
        atLeast(Ask.REGEX_LITERAL, "ripgrep", 200, true);
        for (Ask ask : List.of(Ask.RANKED_ONE, Ask.RANKED_THREE)) {
            atLeast(ask, "lucene", 1, false);
            atLeast(ask, "sqlite", 20, false);
        }
    }

    private void atLeast(Ask ask, String peer, double bound, boolean withoutStart) {
        String taken = withoutStart ? ", its start taken off," : "";
        atLeast(ask.label() + ": " + peer + taken + " beside xmem", ask.label(), peer, bound, withoutStart);
    }

    private void atLeast(String what, String operation, String peer, double bound, boolean withoutStart) {
        int largest = results.largest(operation);
        Optional<Double> p50 = tables.ratio(operation, peer, "xmem", largest, false, withoutStart);
        Optional<Double> mean = tables.ratio(operation, peer, "xmem", largest, true, withoutStart);
        row(what, "≥ " + Amount.ratio(bound), p50, mean, bound, true);
    }

    private void atMost(String what, String operation, String engine, String than, double bound) {
        int largest = results.largest(operation);
        Optional<Double> p50 = tables.ratio(operation, engine, than, largest, false, false);
        Optional<Double> mean = tables.ratio(operation, engine, than, largest, true, false);
        row(what, "≤ " + Amount.ratio(bound), p50, mean, bound, false);
    }

    private void opening() {
        opening(Measured.OPEN, 100);
        opening(Measured.OPEN_ARCHIVE, 80);
        for (String peer : List.of("sqlite", "rocksdb")) {
            Optional<Double> theirs = overNothing(Measured.OPEN, peer);
            Optional<Double> ours = overNothing(Measured.OPEN, "xmem");
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
        String found = over.map(m -> Amount.three(m) + " ms").orElse("");
        line(
                operation + ", over a JVM's start",
                "≤ " + Amount.three(millis) + " ms",
                found,
                "",
                over.map(m -> m <= millis));
    }

    private Optional<Double> overNothing(String operation, String engine) {
        int largest = results.largest(operation);
        Optional<Measured> nothing = results.get(Measured.OPEN, Measured.NOTHING, largest);
        Optional<Measured> engines = results.get(operation, engine, largest);
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
                p50.map(Amount::ratio).orElse(""),
                mean.map(Amount::ratio).orElse(""),
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

package dev.xmem.benchmarks.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A table for an operation: a row for each engine, whoever wins. */
final class ResultTables {
    private static final String OURS = "xmem";

    private final Results results;

    ResultTables(Results results) {
        this.results = results;
    }

    String table(String operation) {
        List<Integer> sizes = List.copyOf(results.sizes(operation));
        StringBuilder out = new StringBuilder("\n### " + capital(operation) + "\n\n| engine |");
        sizes.forEach(size ->
                out.append(size == 0 ? " p50 / mean / p99 |" : String.format(Locale.ROOT, " %,d entries |", size)));
        out.append(" beside xmem, p50 | mean |\n| --- |")
                .append(" --- |".repeat(sizes.size() + 2))
                .append('\n');
        for (String engine : results.engines(operation)) {
            out.append("| ").append(name(engine)).append(" |");
            sizes.forEach(size -> out.append(' ')
                    .append(results.get(operation, engine, size)
                            .map(ResultTables::cell)
                            .orElse(""))
                    .append(" |"));
            int largest = results.largest(operation);
            out.append(' ').append(beside(operation, engine, largest, false)).append(" | ");
            out.append(beside(operation, engine, largest, true)).append(" |\n");
        }
        return out.toString();
    }

    private String name(String engine) {
        return results.start(engine)
                .map(start -> engine + ", whose start takes " + QuantityFormat.time(start.p50()))
                .orElse(engine);
    }

    private static String cell(Measurement measured) {
        if (measured.rate()) {
            return QuantityFormat.rate(measured.mean());
        }
        return QuantityFormat.time(measured.p50()) + " / " + QuantityFormat.time(measured.mean()) + " / "
                + QuantityFormat.time(measured.p99());
    }

    /** How much more an engine takes than xmem, the start of its programs taken off. */
    private String beside(String operation, String engine, int entries, boolean mean) {
        Optional<Double> ratio = ratio(operation, engine, OURS, entries, mean, true);
        return ratio.map(QuantityFormat::ratio).orElse("");
    }

    /**
     * How much more one engine takes than another.
     *
     * @param withoutStart whether the start of programs is taken off
     */
    Optional<Double> ratio(
            String operation, String engine, String than, int entries, boolean mean, boolean withoutStart) {
        Optional<Measurement> one = results.get(operation, engine, entries);
        Optional<Measurement> other = results.get(operation, than, entries);
        if (one.isEmpty() || other.isEmpty()) {
            return Optional.empty();
        }
        double off = withoutStart
                ? results.start(engine).map(start -> of(start, mean)).orElse(0.0)
                : 0;
        double ratio = Math.max(0, of(one.get(), mean) - off) / of(other.get(), mean);
        return Optional.of(one.get().rate() ? 1 / ratio : ratio);
    }

    static double of(Measurement measured, boolean mean) {
        return mean ? measured.mean() : measured.p50();
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** How measurements were run, each setting once. */
    List<String> settings() {
        List<String> settings = new ArrayList<>();
        for (Measurement measured : results.all()) {
            if (!measured.setting().isEmpty() && !settings.contains(measured.setting())) {
                settings.add(measured.setting());
            }
        }
        return settings;
    }
}

package dev.xmem.benchmarks.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Renders one table per operation with one row per engine. */
final class ResultTables {
    private static final String REFERENCE = "xmem";

    private final Results results;

    ResultTables(Results results) {
        this.results = results;
    }

    String table(String operation) {
        List<Integer> sizes = List.copyOf(results.sizes(operation));
        StringBuilder out = new StringBuilder("\n### " + capital(operation) + "\n\n| engine |");
        sizes.forEach(size ->
                out.append(size == 0 ? " p50 / mean / p99 |" : String.format(Locale.ROOT, " %,d entries |", size)));
        out.append(" relative to xmem, p50 | mean |\n| --- |")
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
            out.append(' ').append(relative(operation, engine, largest, false)).append(" | ");
            out.append(relative(operation, engine, largest, true)).append(" |\n");
        }
        return out.toString();
    }

    private String name(String engine) {
        return results.startup(engine)
                .map(startup -> engine + " (startup " + QuantityFormat.time(startup.p50()) + ")")
                .orElse(engine);
    }

    private static String cell(Measurement measured) {
        if (measured.rate()) {
            return QuantityFormat.rate(measured.mean());
        }
        return QuantityFormat.time(measured.p50()) + " / " + QuantityFormat.time(measured.mean()) + " / "
                + QuantityFormat.time(measured.p99());
    }

    /** Returns the cost of an engine relative to xmem, without the startup of its programs. */
    private String relative(String operation, String engine, int entries, boolean mean) {
        Optional<Double> ratio = ratio(operation, engine, REFERENCE, entries, mean, true);
        return ratio.map(QuantityFormat::ratio).orElse("");
    }

    /**
     * Returns the cost of one engine relative to another.
     *
     * @param withoutStart whether to subtract the startup of programs
     */
    Optional<Double> ratio(
            String operation, String engine, String than, int entries, boolean mean, boolean withoutStart) {
        Optional<Measurement> measured = results.get(operation, engine, entries);
        Optional<Measurement> other = results.get(operation, than, entries);
        if (measured.isEmpty() || other.isEmpty()) {
            return Optional.empty();
        }
        double startup = withoutStart
                ? results.startup(engine).map(start -> of(start, mean)).orElse(0.0)
                : 0;
        double ratio = Math.max(0, of(measured.get(), mean) - startup) / of(other.get(), mean);
        return Optional.of(measured.get().rate() ? 1 / ratio : ratio);
    }

    static double of(Measurement measured, boolean mean) {
        return mean ? measured.mean() : measured.p50();
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** Returns the distinct JMH configurations. */
    List<String> configurations() {
        List<String> configurations = new ArrayList<>();
        for (Measurement measured : results.all()) {
            if (!measured.configuration().isEmpty() && !configurations.contains(measured.configuration())) {
                configurations.add(measured.configuration());
            }
        }
        return configurations;
    }
}

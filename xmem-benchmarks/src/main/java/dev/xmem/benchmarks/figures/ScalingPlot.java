package dev.xmem.benchmarks.figures;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Plots cost against store size on log-log axes as one SVG: a panel per operation, a line per engine. */
final class ScalingPlot {
    private static final List<String> COLOURS =
            List.of("#1766b3", "#c77d0a", "#2f8f4e", "#b3261e", "#7a4fa3", "#5f6b73", "#b0357f", "#8a6d3b", "#17a2a2");
    private static final int ACROSS = 3;
    private static final int WIDTH = 320;
    private static final int HEIGHT = 230;
    private static final int LEFT = 58;
    private static final int RIGHT = 16;
    private static final int TOP = 34;
    private static final int BOTTOM = 34;
    private static final int LEGEND = 34;

    private final Results results;
    private final List<String> engines;
    private final StringBuilder out = new StringBuilder();

    private ScalingPlot(Results results, List<String> operations) {
        this.results = results;
        Set<String> names = new LinkedHashSet<>();
        operations.forEach(operation -> names.addAll(results.engines(operation)));
        this.engines = List.copyOf(names);
    }

    /** Returns the plot of the operations measured at two or more sizes; empty if there is none. */
    static Optional<String> svg(Results results) {
        List<String> operations = results.operations().stream()
                .filter(operation -> results.sizes(operation).size() > 1)
                .filter(operation ->
                        results.all().stream().noneMatch(m -> m.operation().equals(operation) && m.rate()))
                .toList();
        return operations.isEmpty()
                ? Optional.empty()
                : Optional.of(new ScalingPlot(results, operations).draw(operations));
    }

    private String draw(List<String> operations) {
        int rows = (operations.size() + ACROSS - 1) / ACROSS;
        int across = Math.min(ACROSS, operations.size());
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                Math.max(across * WIDTH, engines.size() * 105 + 20), LEGEND + rows * HEIGHT);
        for (int i = 0; i < engines.size(); i++) {
            add(
                    "<rect x=\"%d\" y=\"14\" width=\"14\" height=\"4\" fill=\"%s\"/>%n",
                    12 + 105 * i, colour(engines.get(i)));
            text(30 + 105 * i, 20, "start", engines.get(i));
        }
        for (int i = 0; i < operations.size(); i++) {
            add("<g transform=\"translate(%d %d)\">%n", i % ACROSS * WIDTH, LEGEND + i / ACROSS * HEIGHT);
            panel(operations.get(i));
            add("</g>%n");
        }
        return out.append("</svg>\n").toString();
    }

    private String colour(String engine) {
        return COLOURS.get(engines.indexOf(engine) % COLOURS.size());
    }

    private void panel(String operation) {
        List<Measurement> all = results.all().stream()
                .filter(m -> m.operation().equals(operation) && m.p50() > 0)
                .toList();
        Axis across = Axis.of(all.stream().map(m -> (double) m.entries()).toList(), LEFT, WIDTH - RIGHT);
        Axis up = Axis.of(all.stream().map(Measurement::p50).toList(), HEIGHT - BOTTOM, TOP);
        text(LEFT / 4, 18, "start", operation);
        for (int power = up.least(); power <= up.most(); power++) {
            double y = up.at(Math.pow(10, power));
            add("<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n", LEFT, y, WIDTH - RIGHT, y);
            text(LEFT - 6, (int) y + 4, "end", power(power));
        }
        for (int size : results.sizes(operation)) {
            text((int) across.at(size), HEIGHT - BOTTOM + 18, "middle", String.format(Locale.ROOT, "%,d", size));
        }
        for (String engine : results.engines(operation)) {
            line(operation, engine, across, up);
        }
    }

    private void line(String operation, String engine, Axis across, Axis up) {
        List<String> points = new ArrayList<>();
        for (int size : results.sizes(operation)) {
            results.get(operation, engine, size)
                    .filter(m -> m.p50() > 0)
                    .ifPresent(m -> points.add(
                            String.format(Locale.ROOT, "%.1f,%.1f", across.at(m.entries()), up.at(m.p50()))));
        }
        add(
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n",
                colour(engine), String.join(" ", points));
        for (String point : points) {
            String[] xy = point.split(",");
            add("<circle cx=\"%s\" cy=\"%s\" r=\"2.5\" fill=\"%s\"/>%n", xy[0], xy[1], colour(engine));
        }
    }

    /** Formats a power of ten of microseconds. */
    private static String power(int power) {
        if (power < 0) {
            return String.format(Locale.ROOT, "%." + -power + "f µs", Math.pow(10, power));
        }
        String unit = power < 3 ? "µs" : power < 6 ? "ms" : "s";
        return "1" + "0".repeat(Math.floorMod(power, 3)) + ("s".equals(unit) ? "0".repeat(3 * (power / 3 - 2)) : "")
                + " " + unit;
    }

    private void text(int x, int y, String anchor, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, escaped);
    }

    private void add(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values));
    }

    /**
     * A logarithmic axis between two coordinates.
     *
     * @param least the lowest power of ten
     * @param most the highest power of ten
     */
    private record Axis(int least, int most, int from, int to) {
        static Axis of(List<Double> values, int from, int to) {
            double least = values.stream().mapToDouble(v -> v).min().orElse(1);
            double most = values.stream().mapToDouble(v -> v).max().orElse(10);
            int low = (int) Math.floor(Math.log10(least));
            return new Axis(low, Math.max(low + 1, (int) Math.ceil(Math.log10(most))), from, to);
        }

        double at(double value) {
            return from + (to - from) * (Math.log10(value) - least) / (most - least);
        }
    }
}

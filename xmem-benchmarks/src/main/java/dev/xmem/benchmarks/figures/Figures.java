package dev.xmem.benchmarks.figures;

import dev.xmem.benchmarks.AnswerOverlap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes the results of the benchmarks into {@code BENCHMARKS.md}, between two markers, and plots cost against size
 * beside it. Run it on the machine that ran the benchmarks.
 *
 * <pre>
 * java -cp benchmarks.jar dev.xmem.benchmarks.figures.Figures RESULTS docs [FOLDER]
 * </pre>
 *
 * {@code RESULTS} is a folder with the JSON results of JMH and {@code OpenTime}. {@code FOLDER} is the benchmark
 * parameter of that name.
 */
public final class Figures {
    static final String BEGIN = "<!-- figures: begin -->";
    static final String END = "<!-- figures: end -->";

    private static final String PLOT = "cost-against-size.svg";

    private Figures() {}

    /** Arguments: the results, the folder of the page, and the folder of the datasets. */
    public static void main(String[] args) throws IOException {
        Path docs = Path.of(args[1]);
        Results results = Results.read(Path.of(args[0]));
        Optional<String> plot = ScalingPlot.svg(results);
        if (plot.isPresent()) {
            Files.writeString(docs.resolve(PLOT), plot.get());
        }
        String overlap = overlap(results, args.length > 2 ? args[2] : "");
        String figures = "\n" + wrap(MachineInfo.text()) + configurations(results) + GoalTable.table(results) + overlap
                + (plot.isPresent() ? "\n![Cost against size, by engine](" + PLOT + ")\n" : "")
                + tables(results) + "\n";
        Path page = docs.resolve("BENCHMARKS.md");
        Files.writeString(page, replaceFigures(Files.readString(page), figures));
    }

    /** Returns the page with the text between the markers replaced. */
    static String replaceFigures(String page, String figures) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END, begin);
        if (begin < 0 || end < 0) {
            throw new IllegalArgumentException("the page must contain " + BEGIN + " and " + END);
        }
        return page.substring(0, begin + BEGIN.length()) + figures + page.substring(end);
    }

    /** Wraps a text at spaces into lines of at most 120 characters. */
    static String wrap(String text) {
        return text.replaceAll("(.{1,120})(?: |$)", "$1\n");
    }

    private static String configurations(Results results) {
        List<String> configurations = new ResultTables(results).configurations();
        return configurations.isEmpty() ? "" : wrap("JMH: " + String.join("; ", configurations) + ".");
    }

    private static String tables(Results results) {
        ResultTables tables = new ResultTables(results);
        StringBuilder out = new StringBuilder();
        for (String operation : results.operations()) {
            if (!operation.equals(Measurement.START)) {
                out.append(tables.table(operation));
            }
        }
        return out.toString();
    }

    private static String overlap(Results results, String folder) throws IOException {
        Set<String> engines = new LinkedHashSet<>();
        Set<Integer> sizes = new TreeSet<>();
        results.all().forEach(measurement -> {
            engines.add(measurement.engine());
            sizes.add(measurement.entries());
        });
        sizes.remove(0);
        StringBuilder out = new StringBuilder();
        for (int size : sizes) {
            AnswerOverlap.sentences(folder, size, engines)
                    .forEach(sentence -> out.append("- ").append(sentence).append('\n'));
        }
        return out.isEmpty() ? "" : "\n" + out;
    }
}

package dev.xmem.benchmarks.figures;

import dev.xmem.benchmarks.QueryType;
import java.util.Locale;
import java.util.Map;

/**
 * The cost of one operation of one engine at one store size.
 *
 * @param entries the store size; 0 if the operation has no store
 * @param rate whether the figures are operations per second; otherwise they are microseconds
 * @param configuration the JMH configuration, as text
 */
record Measurement(
        String operation,
        String engine,
        int entries,
        boolean rate,
        double p50,
        double mean,
        double p99,
        String configuration) {
    static final String START = "startup of the program";
    static final String OPEN = "open and query, new JVM";
    static final String OPEN_ARCHIVE = "open and query, new JVM, CDS archive";
    static final String EMPTY_JVM = "empty JVM";

    /** Converts a result in the format of JMH. */
    static Measurement of(Map<?, ?> result) {
        String benchmark = text(result, "benchmark");
        String name = benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
        Map<?, ?> params = object(result, "params");
        Map<?, ?> metric = object(result, "primaryMetric");
        Map<?, ?> percentiles = object(metric, "scorePercentiles");
        String unit = text(metric, "scoreUnit");
        double scale = scale(unit);
        return new Measurement(
                operation(name, params),
                engine(name, params),
                (int) number(params, "entries"),
                unit.startsWith("ops/"),
                scale * number(percentiles, "50.0"),
                scale * number(metric, "score"),
                scale * number(percentiles, "99.0"),
                configuration(result));
    }

    private static String operation(String name, Map<?, ?> params) {
        return switch (name) {
            case "AppendBenchmark.append" -> "append";
            case "AppendGroupBenchmark.threads16" -> "append, group commit, 16 threads";
            case "AppendGroupBenchmark.threads64" -> "append, group commit, 64 threads";
            case "RecallBenchmark.advice" -> "advice for a failure";
            case "RecallBenchmark.page" -> "newest 70 of a context hash, skewed";
            case "SearchBenchmark.search", "SearchRankedBenchmark.search" ->
                QueryType.valueOf(text(params, "query")).label();
            case "SearchStartBenchmark.start" -> START;
            case "OpenTime.open" -> text(params, "archive").equals("true") ? OPEN_ARCHIVE : OPEN;
            case "CompactBenchmark.compact", "CompactBenchmark.copy" -> "compaction";
            case "HashBenchmark.hash" -> "context hash of an error";
            default -> name;
        };
    }

    private static String engine(String name, Map<?, ?> params) {
        String program = text(params, "program");
        return switch (name) {
            case "CompactBenchmark.compact" -> "xmem";
            case "CompactBenchmark.copy" -> "copy of the log";
            case "SearchStartBenchmark.start" -> program.equals("rg") ? "ripgrep" : program;
            default -> text(params, "engine").isEmpty() ? "xmem" : text(params, "engine");
        };
    }

    private static String configuration(Map<?, ?> result) {
        return result.get("forks") == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%.0f fork, warm-up %.0f × %s, measurement %.0f × %s",
                        number(result, "forks"),
                        number(result, "warmupIterations"),
                        text(result, "warmupTime"),
                        number(result, "measurementIterations"),
                        text(result, "measurementTime"));
    }

    /** Returns the factor to microseconds, or to operations per second. */
    private static double scale(String unit) {
        return switch (unit) {
            case "ns/op" -> 1e-3;
            case "us/op" -> 1;
            case "ms/op" -> 1e3;
            case "s/op" -> 1e6;
            case "ops/us" -> 1e6;
            case "ops/ms" -> 1e3;
            case "ops/s" -> 1;
            default -> throw new IllegalArgumentException("unknown unit: " + unit);
        };
    }

    private static Map<?, ?> object(Map<?, ?> from, String name) {
        return from.get(name) instanceof Map<?, ?> map ? map : Map.of();
    }

    private static String text(Map<?, ?> from, String name) {
        return from.get(name) instanceof String text ? text : "";
    }

    /** Reads a number: parameters are strings, scores are numbers, a missing value is 0. */
    private static double number(Map<?, ?> from, String name) {
        Object value = from.get(name);
        return value instanceof Double number ? number : value instanceof String text ? Double.parseDouble(text) : 0;
    }
}

package dev.xmem.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes measurements that are not JMH benchmarks in the JSON format of JMH. */
final class JmhResultFile {
    private static final List<Double> PERCENTILES = List.of(0.0, 25.0, 50.0, 75.0, 90.0, 99.0, 100.0);

    private JmhResultFile() {}

    /**
     * One measurement.
     *
     * @param values one value per repetition
     */
    record Row(String benchmark, Map<String, String> params, String unit, List<Double> values) {}

    static void write(Path file, List<Row> rows) throws IOException {
        try (JsonGenerator out =
                new JsonFactory().createGenerator(Files.newBufferedWriter(file)).useDefaultPrettyPrinter()) {
            out.writeStartArray();
            for (Row row : rows) {
                write(row, out);
            }
            out.writeEndArray();
        }
    }

    private static void write(Row row, JsonGenerator out) throws IOException {
        List<Double> sorted = row.values().stream().sorted().toList();
        out.writeStartObject();
        out.writeStringField("benchmark", row.benchmark());
        out.writeStringField("mode", "ss");
        out.writeStringField("jdkVersion", System.getProperty("java.version"));
        out.writeStringField("vmName", System.getProperty("java.vm.name"));
        out.writeObjectFieldStart("params");
        for (Map.Entry<String, String> param : row.params().entrySet()) {
            out.writeStringField(param.getKey(), param.getValue());
        }
        out.writeEndObject();
        out.writeObjectFieldStart("primaryMetric");
        double sum = sorted.stream().mapToDouble(value -> value).sum();
        out.writeNumberField("score", sum / sorted.size());
        out.writeObjectFieldStart("scorePercentiles");
        for (double percentile : PERCENTILES) {
            int at = (int) Math.round(percentile / 100 * (sorted.size() - 1));
            out.writeNumberField(String.valueOf(percentile), sorted.get(at));
        }
        out.writeEndObject();
        out.writeStringField("scoreUnit", row.unit());
        out.writeEndObject();
        out.writeEndObject();
    }
}

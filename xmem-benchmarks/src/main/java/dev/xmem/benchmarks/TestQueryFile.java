package dev.xmem.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Stores queries and answers as NDJSON, so that the expected answers of a dataset are computed once. */
final class TestQueryFile {
    private TestQueryFile() {}

    static void write(Path file, Map<QueryType, List<TestQuery>> queries) throws IOException {
        List<String> lines = new ArrayList<>();
        for (List<TestQuery> all : queries.values()) {
            for (TestQuery query : all) {
                lines.add(line(query));
            }
        }
        Files.write(file, lines);
    }

    private static String line(TestQuery query) throws IOException {
        StringWriter line = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(line)) {
            out.writeStartObject();
            out.writeStringField("type", query.type().name());
            out.writeStringField("text", query.text());
            out.writeArrayFieldStart("ids");
            for (String id : query.ids()) {
                out.writeString(id);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return line.toString();
    }

    static Map<QueryType, List<TestQuery>> read(Path file) throws IOException {
        LineParser parser = new LineParser();
        Map<QueryType, List<TestQuery>> queries = new EnumMap<>(QueryType.class);
        for (String line : Files.readAllLines(file)) {
            Map<String, Object> fields = parser.fields(line.getBytes(StandardCharsets.UTF_8));
            QueryType type = QueryType.valueOf((String) fields.getOrDefault("type", ""));
            List<String> ids = fields.get("ids") instanceof List<?> list
                    ? list.stream().map(String.class::cast).toList()
                    : List.of();
            queries.computeIfAbsent(type, key -> new ArrayList<>())
                    .add(new TestQuery(type, (String) fields.getOrDefault("text", ""), ids));
        }
        return queries;
    }
}

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

/** Questions and answers as lines of JSON, so that they are worked out once for a number of entries. */
final class QuestionFile {
    private QuestionFile() {}

    static void write(Path file, Map<Ask, List<Question>> questions) throws IOException {
        List<String> lines = new ArrayList<>();
        for (List<Question> all : questions.values()) {
            for (Question question : all) {
                lines.add(line(question));
            }
        }
        Files.write(file, lines);
    }

    private static String line(Question question) throws IOException {
        StringWriter line = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(line)) {
            out.writeStartObject();
            out.writeStringField("ask", question.ask().name());
            out.writeStringField("text", question.text());
            out.writeArrayFieldStart("ids");
            for (String id : question.ids()) {
                out.writeString(id);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return line.toString();
    }

    static Map<Ask, List<Question>> read(Path file) throws IOException {
        LineParser parser = new LineParser();
        Map<Ask, List<Question>> questions = new EnumMap<>(Ask.class);
        for (String line : Files.readAllLines(file)) {
            Map<String, Object> fields = parser.fields(line.getBytes(StandardCharsets.UTF_8));
            Ask ask = Ask.valueOf((String) fields.getOrDefault("ask", ""));
            List<String> ids = fields.get("ids") instanceof List<?> list
                    ? list.stream().map(String.class::cast).toList()
                    : List.of();
            questions
                    .computeIfAbsent(ask, key -> new ArrayList<>())
                    .add(new Question(ask, (String) fields.getOrDefault("text", ""), ids));
        }
        return questions;
    }
}

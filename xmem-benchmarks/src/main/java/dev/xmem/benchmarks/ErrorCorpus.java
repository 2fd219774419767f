package dev.xmem.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Reads real failures, each labelled with its scenario, and search requests that paraphrase them. */
final class ErrorCorpus {
    private ErrorCorpus() {}

    /** One failure. Events of one scenario are the same failure with other names. An empty group means none. */
    record Event(String scenario, String tool, String action, String error, int exitCode, String group) {}

    /** A search request and the scenarios that answer it. */
    record Request(String words, Set<String> relevant) {}

    /** Reads the failures of a resource, or of a file if the name contains a slash. */
    static List<Event> events(String name) throws IOException {
        List<Event> events = new ArrayList<>();
        for (Map<String, String> fields : lines(name)) {
            events.add(new Event(
                    text(fields, "scenario"),
                    text(fields, "tool"),
                    text(fields, "action"),
                    text(fields, "error"),
                    Integer.parseInt(fields.getOrDefault("exit_code", "1")),
                    text(fields, "group")));
        }
        return events;
    }

    /** Groups failures by scenario, in file order. */
    static Map<String, List<Event>> byScenario(List<Event> events) {
        Map<String, List<Event>> scenarios = new LinkedHashMap<>();
        events.forEach(event -> scenarios
                .computeIfAbsent(event.scenario(), scenario -> new ArrayList<>())
                .add(event));
        return scenarios;
    }

    /** Reads the requests of a resource. */
    static List<Request> requests(String name) throws IOException {
        List<Request> requests = new ArrayList<>();
        for (Map<String, String> fields : lines(name)) {
            requests.add(new Request(
                    text(fields, "q"), Set.of(text(fields, "relevant").split("\n"))));
        }
        return requests;
    }

    private static String text(Map<String, String> fields, String name) {
        return fields.getOrDefault(name, "");
    }

    private static List<Map<String, String>> lines(String name) throws IOException {
        List<Map<String, String>> lines = new ArrayList<>();
        try (InputStream in = name.indexOf('/') < 0
                ? Objects.requireNonNull(ErrorCorpus.class.getResourceAsStream(name), name)
                : Files.newInputStream(Path.of(name))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                lines.add(fields(line));
            }
        }
        return lines;
    }

    /** Parses one line: a scalar as text, an array as its items separated by newlines. */
    private static Map<String, String> fields(String line) throws IOException {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser json = new JsonFactory().createParser(line)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                List<String> items = new ArrayList<>();
                if (json.nextToken() == JsonToken.START_ARRAY) {
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        items.add(json.getText());
                    }
                } else {
                    items.add(json.getText());
                }
                fields.put(name, String.join("\n", items));
            }
        }
        return fields;
    }
}

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

/** Real failures, each with the scenario it is one of, and requests in other words. */
final class ErrorCorpus {
    private ErrorCorpus() {}

    /** One failure; equal scenarios are the same failure with other names. */
    record Event(String scenario, String tool, String action, String error, int exitCode) {}

    /** What somebody types, and the scenarios that answer it. */
    record Request(String words, Set<String> relevant) {}

    /** The failures of the resource of this name, or of a file. */
    static List<Event> events(String name) throws IOException {
        List<Event> events = new ArrayList<>();
        for (Map<String, String> fields : lines(name)) {
            events.add(new Event(
                    text(fields, "scenario"),
                    text(fields, "tool"),
                    text(fields, "action"),
                    text(fields, "error"),
                    Integer.parseInt(fields.getOrDefault("exit_code", "1"))));
        }
        return events;
    }

    /** The failures by scenario, in the order of the file. */
    static Map<String, List<Event>> byScenario(List<Event> events) {
        Map<String, List<Event>> scenarios = new LinkedHashMap<>();
        events.forEach(event -> scenarios
                .computeIfAbsent(event.scenario(), scenario -> new ArrayList<>())
                .add(event));
        return scenarios;
    }

    /** The requests of the resource of this name. */
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

    /** Scalars as text, the items of an array a line each. */
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

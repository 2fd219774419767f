package dev.xmem.core.text.hash;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Real errors of real tools, each with the scenario it is one of; names, paths and ports differ within a scenario. */
public final class ErrorCorpus {
    static final String DEV = "cli-errors-dev.jsonl";
    public static final String COLLECTED = "cli-errors-collected.jsonl";
    public static final String COLLECTED_LATER = "cli-errors-collected-2.jsonl";

    /** Failures of what agents call besides Linux programs: HTTP APIs, SQL, browsers, validators, builds, locales. */
    public static final String AGENTS = "agent-errors-a.jsonl";

    /** The same of other services and programs. */
    public static final String AGENTS_LEFT_OUT = "agent-errors-b.jsonl";

    /** Answers of services through the clients of eight languages, and failures of the JVM's tools and libraries. */
    static final String SERVICES = "service-errors.jsonl";

    /** The same of other services and libraries, left out while rules were written from the others. */
    static final String SERVICES_LEFT_OUT = "service-errors-left-out.jsonl";

    /** Failures of more services through their own libraries, and of libraries of the JVM from runs. */
    static final String SERVICES_LATER = "service-errors-2.jsonl";

    /** The same of other services and libraries. */
    static final String SERVICES_LATER_LEFT_OUT = "service-errors-2-left-out.jsonl";

    /** Failures of agents' tools of every group, written by authors who had not read the rules; most come from runs. */
    static final String AGENTS_LATER = "agent-errors-d.jsonl";

    /** The same of other services and programs. */
    static final String AGENTS_LATER_LEFT_OUT = "agent-errors-d-left-out.jsonl";

    private ErrorCorpus() {}

    /** One error; equal scenarios should have equal hashes. */
    public record Event(String scenario, String tool, String action, String error, int exitCode) {}

    public static List<Event> read(String name) {
        List<Event> events = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(ErrorCorpus.class.getResourceAsStream(name)), StandardCharsets.UTF_8))) {
            String line;
            while ((line = lines.readLine()) != null) {
                events.add(event(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return events;
    }

    private static Event event(String line) throws IOException {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser json = new JsonFactory().createParser(line)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                fields.put(name, json.getText());
            }
        }
        return new Event(
                fields.getOrDefault("scenario", ""),
                fields.getOrDefault("tool", ""),
                fields.getOrDefault("action", ""),
                fields.getOrDefault("error", ""),
                Integer.parseInt(fields.getOrDefault("exit_code", "1")));
    }
}

package dev.xmem.hooks.dialect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The members of an event, one JSON object. Keeps every member as text, objects and arrays as their JSON. Immutable.
 */
public final class EventFields {
    /** The length of a text is not limited here: whoever reads an event limits the whole. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final Map<String, String> members;

    private EventFields(Map<String, String> members) {
        this.members = members;
    }

    /**
     * Reads an event.
     *
     * @throws IOException if the bytes are not one JSON object
     */
    public static EventFields read(byte[] event) throws IOException {
        try (JsonParser parser = JSON.createParser(event)) {
            Map<String, String> members = members(parser);
            if (parser.nextToken() != null) {
                throw new IOException("the input of a hook must be one JSON object, there is more after it");
            }
            return new EventFields(members);
        } catch (StreamConstraintsException e) {
            throw new IOException("the event is nested too deeply, or has a name or a number that is too long", e);
        } catch (JsonProcessingException e) {
            JsonLocation place = e.getLocation();
            String line = place.getLineNr() > 1 ? "line " + place.getLineNr() + ", " : "";
            throw new IOException("the event is not JSON (" + line + "character " + place.getColumnNr() + ")", e);
        }
    }

    private static Map<String, String> members(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new IOException("the input of a hook must be a JSON object");
        }
        Map<String, String> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value != JsonToken.VALUE_NULL) {
                members.put(name, value.isStructStart() ? json(parser) : parser.getText());
            }
        }
        return members;
    }

    private static String json(JsonParser parser) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator copy = JSON.createGenerator(text)) {
            copy.copyCurrentStructure(parser);
        }
        return text.toString();
    }

    /** The names of the members. */
    public List<String> names() {
        return List.copyOf(members.keySet());
    }

    /** The event without one of its members. */
    public EventFields without(String name) {
        Map<String, String> others = new LinkedHashMap<>(members);
        others.remove(name);
        return new EventFields(others);
    }

    /** Whether the event has this member, and it is not null. */
    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** The first of these members that the event has; empty if it has none. */
    public String text(String... names) {
        for (String name : names) {
            if (has(name)) {
                return members.get(name);
            }
        }
        return "";
    }

    /** A member of a JSON object; empty if it has none, or the text is not a JSON object. */
    static String member(String object, String name) throws IOException {
        if (!object.startsWith("{")) {
            return "";
        }
        try (JsonParser parser = JSON.createParser(object)) {
            return members(parser).getOrDefault(name, "");
        } catch (JsonProcessingException e) {
            return "";
        }
    }

    /** The strings of a JSON array; empty if the text is something else. */
    static List<String> strings(String array) throws IOException {
        List<String> strings = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(array)) {
            boolean all = parser.nextToken() == JsonToken.START_ARRAY;
            while (all && parser.nextToken() != JsonToken.END_ARRAY) {
                all = parser.currentToken() == JsonToken.VALUE_STRING;
                strings.add(parser.getText());
            }
            return all ? strings : List.of();
        } catch (JsonProcessingException e) {
            return List.of();
        }
    }
}

package dev.xmem.page;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the answers of the page, and reads entries and requests as maps, lists, strings, numbers and booleans. */
final class Json {
    private static final int MAX_DEPTH = 64;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(8 << 20)
                    .build())
            .build();

    private Json() {}

    /** Writes the members of an object, or the items of an array. */
    interface Part {
        void write(JsonGenerator out) throws IOException;
    }

    static String object(Part members) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            object(out, members);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    static void object(JsonGenerator out, Part members) throws IOException {
        out.writeStartObject();
        members.write(out);
        out.writeEndObject();
    }

    static void object(JsonGenerator out, String name, Part members) throws IOException {
        out.writeFieldName(name);
        object(out, members);
    }

    /** Writes one object for each item. */
    static <T> void array(JsonGenerator out, String name, Iterable<T> items, Item<T> each) throws IOException {
        out.writeArrayFieldStart(name);
        for (T item : items) {
            object(out, o -> each.write(o, item));
        }
        out.writeEndArray();
    }

    /** Writes the members of one item. */
    interface Item<T> {
        void write(JsonGenerator out, T item) throws IOException;
    }

    static void texts(JsonGenerator out, String name, Iterable<String> texts, int most) throws IOException {
        out.writeArrayFieldStart(name);
        for (String text : texts) {
            out.writeString(shown(text, most));
        }
        out.writeEndArray();
    }

    /** A stored text: visible characters only, at most this many. */
    static void text(JsonGenerator out, String name, @Nullable String text, int most) throws IOException {
        if (text != null) {
            out.writeStringField(name, shown(text, most));
        }
    }

    static void time(JsonGenerator out, String name, @Nullable Instant time) throws IOException {
        if (time != null && !time.equals(Instant.EPOCH)) {
            out.writeStringField(name, time.toString());
        }
    }

    /** Writes an object, an array, a number or a text; a constant in lower case. */
    static void value(JsonGenerator out, Object value) throws IOException {
        if (value instanceof Map<?, ?> fields) {
            out.writeStartObject();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                out.writeFieldName(String.valueOf(field.getKey()));
                value(out, field.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof Iterable<?> items) {
            out.writeStartArray();
            for (Object item : items) {
                value(out, item);
            }
            out.writeEndArray();
        } else if (value instanceof Number) {
            out.writeNumber(value.toString());
        } else {
            String text = String.valueOf(value);
            out.writeString(value instanceof Enum<?> ? text.toLowerCase(Locale.ROOT) : text);
        }
    }

    /** Removes invisible characters; a text that is cut ends with an ellipsis. */
    static String shown(String text, int most) {
        // The invisible characters may be many times as long as the visible ones.
        String head = text.length() > 8L * most ? text.substring(0, 8 * most) : text;
        String visible = XMem.visible(head);
        int end = Math.min(visible.length(), most);
        if (end == visible.length() && head.length() == text.length()) {
            return visible;
        }
        end -= end > 0 && Character.isHighSurrogate(visible.charAt(end - 1)) ? 1 : 0;
        return visible.substring(0, end) + "…";
    }

    /**
     * Reads one object.
     *
     * @throws IOException if the text is not exactly one JSON object
     */
    static Map<String, Object> read(String text) throws IOException {
        try (JsonParser in = FACTORY.createParser(text)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("is not a JSON object");
            }
            Map<String, Object> object = members(in);
            if (in.nextToken() != null) {
                throw new IOException("has more than one JSON object");
            }
            return object;
        }
    }

    private static Map<String, Object> members(JsonParser in) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            Object value = value(in);
            if (value != null) {
                members.put(name, value);
            }
        }
        return members;
    }

    private static @Nullable Object value(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_OBJECT -> members(in);
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    Object item = value(in);
                    if (item != null) {
                        items.add(item);
                    }
                }
                yield items;
            }
            case VALUE_NULL -> null;
            case VALUE_TRUE, VALUE_FALSE -> in.getBooleanValue();
            case VALUE_STRING -> in.getText();
            default -> in.getNumberValue();
        };
    }
}

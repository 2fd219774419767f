package dev.xmem.core.base.json;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One stored line and the id it is shown under. Immutable; its fields are parsed when the first is asked for. */
final class LazyJsonLine {
    private final LineCodec codec;
    private final byte[] bytes;
    private final String id;
    private volatile @Nullable Map<String, Object> fields;

    LazyJsonLine(LineCodec codec, byte[] bytes, String id) {
        this.codec = codec;
        this.bytes = bytes;
        this.id = id;
    }

    String id() {
        return id;
    }

    String json() {
        int end = bytes.length;
        while (end > 0 && (bytes[end - 1] == '\r' || bytes[end - 1] == ' ')) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    Instant ts() {
        return Instant.ofEpochMilli(Math.max(0, LineCodec.millis(textOrNull("ts"))));
    }

    /** The field as text; empty if it is missing. */
    String text(String field) {
        String text = textOrNull(field);
        return text == null ? "" : text;
    }

    /** The field as text; null if it is missing. */
    @Nullable String textOrNull(String field) {
        Object value = fields().get(field);
        if (value instanceof RawJson raw) {
            return raw.text();
        }
        return value instanceof List<?> list ? list.toString() : (String) value;
    }

    /** The field as a list; one text stands for a list of one. */
    List<String> texts(String field) {
        Object value = fields().get(field);
        if (value instanceof List<?> list) {
            List<String> texts = new ArrayList<>(list.size());
            for (Object text : list) {
                texts.add((String) text);
            }
            return Collections.unmodifiableList(texts);
        }
        return value instanceof String text ? List.of(text) : List.of();
    }

    /** The field as a JSON object; the other text if it is missing or something else. */
    @Nullable String object(String field, @Nullable String otherwise) {
        return fields().get(field) instanceof RawJson raw && raw.text().startsWith("{") ? raw.text() : otherwise;
    }

    /** The field as a number; the other one if it is missing or no number. */
    double number(String field, double otherwise) {
        try {
            String text = textOrNull(field);
            double number = text == null ? otherwise : Double.parseDouble(text);
            return Double.isNaN(number) ? otherwise : number;
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** A text field of an object field; empty if it is missing. */
    String inner(String field, String name) {
        String object = object(field, null);
        if (object == null) {
            return "";
        }
        try {
            Object value = codec.fields(object.getBytes(StandardCharsets.UTF_8)).get(name);
            return value instanceof String text ? text : "";
        } catch (MalformedLineException e) {
            return "";
        }
    }

    private Map<String, Object> fields() {
        Map<String, Object> parsed = fields;
        if (parsed == null) {
            try {
                parsed = codec.fields(bytes);
            } catch (MalformedLineException e) {
                parsed = Map.of();
            }
            fields = parsed;
        }
        return parsed;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LazyJsonLine line && id.equals(line.id) && Arrays.equals(bytes, line.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return json();
    }
}

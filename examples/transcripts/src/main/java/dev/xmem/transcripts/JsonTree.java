package dev.xmem.transcripts;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One line of a transcript, or one element of a document, as maps, lists, strings, numbers and booleans. */
final class JsonTree {
    /** The most characters of the strings of a line; one that has more is skipped and counted. */
    private static final int MAX_CHARS = 4 << 20;

    private static final int MAX_DEPTH = 64;
    static final int MAX_CALL_CHARS = 4096;
    private static final int MAX_VALUE_CHARS = 400;
    private static final long MILLIS_FROM = 100_000_000_000L;

    static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxStringLength(MAX_CHARS).build())
            .build();

    private final JsonParser parser;
    private final Set<String> skipped;
    private long chars;

    private JsonTree(JsonParser parser, Set<String> skipped) {
        this.parser = parser;
        this.skipped = skipped;
    }

    /** Reads the value at the parser, without the members of these names. */
    static @Nullable Object read(JsonParser parser, Set<String> skipped) throws IOException {
        return new JsonTree(parser, skipped).read(0);
    }

    private @Nullable Object read(int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            return null;
        }
        if (depth > MAX_DEPTH) {
            parser.skipChildren();
            return null;
        }
        return switch (token) {
            case START_OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    if (skipped.contains(name)) {
                        parser.skipChildren();
                        continue;
                    }
                    Object value = read(depth + 1);
                    if (value != null) {
                        members.put(name, value);
                    }
                }
                yield members;
            }
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY && parser.currentToken() != null) {
                    Object value = read(depth + 1);
                    if (value != null) {
                        elements.add(value);
                    }
                }
                yield elements;
            }
            case VALUE_STRING -> text();
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? parser.getText()
                        : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private String text() throws IOException {
        String text = parser.getText();
        chars += text.length();
        if (chars > MAX_CHARS) {
            throw new StreamConstraintsException("the strings of a line have more than " + MAX_CHARS + " characters");
        }
        return text;
    }

    /** Reads a text that is JSON; null if it is none. */
    static @Nullable Object parse(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            return read(parser, Set.of());
        } catch (IOException e) {
            return null;
        }
    }

    /** A value as JSON. */
    static String json(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            write(value, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(Object value, JsonGenerator out) throws IOException {
        if (value instanceof Map<?, ?> members) {
            out.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.writeFieldName(String.valueOf(member.getKey()));
                write(member.getValue(), out);
            }
            out.writeEndObject();
        } else if (value instanceof List<?> elements) {
            out.writeStartArray();
            for (Object element : elements) {
                write(element, out);
            }
            out.writeEndArray();
        } else {
            out.writeObject(value);
        }
    }

    /** A value as JSON; if that is long, its long strings are cut. */
    static String shortJson(Object value) {
        String json = json(value);
        return json.length() <= MAX_CALL_CHARS ? json : head(json(shortened(value)), MAX_CALL_CHARS);
    }

    private static Object shortened(Object value) {
        if (value instanceof String text) {
            return text.length() <= MAX_VALUE_CHARS ? text : head(text, MAX_VALUE_CHARS) + '…';
        } else if (value instanceof List<?> elements) {
            return elements.stream().map(JsonTree::shortened).toList();
        } else if (value instanceof Map<?, ?> members) {
            Map<String, Object> cut = new LinkedHashMap<>();
            members.forEach((name, member) -> cut.put(String.valueOf(name), shortened(member)));
            return cut;
        }
        return value;
    }

    /** The beginning of a text; never ends inside a surrogate pair. */
    static String head(String text, int chars) {
        if (text.length() <= chars) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(chars - 1)) ? chars - 1 : chars);
    }

    /** A member that is an object; empty if there is none. */
    static Map<String, Object> object(Map<String, Object> of, String name) {
        return asObject(of.get(name));
    }

    @SuppressWarnings("unchecked") // read() makes no other maps
    static Map<String, Object> asObject(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    /** A member that is an array; empty if there is none. */
    static List<?> array(Map<String, Object> of, String name) {
        return of.get(name) instanceof List<?> list ? list : List.of();
    }

    /** The first member of these names that is a string; empty if there is none. */
    static String text(Map<String, Object> of, String... names) {
        for (String name : names) {
            if (of.get(name) instanceof String text) {
                return text;
            }
        }
        return "";
    }

    /** A member that is a whole number, or the text of one; null if there is none. */
    static @Nullable Integer code(Map<String, Object> of, String name) {
        Object value = of.get(name);
        if (value instanceof Number number) {
            return number.intValue();
        }
        return value instanceof String text && text.matches("-?\\d{1,9}") ? Integer.valueOf(text) : null;
    }

    /** The texts of a string, or of an array of parts with a text each, joined by line ends. */
    static String texts(@Nullable Object content) {
        if (content instanceof String text) {
            return text;
        }
        List<String> texts = new ArrayList<>();
        if (content instanceof List<?> parts) {
            for (Object part : parts) {
                String text = part instanceof String plain ? plain : text(asObject(part), "text");
                if (!text.isEmpty()) {
                    texts.add(text);
                }
            }
        }
        return String.join("\n", texts);
    }

    /** A time as text, in seconds or in milliseconds; null if it is none. */
    static @Nullable Instant time(@Nullable Object value) {
        try {
            if (value instanceof String text) {
                if (text.endsWith("Z")) {
                    return Instant.parse(text);
                }
                boolean zoned = text.matches(".*[+-]\\d\\d:\\d\\d");
                return zoned
                        ? OffsetDateTime.parse(text).toInstant()
                        : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
            } else if (value instanceof Number number) {
                double given = number.doubleValue();
                return given >= MILLIS_FROM
                        ? Instant.ofEpochMilli((long) given)
                        : Instant.ofEpochMilli((long) (given * 1000));
            }
        } catch (DateTimeException e) {
            return null;
        }
        return null;
    }
}

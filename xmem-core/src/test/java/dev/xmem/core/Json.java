package dev.xmem.core;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JSON as maps and lists, read by as little code as possible: what a test compares the engine with. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** One JSON object. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(byte[] text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("goes on after the value");
            }
            return (Map<String, Object>) Objects.requireNonNull(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One JSON object. */
    public static Map<String, Object> object(String text) {
        return object(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The objects of a file that has one on each line. */
    public static List<Map<String, Object>> lines(Path log) {
        List<Map<String, Object>> objects = new ArrayList<>();
        try {
            for (String line : Files.readString(log).split("\n")) {
                objects.add(object(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return objects;
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new IllegalArgumentException("there is no value");
        }
        return switch (token) {
            case START_OBJECT -> members(parser);
            case START_ARRAY -> items(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new BigDecimal(parser.getText());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static Map<String, @Nullable Object> members(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            members.put(name, value(parser));
        }
        return members;
    }

    private static List<@Nullable Object> items(JsonParser parser) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return items;
    }
}

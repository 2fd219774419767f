package dev.xmem.core.base.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.xmem.Directive;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON in any form, with a streaming parser, whose sixty classes are loaded when it is first needed: to open a store
 * and to show lines as a store writes them takes {@link LineFields} only. Its buffers are in a pool of its own, not in
 * thread-locals, so that no thread keeps them, or a class loader, alive. Thread-safe.
 */
final class JsonText {
    private static final String UNKNOWN_WORD = "Unrecognized token";
    private static final String TOO_DEEP = "Document nesting depth";
    /** What the parser appends: a position in bytes that the caller does not see. */
    private static final Pattern LOCATION = Pattern.compile("\n| \\(start marker at ");

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(LineCodec.READ_NESTING)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(100_000)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonText() {}

    /** The fields of an object, as {@link LineCodec#fields} has them. */
    static Map<String, Object> fields(byte[] bytes, BinaryOperator<String> text, boolean cleanKeys)
            throws MalformedLineException {
        Map<String, Object> fields = new LinkedHashMap<>();
        read(bytes, 0, bytes.length, (name, parser) -> {
            String key = cleanKeys && !Schema.names(name) ? text.apply("", name) : name;
            Object value = value(parser, text);
            if (value == null) {
                fields.remove(key);
            } else {
                fields.put(key, value);
            }
        });
        return fields;
    }

    /** Passes the members of a JSON object to a visitor: the decoded name, and the value as it is in the text. */
    static void members(String json, BiConsumer<String, String> visitor) throws MalformedLineException {
        try (JsonParser parser = FACTORY.createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                int from = (int) parser.currentTokenLocation().getCharOffset();
                parser.skipChildren();
                parser.finishToken();
                int end = (int) parser.currentLocation().getCharOffset();
                visitor.accept(name, json.substring(from, end).strip());
            }
        } catch (IOException e) {
            throw new MalformedLineException(reason(e));
        }
    }

    /** Visits the texts of a line, as {@link LineCodec#texts} does. */
    static void texts(byte[] bytes, boolean stringsOnly, LineCodec.CharsConsumer visitor)
            throws MalformedLineException {
        boolean[] enough = {false};
        read(bytes, 0, bytes.length, (name, parser) -> {
            if (enough[0]) {
                parser.skipChildren();
            } else {
                enough[0] = !texts(name, parser, stringsOnly, visitor);
            }
        });
    }

    /** A caller's JSON object on one line, with every string and key cleaned as in {@link LineCodec#parse}. */
    static RawJson object(String object, int nesting, BinaryOperator<String> text) throws MalformedLineException {
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        checkNesting(bytes, nesting);
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedLineException("is not a JSON object");
            }
            RawJson copy = raw(parser, text);
            if (parser.nextToken() != null) {
                throw new MalformedLineException("is more than one JSON object");
            }
            return copy;
        } catch (IOException e) {
            throw new MalformedLineException(reason(e));
        }
    }

    /** Writes one value of a field that is neither null, a list, a finite number nor {@link RawJson}. */
    static void encode(Object value, LineBuffer out) throws IOException {
        try (JsonGenerator generator = new WholeCharacters(FACTORY.createGenerator(out))) {
            generator.enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8.mappedFeature());
            if (value instanceof String text) {
                generator.writeString(text);
            } else if (value instanceof Double number) {
                generator.writeNumber(number);
            } else if (value instanceof Directive.Triple triple) {
                generator.writeStartObject();
                generator.writeStringField("subject", triple.subject());
                generator.writeStringField("predicate", triple.predicate());
                generator.writeStringField("object", triple.object());
                generator.writeEndObject();
            } else {
                throw new IllegalArgumentException("a field cannot hold " + value.getClass());
            }
        }
    }

    /** Creates a generator for another file of the store. */
    static JsonGenerator generator(OutputStream out) throws IOException {
        return new WholeCharacters(FACTORY.createGenerator(out));
    }

    /** Reads the fields of an object. */
    @FunctionalInterface
    interface FieldReader {
        /** Reads one value. The parser is at the first token of the value, and afterwards at its last. */
        void field(String name, JsonParser parser) throws IOException;
    }

    /** Reads the fields of a line; if it is not valid UTF-8, with U+FFFD in place of every bad sequence. */
    static void read(byte[] bytes, int offset, int length, FieldReader reader) throws MalformedLineException {
        try {
            readStrictly(bytes, offset, length, reader);
        } catch (IOException e) {
            byte[] repaired = repaired(bytes, offset, length);
            if (repaired == null) {
                throw new MalformedLineException(reason(e));
            }
            try {
                readStrictly(repaired, 0, repaired.length, reader);
            } catch (IOException again) {
                throw new MalformedLineException(reason(again));
            }
        }
    }

    private static void readStrictly(byte[] bytes, int offset, int length, FieldReader reader)
            throws IOException, MalformedLineException {
        try (JsonParser parser = FACTORY.createParser(bytes, offset, length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedLineException("is not a JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                reader.field(name, parser);
            }
            if (parser.nextToken() != null) {
                throw new MalformedLineException("goes on after the JSON object");
            }
        }
    }

    /** The bytes with every sequence that is not UTF-8 replaced; null if there is none. */
    private static byte @Nullable [] repaired(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        byte[] again = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(again, 0, again.length, bytes, offset, offset + length) ? null : again;
    }

    /** The message of the parser without the quoted word of the line, which may be a secret. */
    private static String reason(IOException e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        if (message.startsWith(TOO_DEEP)) {
            return "is nested deeper than " + LineCodec.READ_NESTING + " levels, the most that a store reads";
        }
        int quoted = message.startsWith(UNKNOWN_WORD) ? message.indexOf("': ") : -1;
        String said = quoted < 0 ? message : UNKNOWN_WORD + message.substring(quoted + 1);
        return "is not valid JSON: " + LOCATION.split(said, 2)[0];
    }

    /** Refuses an object that is nested deeper than a limit. Counts by itself: the parser stops at its own limit. */
    static void checkNesting(byte[] bytes, int most) throws MalformedLineException {
        int depth = 0;
        int deepest = 0;
        boolean inString = false;
        for (int i = 0; i < bytes.length; i++) {
            switch (bytes[i]) {
                case '"' -> inString = !inString;
                case '\\' -> i++;
                case '{', '[' -> depth += inString ? 0 : 1;
                case '}', ']' -> depth -= inString ? 0 : 1;
                default -> {}
            }
            deepest = Math.max(deepest, depth);
        }
        if (deepest > most) {
            throw new MalformedLineException("is nested deeper than " + most + " levels", deepest);
        }
    }

    /** One value as {@link LineCodec#fields} has it; null for a JSON null. */
    static @Nullable Object value(JsonParser parser, BinaryOperator<String> text) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> text.apply(nameOf(parser), parser.getText());
            case START_ARRAY -> list(parser, text);
            default -> raw(parser, text);
        };
    }

    /** The texts, numbers and literals of an array of a line. */
    static List<String> scalars(String array) {
        List<String> scalars = new ArrayList<>();
        try (JsonParser parser = FACTORY.createParser(array)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (parser.currentToken().isScalarValue() && parser.currentToken() != JsonToken.VALUE_NULL) {
                    scalars.add(parser.getText());
                }
                parser.skipChildren();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a parsed array could not be read", e);
        }
        return scalars;
    }

    /** A list of strings, or the raw array if it contains other values. */
    private static Object list(JsonParser parser, BinaryOperator<String> text) throws IOException {
        List<String> strings = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.VALUE_STRING) {
                return array(strings, parser, text);
            }
            strings.add(text.apply(nameOf(parser), parser.getText()));
        }
        return List.copyOf(strings);
    }

    /** An array that begins with these strings; the parser is at the value after them. */
    private static RawJson array(List<String> begin, JsonParser parser, BinaryOperator<String> text)
            throws IOException {
        StringWriter json = new StringWriter();
        try (JsonGenerator copy = new WholeCharacters(FACTORY.createGenerator(json))) {
            copy.writeStartArray();
            for (String item : begin) {
                copy.writeString(item);
            }
            while (parser.currentToken() != JsonToken.END_ARRAY) {
                copy(parser, copy, text);
                parser.nextToken();
            }
            copy.writeEndArray();
        }
        return new RawJson(json.toString());
    }

    private static RawJson raw(JsonParser parser, BinaryOperator<String> text) throws IOException {
        if (!parser.currentToken().isStructStart() && isKept(parser, text)) {
            return new RawJson(parser.getText());
        }
        StringWriter json = new StringWriter();
        try (JsonGenerator copy = new WholeCharacters(FACTORY.createGenerator(json))) {
            copy(parser, copy, text);
        }
        return new RawJson(json.toString());
    }

    /** Copies one value; numbers keep their text. */
    private static void copy(JsonParser parser, JsonGenerator out, BinaryOperator<String> text) throws IOException {
        int depth = 0;
        do {
            JsonToken token = parser.currentToken();
            switch (token) {
                case START_OBJECT -> out.writeStartObject();
                case END_OBJECT -> out.writeEndObject();
                case START_ARRAY -> out.writeStartArray();
                case END_ARRAY -> out.writeEndArray();
                case FIELD_NAME -> out.writeFieldName(text.apply("", parser.currentName()));
                case VALUE_STRING -> out.writeString(text.apply(nameOf(parser), parser.getText()));
                default -> copyScalar(parser, out, text);
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth > 0 && parser.nextToken() == null) {
                throw new IOException("ends in the middle");
            }
        } while (depth > 0);
    }

    /** Copies a number as a number, unless the cleaning function replaces it because of the name of its field. */
    private static void copyScalar(JsonParser parser, JsonGenerator out, BinaryOperator<String> text)
            throws IOException {
        if (isKept(parser, text)) {
            out.writeRawValue(parser.getText());
        } else {
            out.writeString(text.apply(nameOf(parser), parser.getText()));
        }
    }

    private static boolean isKept(JsonParser parser, BinaryOperator<String> text) throws IOException {
        String scalar = parser.getText();
        String kept = parser.currentToken().isNumeric() ? text.apply(nameOf(parser), scalar) : scalar;
        return kept.equals(scalar) || kept.equals(text.apply("", scalar));
    }

    /** The name of the field whose value, or whose list, contains the parser's position; empty if there is none. */
    private static String nameOf(JsonParser parser) {
        JsonStreamContext context = parser.getParsingContext();
        while (context.inArray()) {
            context = context.getParent();
        }
        String name = context.getCurrentName();
        return name == null ? "" : name;
    }

    /**
     * Visits the texts of one value; the parser is at its last token afterwards. False if the visitor wants no more.
     */
    private static boolean texts(String field, JsonParser parser, boolean stringsOnly, LineCodec.CharsConsumer visitor)
            throws IOException {
        boolean more = true;
        int depth = 0;
        while (true) {
            JsonToken token = parser.currentToken();
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (more && (token == JsonToken.VALUE_STRING || !stringsOnly && token.isNumeric())) {
                char[] in = parser.getTextCharacters();
                more = visitor.text(field, in, parser.getTextOffset(), parser.getTextLength());
            } else if (more && !stringsOnly && token == JsonToken.FIELD_NAME) {
                char[] name = parser.currentName().toCharArray();
                more = visitor.text(field, name, 0, name.length);
            }
            if (depth == 0) {
                return more;
            }
            parser.nextToken();
        }
    }
}

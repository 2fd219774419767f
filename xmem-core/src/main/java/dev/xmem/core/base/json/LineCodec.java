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
import dev.xmem.Entry;
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
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts lines to fields and fields to lines with a streaming parser. Thread-safe. Its buffers are in a pool of its
 * own, not in thread-locals, so that no thread keeps them, or a class loader, alive.
 */
public final class LineCodec {
    /** Receives the texts of a line as character ranges, without a string for each. */
    @FunctionalInterface
    public interface CharsConsumer {
        /**
         * Receives one text.
         *
         * @param field the name of the top-level field that contains it
         * @param in the parser's buffer, valid during the call only; must not be changed
         * @return whether to continue
         */
        boolean text(String field, char[] in, int from, int length);
    }

    /** The deepest nesting that is read, as in {@code jq} 1.6. What is written has the limit of the store. */
    public static final int READ_NESTING = 256;

    private static final String UNKNOWN_WORD = "Unrecognized token";
    /** What the parser appends: a position in bytes that the caller does not see. */
    private static final Pattern LOCATION = Pattern.compile("\n| \\(start marker at ");

    private static final JsonFactory PLAIN = new JsonFactory();

    private final JsonFactory factory = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(READ_NESTING)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(100_000)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /**
     * The fields of a line that the index needs.
     *
     * @param log the kind of the log that contains the line
     * @throws MalformedLineException if it is not one JSON object
     */
    public IndexedFields indexedFields(Entry.Kind log, byte[] bytes, int offset, int length)
            throws MalformedLineException {
        LineFields found = LineFields.of(bytes, offset, length);
        IndexedFields fields = found == null ? null : IndexedFields.of(log, found);
        return fields == null ? parsed(log, bytes, offset, length) : fields;
    }

    /** The same, of a line in any form. */
    IndexedFields parsed(Entry.Kind log, byte[] bytes, int offset, int length) throws MalformedLineException {
        IndexedFields.Reader reader = new IndexedFields.Reader(log);
        read(bytes, offset, length, (name, parser) -> reader.field(name, parser));
        return reader.fields();
    }

    /**
     * All fields of a line in order: strings, lists of strings, and {@link RawJson} for the rest; nulls are left out.
     */
    public Map<String, Object> fields(byte[] bytes) throws MalformedLineException {
        LineFields found = LineFields.of(bytes);
        return found == null ? parsed(bytes) : found.map();
    }

    /** The same fields, each of which is decoded when it is first read. */
    public LineFields lineFields(byte[] bytes) throws MalformedLineException {
        LineFields found = LineFields.of(bytes);
        return found == null ? LineFields.of(parsed(bytes)) : found;
    }

    /** The same, of a line in any form. */
    Map<String, Object> parsed(byte[] bytes) throws MalformedLineException {
        return fields(bytes, (field, text) -> text, false);
    }

    private Map<String, Object> fields(byte[] bytes, BinaryOperator<String> text, boolean cleanKeys)
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
    public static void members(String json, BiConsumer<String, String> visitor) throws MalformedLineException {
        try (JsonParser parser = PLAIN.createParser(json)) {
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

    /**
     * The fields of a line of which one surely has a text; null if that takes a look at the decoded values.
     *
     * @param narrow the UTF-8 bytes of the text, one character each: at least three, none a control character, a
     *     quotation mark or a backslash
     */
    public static @Nullable LineFields surelyHaving(byte[] line, String narrow) {
        LineFields found = LineFields.of(line);
        return found != null && found.surelyHas(narrow) ? found : null;
    }

    /** Visits the strings and numbers at any depth and the nested keys, until the visitor returns false. */
    public void texts(byte[] bytes, CharsConsumer visitor) throws MalformedLineException {
        LineFields found = LineFields.of(bytes);
        if (found != null) {
            found.texts(visitor);
        } else {
            texts(bytes, false, visitor);
        }
    }

    /** Like the other method, with a string for each text; optionally only the values that are strings. */
    public void texts(byte[] bytes, boolean stringsOnly, BiPredicate<String, String> visitor)
            throws MalformedLineException {
        LineFields found = LineFields.of(bytes);
        if (found != null && found.texts(stringsOnly, visitor)) {
            return;
        }
        CharsConsumer chars = (field, in, from, length) -> visitor.test(field, new String(in, from, length));
        texts(bytes, stringsOnly, chars);
    }

    /** The same, of a line in any form. */
    void texts(byte[] bytes, boolean stringsOnly, CharsConsumer visitor) throws MalformedLineException {
        boolean[] enough = {false};
        read(bytes, 0, bytes.length, (name, parser) -> {
            if (enough[0]) {
                parser.skipChildren();
            } else {
                enough[0] = !texts(name, parser, stringsOnly, visitor);
            }
        });
    }

    /**
     * The fields of a JSON object that a caller gave, cleaned.
     *
     * @param text cleans a text (second argument) of a field (first argument): every string, and every key that no
     *     schema names, for which the field name is empty
     * @throws MalformedLineException if it is not one JSON object, or nested deeper than allowed
     */
    public Map<String, Object> parse(String object, int nesting, BinaryOperator<String> text)
            throws MalformedLineException {
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        checkNesting(bytes, nesting);
        return fields(bytes, text, true);
    }

    /** A JSON object that a caller gave, on one line, with every string and key cleaned as in {@link #parse}. */
    public RawJson object(String object, int nesting, BinaryOperator<String> text) throws MalformedLineException {
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        checkNesting(bytes, nesting);
        try (JsonParser parser = factory.createParser(bytes)) {
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

    /** Writes a line and its newline: the fields in the order of the schema, with defaults for missing ones. */
    public void write(Schema schema, Map<String, @Nullable Object> fields, LineBuffer out) {
        try (JsonGenerator generator = new WholeCharacters(factory.createGenerator(out))) {
            generator.enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8.mappedFeature());
            generator.writeStartObject();
            schema.write(fields, generator);
            generator.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a line in memory could not be written", e);
        }
        out.write('\n');
    }

    /**
     * Writes a line without a newline: the fields of another line in the order of the schema, with defaults for missing
     * ones. The bytes are those of {@link #write(Schema, Map, LineBuffer)}.
     *
     * @param changed the values that differ from those of the line, and those of further fields
     */
    public void write(Schema schema, LineFields line, Map<String, Object> changed, LineBuffer out) {
        new LineSplicer(line, changed, out, this::encode).write(schema);
    }

    private void encode(@Nullable Object value, LineBuffer out) throws IOException {
        try (JsonGenerator generator = new WholeCharacters(factory.createGenerator(out))) {
            generator.enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8.mappedFeature());
            Schema.write(value, generator);
        }
    }

    /** Creates a generator for another file of the store. */
    public JsonGenerator generator(OutputStream out) throws IOException {
        return new WholeCharacters(factory.createGenerator(out));
    }

    /** Parses a time to milliseconds since 1970; -1 if it is not a time. */
    public static long millis(@Nullable String ts) {
        return ts == null ? -1 : Timestamps.millis(ts);
    }

    /** Formats a time as in a line. */
    public static String ts(long millis) {
        return Timestamps.text(millis);
    }

    private interface FieldReader {
        /** Reads one value. The parser is at the first token of the value, and afterwards at its last. */
        void field(String name, JsonParser parser) throws IOException;
    }

    /** Reads the fields of a line; if it is not valid UTF-8, with U+FFFD in place of every bad sequence. */
    private void read(byte[] bytes, int offset, int length, FieldReader reader) throws MalformedLineException {
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

    private void readStrictly(byte[] bytes, int offset, int length, FieldReader reader)
            throws IOException, MalformedLineException {
        try (JsonParser parser = factory.createParser(bytes, offset, length)) {
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
        int quoted = message.startsWith(UNKNOWN_WORD) ? message.indexOf("': ") : -1;
        String said = quoted < 0 ? message : UNKNOWN_WORD + message.substring(quoted + 1);
        return "is not valid JSON: " + LOCATION.split(said, 2)[0];
    }

    private void checkNesting(byte[] bytes, int nesting) throws MalformedLineException {
        int depth = 0;
        int deepest = 0;
        try (JsonParser parser = factory.createParser(bytes)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                deepest = Math.max(deepest, depth);
            }
        } catch (IOException e) {
            if (deepest <= nesting) {
                throw new MalformedLineException(reason(e));
            }
        }
        if (deepest > nesting) {
            throw new MalformedLineException("is nested deeper than " + nesting, deepest);
        }
    }

    private @Nullable Object value(JsonParser parser, BinaryOperator<String> text) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> text.apply(nameOf(parser), parser.getText());
            case START_ARRAY -> list(parser, text);
            default -> raw(parser, text);
        };
    }

    /** A list of strings, or the raw array if it contains other values. */
    private Object list(JsonParser parser, BinaryOperator<String> text) throws IOException {
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
    private RawJson array(List<String> begin, JsonParser parser, BinaryOperator<String> text) throws IOException {
        StringWriter json = new StringWriter();
        try (JsonGenerator copy = new WholeCharacters(factory.createGenerator(json))) {
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

    private RawJson raw(JsonParser parser, BinaryOperator<String> text) throws IOException {
        if (!parser.currentToken().isStructStart() && isKept(parser, text)) {
            return new RawJson(parser.getText());
        }
        StringWriter json = new StringWriter();
        try (JsonGenerator copy = new WholeCharacters(factory.createGenerator(json))) {
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
    private static boolean texts(String field, JsonParser parser, boolean stringsOnly, CharsConsumer visitor)
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

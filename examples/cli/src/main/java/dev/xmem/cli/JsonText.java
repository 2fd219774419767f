package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes JSON objects, one per line. */
final class JsonText {
    /** No Jackson limits: {@link InputLines} limits the length of a line. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonText() {}

    /** Writes the fields of an object. */
    interface Body {
        void write(JsonGenerator g) throws IOException;
    }

    /** Reads a field of an object; the parser is at its value. */
    interface Field {
        void read(String name, JsonParser p) throws IOException, LineException;
    }

    static String object(Body body) {
        StringWriter text = new StringWriter();
        try (JsonGenerator g = FACTORY.createGenerator(text)) {
            g.writeStartObject();
            body.write(g);
            g.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Writes the fields of an object for an item. */
    interface Item<T> {
        void write(T item) throws IOException;
    }

    /** Writes a field that is an array with an object for each item. */
    static <T> void objects(JsonGenerator g, String name, Iterable<T> items, Item<T> each) throws IOException {
        g.writeArrayFieldStart(name);
        for (T item : items) {
            g.writeStartObject();
            each.write(item);
            g.writeEndObject();
        }
        g.writeEndArray();
    }

    /** Writes a field that is an array of strings. */
    static void strings(JsonGenerator g, String name, Iterable<String> texts) throws IOException {
        g.writeArrayFieldStart(name);
        for (String text : texts) {
            g.writeString(text);
        }
        g.writeEndArray();
    }

    /** The string as a JSON literal with its quotes. */
    static String quoted(String text) {
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    /**
     * Reads a line that is one JSON object.
     *
     * @return the offset of its closing brace
     */
    static int read(String line, Field field) throws LineException {
        return read("the line", line, field);
    }

    /** As {@link #read(String, Field)}; {@code what} names the text in error messages. */
    static int read(String what, String text, Field field) throws LineException {
        try (JsonParser p = FACTORY.createParser(text)) {
            if (p.nextToken() != JsonToken.START_OBJECT) {
                throw new LineException(what + " is not a JSON object");
            }
            while (p.nextToken() == JsonToken.FIELD_NAME) {
                String name = p.currentName();
                p.nextToken();
                field.read(name, p);
                p.skipChildren();
            }
            int end = start(p);
            if (p.nextToken() != null) {
                throw new LineException("unexpected text after the object, at character " + start(p));
            }
            return end;
        } catch (JsonProcessingException e) {
            throw new LineException(problem(what, e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The parser's message and position, without details of the parser. */
    private static String problem(String what, JsonProcessingException e) {
        String message = e.getOriginalMessage().replaceFirst("(?s) \\(start marker at .*", "");
        return what + " is not JSON: " + message + " (at character "
                + e.getLocation().getColumnNr() + ")";
    }

    /** The value, which must be a string. */
    static String string(String name, JsonParser p) throws IOException, LineException {
        if (p.currentToken() != JsonToken.VALUE_STRING) {
            throw new LineException(name + " must be a string");
        }
        return p.getText();
    }

    /** The value, which must be a list of strings. */
    static List<String> strings(String name, JsonParser p) throws IOException, LineException {
        if (p.currentToken() != JsonToken.START_ARRAY) {
            throw new LineException(name + " must be a list of strings");
        }
        List<String> all = new ArrayList<>();
        while (p.nextToken() != JsonToken.END_ARRAY) {
            all.add(string("each of " + name, p));
        }
        return all;
    }

    /** The value, which must be a whole number from {@code least} to {@code most}. */
    static int number(String name, JsonParser p, int least, int most) throws IOException, LineException {
        boolean whole =
                p.currentToken() == JsonToken.VALUE_NUMBER_INT && p.getNumberType() == JsonParser.NumberType.INT;
        if (!whole || p.getIntValue() < least || p.getIntValue() > most) {
            String range = most == Integer.MAX_VALUE ? "of " + least + " or more" : "from " + least + " to " + most;
            throw new LineException(name + " must be a whole number " + range + ", not " + p.getText());
        }
        return p.getIntValue();
    }

    /** The offset of the current token. */
    static int start(JsonParser p) {
        return (int) p.currentTokenLocation().getCharOffset();
    }

    /**
     * Skips the current value.
     *
     * @return the offset of its end
     */
    static int end(JsonParser p) throws IOException {
        p.skipChildren();
        p.finishToken();
        return (int) p.currentLocation().getCharOffset();
    }
}

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

/** JSON as this program reads and writes it: an object a line. */
final class Json {
    /** Without limits of its own: the length of a line is limited where it is read. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private Json() {}

    /** What stands between the braces of an object that is written. */
    interface Body {
        void write(JsonGenerator g) throws IOException;
    }

    /** What is done with a field of an object that is read; the parser stands at its value. */
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

    /** A string as it stands in JSON, with its quotes. */
    static String quoted(String text) {
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    /**
     * Reads the one object of a line.
     *
     * @return where its closing brace stands
     */
    static int read(String line, Field field) throws LineException {
        return read("the line", line, field);
    }

    /** Reads the one object of a text that has this name. */
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
                throw new LineException("more follows after the object, at character " + start(p));
            }
            return end;
        } catch (JsonProcessingException e) {
            throw new LineException(problem(what, e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is wrong and where, without what is of no use to whoever wrote the line. */
    private static String problem(String what, JsonProcessingException e) {
        String message = e.getOriginalMessage().replaceFirst("(?s) \\(start marker at .*", "");
        return what + " is not JSON: " + message + " (at character "
                + e.getLocation().getColumnNr() + ")";
    }

    /** A value that must be a string. */
    static String string(String name, JsonParser p) throws IOException, LineException {
        if (p.currentToken() != JsonToken.VALUE_STRING) {
            throw new LineException(name + " must be a string");
        }
        return p.getText();
    }

    /** A value that must be a list of strings. */
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

    /** A value that must be a whole number from least to most. */
    static int number(String name, JsonParser p, int least, int most) throws IOException, LineException {
        boolean whole =
                p.currentToken() == JsonToken.VALUE_NUMBER_INT && p.getNumberType() == JsonParser.NumberType.INT;
        if (!whole || p.getIntValue() < least || p.getIntValue() > most) {
            String range = most == Integer.MAX_VALUE ? "of " + least + " or more" : "from " + least + " to " + most;
            throw new LineException(name + " must be a whole number " + range + ", not " + p.getText());
        }
        return p.getIntValue();
    }

    /** Where the token at hand begins. */
    static int start(JsonParser p) {
        return (int) p.currentTokenLocation().getCharOffset();
    }

    /** Goes to the end of the value at hand, and says where that is. */
    static int end(JsonParser p) throws IOException {
        p.skipChildren();
        p.finishToken();
        return (int) p.currentLocation().getCharOffset();
    }
}

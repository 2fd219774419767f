package dev.xmem.transcripts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;

/** A transcript that is one JSON document, read step by step. One that ends early is read up to there. */
final class DocumentTranscript extends CollectedTranscript {
    private final JsonParser parser;
    private final DocumentFormat format;
    private boolean inSteps;
    private long number;

    DocumentTranscript(InputStream in, DocumentFormat format, CallCollector calls) throws IOException {
        this(JsonTree.FACTORY.createParser(in), format, calls);
    }

    private DocumentTranscript(JsonParser parser, DocumentFormat format, CallCollector calls) {
        super(calls, parser);
        this.parser = parser;
        this.format = format;
    }

    @Override
    boolean advance() throws IOException {
        boolean more = false;
        try {
            more = readToken();
        } catch (JsonProcessingException | CharConversionException e) {
            calls.counts.malformed++;
        }
        if (!more) {
            calls.end();
            calls.counts.bytes = Math.max(0, parser.currentLocation().getByteOffset());
        }
        return more;
    }

    /** Reads a token, and what begins with it; false if the document ends with it. */
    private boolean readToken() throws IOException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            boolean isArray = format.steps().isEmpty();
            calls.counts.malformed += !isArray && calls.counts.lines == 0 ? 1 : 0;
            return false;
        } else if (number == 0
                && token == JsonToken.START_ARRAY
                && format.steps().isEmpty()) {
            inSteps = true;
        } else if (inSteps && token == JsonToken.END_ARRAY) {
            inSteps = false;
        } else if (inSteps) {
            calls.counts.lines++;
            Object step = JsonTree.read(parser, format.skipped());
            format.step(++number, JsonTree.asObject(step), calls);
        } else if (token == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            calls.counts.lines = Math.max(1, calls.counts.lines);
            boolean array = parser.nextToken() == JsonToken.START_ARRAY;
            inSteps = array && name.equals(format.steps());
            if (format.skipped().contains(name)) {
                parser.skipChildren();
            } else if (!inSteps) {
                Object value = JsonTree.read(parser, format.skipped());
                if (value != null) {
                    format.member(name, value, calls);
                }
            }
        } else if (token != JsonToken.START_OBJECT) {
            return false;
        }
        return true;
    }
}

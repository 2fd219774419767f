package dev.xmem.git;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The content of {@code meta.json}: the owner of a tree and the ends of its streams.
 *
 * @param replica the owner
 * @param retired whether the owner is retired; its publications are refused
 * @param streams the end of each stream, by name
 */
record ReplicaMeta(String replica, boolean retired, Map<String, Head> streams) {
    static final String FILE = "meta.json";
    static final int MAX_BYTES = 1 << 20;
    private static final JsonFactory JSON = new JsonFactory();

    byte[] bytes() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeNumberField("format", 1);
            json.writeStringField("replica", replica);
            json.writeBooleanField("retired", retired);
            json.writeObjectFieldStart("streams");
            for (Map.Entry<String, Head> stream : streams.entrySet()) {
                json.writeObjectFieldStart(stream.getKey());
                json.writeNumberField("generation", stream.getValue().generation());
                json.writeNumberField("bytes", stream.getValue().position());
                json.writeEndObject();
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        out.write('\n');
        return out.toByteArray();
    }

    /** Parses the file; streams with invalid names or numbers are omitted. */
    static ReplicaMeta of(byte[] bytes) throws IOException {
        String replica = "";
        boolean retired = false;
        Map<String, Head> streams = new TreeMap<>();
        try (JsonParser parser = JSON.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("meta.json is not an object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (name.equals("replica") && value == JsonToken.VALUE_STRING) {
                    replica = parser.getText();
                } else if (name.equals("retired")) {
                    retired = value == JsonToken.VALUE_TRUE;
                } else if (name.equals("streams") && value == JsonToken.START_OBJECT) {
                    readStreams(parser, streams);
                } else {
                    parser.skipChildren();
                }
            }
        }
        return new ReplicaMeta(replica, retired, streams);
    }

    private static void readStreams(JsonParser parser, Map<String, Head> into) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            long generation = -1;
            long bytes = -1;
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
                continue;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("generation") && value == JsonToken.VALUE_NUMBER_INT) {
                    generation = parser.getLongValue();
                } else if (field.equals("bytes") && value == JsonToken.VALUE_NUMBER_INT) {
                    bytes = parser.getLongValue();
                } else {
                    parser.skipChildren();
                }
            }
            if (Stream.isName(name) && generation > 0 && generation <= Head.LAST_GENERATION && bytes >= 0) {
                into.put(name, new Head(generation, bytes));
            }
        }
    }
}

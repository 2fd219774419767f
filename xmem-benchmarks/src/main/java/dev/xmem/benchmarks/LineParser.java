package dev.xmem.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses all fields of a line with the streaming parser of Jackson, as xmem does. */
final class LineParser {
    private final JsonFactory factory = new JsonFactory();

    Map<String, Object> fields(byte[] line) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        try (JsonParser parser = factory.createParser(line)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (parser.nextToken() == JsonToken.START_ARRAY) {
                    List<String> items = new ArrayList<>();
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        items.add(parser.getText());
                    }
                    fields.put(name, items);
                } else if (parser.currentToken() == JsonToken.START_OBJECT) {
                    parser.skipChildren();
                    fields.put(name, "{}");
                } else if (parser.currentToken() != JsonToken.VALUE_NULL) {
                    fields.put(name, parser.getText());
                }
            }
        }
        return fields;
    }
}

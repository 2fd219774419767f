package dev.xmem.semantic;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads flat JSON objects, one per line: strings, numbers as strings, and lists of strings. */
final class JsonLines {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonLines() {}

    /**
     * A line.
     *
     * @param texts the fields with a single value
     * @param lists the fields with a list
     */
    record Line(Map<String, String> texts, Map<String, List<String>> lists) {}

    static List<Line> read(String text) throws IOException {
        List<Line> lines = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(text)) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                lines.add(line(parser));
            }
        }
        return lines;
    }

    private static Line line(JsonParser parser) throws IOException {
        Line line = new Line(new HashMap<>(), new HashMap<>());
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (parser.nextToken() == JsonToken.START_ARRAY) {
                List<String> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(parser.getText());
                }
                line.lists.put(name, items);
            } else {
                line.texts.put(name, parser.getText());
            }
        }
        return line;
    }
}

package dev.xmem.core.answer.page;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A page in JSON, read by a parser that is not ours. */
record JsonPage(int results, Map<String, @Nullable Object> members) {

    static JsonPage read(String text) throws IOException {
        Map<String, @Nullable Object> members = new HashMap<>();
        int results = 0;
        try (JsonParser json = new JsonFactory().createParser(text)) {
            expect(json.nextToken(), JsonToken.START_OBJECT);
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                json.nextToken();
                if (name.equals("results")) {
                    results = objects(json);
                } else {
                    members.put(name, scalar(json));
                }
            }
            expect(json.nextToken(), null);
        }
        return new JsonPage(results, members);
    }

    private static int objects(JsonParser json) throws IOException {
        int objects = 0;
        expect(json.currentToken(), JsonToken.START_ARRAY);
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json.currentToken(), JsonToken.START_OBJECT);
            json.skipChildren();
            objects++;
        }
        return objects;
    }

    private static @Nullable Object scalar(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_STRING -> json.getText();
            case VALUE_TRUE, VALUE_FALSE -> json.getBooleanValue();
            case VALUE_NULL -> null;
            default -> throw new AssertionError("found " + json.currentToken());
        };
    }

    private static void expect(@Nullable JsonToken found, @Nullable JsonToken expected) {
        if (found != expected) {
            throw new AssertionError("found " + found + ", not " + expected);
        }
    }

    @Nullable Long number(String name) {
        return (Long) members.get(name);
    }

    @Nullable String text(String name) {
        return (String) members.get(name);
    }
}

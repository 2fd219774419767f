package dev.xmem.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON schema of a tool's arguments. Not thread-safe. */
final class InputSchema {
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private final List<String> required;

    private InputSchema(List<String> required) {
        this.required = required;
    }

    static InputSchema object(String... required) {
        return new InputSchema(List.of(required));
    }

    InputSchema text(String name, String description) {
        return with(name, Map.of("type", "string", "description", description));
    }

    InputSchema number(String name, String description) {
        return with(name, Map.of("type", "number", "description", description));
    }

    InputSchema texts(String name, String description) {
        return with(name, Map.of("type", "array", "items", Map.of("type", "string"), "description", description));
    }

    private InputSchema with(String name, Map<String, Object> schema) {
        properties.put(name, schema);
        return this;
    }

    Map<String, Object> map() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", required);
        return schema;
    }
}

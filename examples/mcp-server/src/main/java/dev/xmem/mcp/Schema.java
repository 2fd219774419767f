package dev.xmem.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON schema of a tool's arguments. Used once, by one thread. */
final class Schema {
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private final List<String> required;

    private Schema(List<String> required) {
        this.required = required;
    }

    static Schema object(String... required) {
        return new Schema(List.of(required));
    }

    Schema text(String name, String description) {
        return with(name, Map.of("type", "string", "description", description));
    }

    Schema number(String name, String description) {
        return with(name, Map.of("type", "number", "description", description));
    }

    Schema texts(String name, String description) {
        return with(name, Map.of("type", "array", "items", Map.of("type", "string"), "description", description));
    }

    private Schema with(String name, Map<String, Object> schema) {
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

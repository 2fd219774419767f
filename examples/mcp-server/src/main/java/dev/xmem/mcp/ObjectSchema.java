package dev.xmem.mcp;

import dev.xmem.mcp.ToolArguments.InvalidArgument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The JSON schema of a tool's arguments or of its structured content. Not thread-safe while it is built. */
final class ObjectSchema {
    private final Map<String, Map<String, Object>> properties = new LinkedHashMap<>();
    private final List<String> required;

    private ObjectSchema(List<String> required) {
        this.required = required;
    }

    static ObjectSchema of(String... required) {
        return new ObjectSchema(List.of(required));
    }

    ObjectSchema text(String name, String description) {
        return with(name, "string", description, Map.of());
    }

    ObjectSchema integer(String name, String description) {
        return with(name, "integer", description, Map.of());
    }

    ObjectSchema integer(String name, String description, int min, int max) {
        return with(name, "integer", description, Map.of("minimum", min, "maximum", max));
    }

    ObjectSchema number(String name, String description) {
        return with(name, "number", description, Map.of());
    }

    ObjectSchema number(String name, String description, double min, double max) {
        return with(name, "number", description, Map.of("minimum", min, "maximum", max));
    }

    ObjectSchema flag(String name, String description) {
        return with(name, "boolean", description, Map.of());
    }

    /** Adds a string that is one of these constants, in lower case. */
    ObjectSchema choice(String name, String description, Enum<?>... constants) {
        return choice(
                name,
                description,
                Arrays.stream(constants).map(ObjectSchema::lower).toList());
    }

    ObjectSchema choice(String name, String description, List<String> values) {
        return with(name, "string", description, Map.of("enum", values));
    }

    ObjectSchema texts(String name, String description) {
        return with(name, "array", description, Map.of("items", Map.of("type", "string")));
    }

    ObjectSchema objects(String name, String description, ObjectSchema item) {
        return with(name, "array", description, Map.of("items", item.map()));
    }

    ObjectSchema object(String name, String description, ObjectSchema closed) {
        return with(name, "object", description, closed.closed());
    }

    /** Adds an object with any members. */
    ObjectSchema object(String name, String description) {
        return with(name, "object", description, Map.of());
    }

    private ObjectSchema with(String name, String type, String description, Map<String, Object> more) {
        Map<String, Object> property = new LinkedHashMap<>();
        property.put("type", type);
        property.put("description", description);
        property.putAll(more);
        properties.put(name, property);
        return this;
    }

    /** The schema of an object that may have further members. */
    Map<String, Object> map() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return schema;
    }

    /** The schema of an object that has no further members. */
    Map<String, Object> closed() {
        Map<String, Object> schema = map();
        schema.put("additionalProperties", false);
        return schema;
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Validates arguments against the closed schema.
     *
     * @throws InvalidArgument if one is missing, unknown, or of a wrong type; the message names it
     */
    void validate(Map<String, Object> arguments) {
        validate(closed(), arguments, "");
    }

    private static void validate(Map<?, ?> schema, Map<?, ?> object, String prefix) {
        Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> map ? map : Map.of();
        for (Object name : object.keySet()) {
            if (!properties.containsKey(name)) {
                String known = properties.isEmpty()
                        ? "There are no arguments."
                        : "The arguments are " + String.join(", ", strings(properties.keySet())) + ".";
                throw new InvalidArgument("The argument " + prefix + name + " is unknown. " + known);
            }
        }
        properties.forEach((name, property) -> {
            Object value = object.get(name);
            if (value != null && property instanceof Map<?, ?> map) {
                check(map, value, prefix + name);
            }
        });
        if (schema.get("required") instanceof List<?> names) {
            for (Object name : names) {
                Object value = object.get(name);
                if (value == null || value instanceof String text && text.isBlank()) {
                    throw InvalidArgument.missing(prefix + name);
                }
            }
        }
    }

    private static void check(Map<?, ?> schema, Object value, String name) {
        String type = String.valueOf(schema.get("type"));
        boolean valid = switch (type) {
            case "string" -> value instanceof String;
            case "integer" -> value instanceof Number number && number.doubleValue() == number.intValue();
            case "number" -> value instanceof Number;
            case "boolean" -> value instanceof Boolean;
            case "array" -> value instanceof List;
            default -> value instanceof Map;
        };
        if (!valid) {
            throw new InvalidArgument("The argument " + name + " must be " + article(type) + ".");
        }
        if (schema.get("enum") instanceof List<?> choices
                && !choices.contains(value.toString().toLowerCase(Locale.ROOT))) {
            throw new InvalidArgument(
                    "The argument " + name + " must be one of " + String.join(", ", strings(choices)) + ".");
        }
        if (value instanceof Number number && schema.get("maximum") instanceof Number max) {
            double min = schema.get("minimum") instanceof Number least ? least.doubleValue() : 0;
            if (!(number.doubleValue() >= min && number.doubleValue() <= max.doubleValue())) {
                throw new InvalidArgument(
                        "The argument " + name + " must be from " + schema.get("minimum") + " to " + max + ".");
            }
        }
        if (value instanceof List<?> items && schema.get("items") instanceof Map<?, ?> item) {
            for (int i = 0; i < items.size(); i++) {
                Object one = items.get(i);
                check(item, one == null ? List.of() : one, name + "[" + i + "]");
            }
        }
        if (value instanceof Map<?, ?> object && schema.containsKey("properties")) {
            validate(schema, object, name + ".");
        }
    }

    private static String article(String type) {
        return switch (type) {
            case "integer" -> "a whole number";
            case "array", "object" -> "an " + type;
            case "boolean" -> "true or false";
            default -> "a " + type;
        };
    }

    private static List<String> strings(Iterable<?> values) {
        List<String> strings = new ArrayList<>();
        values.forEach(value -> strings.add(String.valueOf(value)));
        return strings;
    }
}

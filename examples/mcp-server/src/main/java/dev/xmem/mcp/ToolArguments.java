package dev.xmem.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool call, not yet validated. Immutable. */
record ToolArguments(Map<String, Object> values) {
    /** An invalid argument; the message is for the model. */
    static final class InvalidArgument extends RuntimeException {
        private static final long serialVersionUID = 1;

        InvalidArgument(String message) {
            super(message);
        }
    }

    static ToolArguments of(@Nullable Map<String, Object> values) {
        return new ToolArguments(values == null ? Map.of() : values);
    }

    String required(String name) {
        String text = text(name);
        if (text == null || text.isBlank()) {
            throw new InvalidArgument("The argument " + name + " is missing. It must be a string.");
        }
        return text;
    }

    @Nullable String text(String name) {
        Object value = values.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw new InvalidArgument("The argument " + name + " must be a string.");
    }

    @Nullable Integer integer(String name) {
        Object value = values.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Number number && number.doubleValue() == number.intValue()) {
            return number.intValue();
        }
        throw new InvalidArgument("The argument " + name + " must be a whole number.");
    }

    @Nullable ToolArguments object(String name) {
        Object value = values.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> object = new LinkedHashMap<>();
            map.forEach((key, item) -> object.put(String.valueOf(key), item));
            return new ToolArguments(object);
        }
        throw new InvalidArgument("The argument " + name + " must be an object.");
    }

    /** The arguments with these names that are present. */
    Map<String, Object> only(List<String> names) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (String name : names) {
            Object value = values.get(name);
            if (value != null) {
                fields.put(name, value);
            }
        }
        return fields;
    }
}

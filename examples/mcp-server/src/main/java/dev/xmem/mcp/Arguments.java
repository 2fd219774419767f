package dev.xmem.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool call, which may be anything. Immutable. */
record Arguments(Map<String, Object> values) {
    /** What is wrong with the arguments, for the model to read. */
    static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }

    static Arguments of(@Nullable Map<String, Object> values) {
        return new Arguments(values == null ? Map.of() : values);
    }

    String required(String name) {
        String text = text(name);
        if (text == null || text.isBlank()) {
            throw new Wrong("The argument " + name + " is missing. Give it as a text.");
        }
        return text;
    }

    @Nullable String text(String name) {
        Object value = values.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw new Wrong("The argument " + name + " must be a text.");
    }

    @Nullable Integer integer(String name) {
        Object value = values.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Number number && number.doubleValue() == number.intValue()) {
            return number.intValue();
        }
        throw new Wrong("The argument " + name + " must be a whole number.");
    }

    @Nullable Arguments object(String name) {
        Object value = values.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> object = new LinkedHashMap<>();
            map.forEach((key, item) -> object.put(String.valueOf(key), item));
            return new Arguments(object);
        }
        throw new Wrong("The argument " + name + " must be an object.");
    }

    /** The fields of an entry among the arguments: those of these names that are given. */
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

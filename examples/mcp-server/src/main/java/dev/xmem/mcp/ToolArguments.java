package dev.xmem.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool call. Immutable. */
record ToolArguments(Map<String, Object> values) {
    /** An invalid argument; the message is for the model. */
    static final class InvalidArgument extends RuntimeException {
        private static final long serialVersionUID = 1;

        InvalidArgument(String message) {
            super(message);
        }

        static InvalidArgument missing(String name) {
            return new InvalidArgument("The argument " + name + " is missing or empty. It must be a string.");
        }
    }

    /**
     * Validates and wraps arguments.
     *
     * @throws InvalidArgument if they do not match the schema
     */
    static ToolArguments of(ObjectSchema schema, @Nullable Map<String, Object> values) {
        Map<String, Object> given = values == null ? Map.of() : values;
        schema.validate(given);
        return new ToolArguments(given);
    }

    String required(String name) {
        String text = text(name);
        if (text == null) {
            throw InvalidArgument.missing(name);
        }
        return text;
    }

    /** Returns a text; null if it is absent or blank. */
    @Nullable String text(String name) {
        return values.get(name) instanceof String text && !text.isBlank() ? text : null;
    }

    /** Returns one of an enumeration's constants by its name in any case; null if it is absent. */
    <E extends Enum<E>> @Nullable E choice(String name, Class<E> type) {
        String text = text(name);
        return text == null ? null : Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    }

    @Nullable Integer integer(String name) {
        return values.get(name) instanceof Number number ? Integer.valueOf(number.intValue()) : null;
    }

    /** Whether a flag is given and true. */
    boolean flag(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    /** Returns the members of an object as arguments; null if it is absent. */
    @Nullable ToolArguments object(String name) {
        if (values.get(name) instanceof Map<?, ?> map) {
            Map<String, Object> object = new LinkedHashMap<>();
            map.forEach((key, item) -> object.put(String.valueOf(key), item));
            return new ToolArguments(object);
        }
        return null;
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

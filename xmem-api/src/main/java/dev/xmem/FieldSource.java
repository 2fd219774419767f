package dev.xmem;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Creates the immutable field maps of drafts and amendments. */
final class FieldSource {
    private FieldSource() {}

    /** The values of a variable argument. */
    static <T> List<T> list(String argument, T[] values) {
        for (T value : Objects.requireNonNull(values, argument)) {
            Objects.requireNonNull(value, argument);
        }
        return List.of(values);
    }

    /** The values of a set argument. */
    static <T> Set<T> set(String argument, Set<T> values) {
        Objects.requireNonNull(values, argument).forEach(value -> Objects.requireNonNull(value, argument));
        return Set.copyOf(values);
    }

    static Map<String, Object> of(String name, Object value) {
        return with(Map.of(), name, value);
    }

    /** A copy of a field map with one field set. */
    static Map<String, Object> with(Map<String, Object> fields, String name, Object value) {
        Map<String, Object> copy = new LinkedHashMap<>(fields);
        copy.put(name, Objects.requireNonNull(value, name));
        return Collections.unmodifiableMap(copy);
    }
}

package dev.xmem.core.redact;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A rule as the file has it. Immutable.
 *
 * @param name what its placeholder says
 * @param attributes the lines below its name, by their first word
 */
record Rule(String name, Map<String, List<String>> attributes) {
    /** The lines of an attribute. */
    List<String> lines(String attribute) {
        return attributes.getOrDefault(attribute, List.of());
    }

    /** The words of all lines of an attribute. */
    List<String> words(String attribute) {
        return lines(attribute).stream()
                .flatMap(line -> Arrays.stream(line.split(" ")))
                .map(word -> word.replace("\\n", "\n").replace("\\s", " "))
                .toList();
    }

    boolean has(String attribute) {
        return attributes.containsKey(attribute);
    }

    /** What may be: {@code a; b} in one line. */
    List<String> names() {
        return lines("key").stream()
                .flatMap(line -> Arrays.stream(line.split(";")))
                .map(String::strip)
                .toList();
    }
}

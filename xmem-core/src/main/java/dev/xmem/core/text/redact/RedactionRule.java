package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A rule as the file has it. Immutable.
 *
 * @param name what its placeholder says
 * @param attributes the lines below its name, by their first word
 */
record RedactionRule(String name, Map<String, List<String>> attributes) {
    /** The lines of an attribute. */
    List<String> lines(String attribute) {
        return attributes.getOrDefault(attribute, List.of());
    }

    /** The words of all lines of an attribute. */
    List<String> words(String attribute) {
        List<String> words = new ArrayList<>();
        for (String line : lines(attribute)) {
            for (String word : line.split(" ")) {
                words.add(
                        word.indexOf('\\') < 0
                                ? word
                                : word.replace("\\n", "\n").replace("\\s", " "));
            }
        }
        return words;
    }

    boolean has(String attribute) {
        return attributes.containsKey(attribute);
    }

    /** What may be: {@code a; b} in one line. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (String line : lines("key")) {
            for (String name : line.split(";")) {
                names.add(name.strip());
            }
        }
        return names;
    }
}

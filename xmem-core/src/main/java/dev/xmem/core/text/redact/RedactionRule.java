package dev.xmem.core.text.redact;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One section of {@code rules.txt}: a rule, or a word list. Immutable. The file describes its own syntax.
 *
 * @param name the name in the placeholder; {@code list name} for a word list
 * @param attributes the lines of the section by their first word; those of a word list under {@link #WORDS}
 */
record RedactionRule(String name, Map<String, List<String>> attributes) {
    private static final String LIST = "list ";
    private static final String WORDS = "words";

    /** Reads the sections of a resource by name, in their order. */
    static Map<String, RedactionRule> read(String resource) {
        Map<String, RedactionRule> sections = new LinkedHashMap<>();
        RedactionRule section = new RedactionRule("", new HashMap<>());
        for (String line : RuleFile.lines(RedactionRule.class, resource)) {
            if (line.charAt(0) != ' ') {
                section = sections.getOrDefault(line, new RedactionRule(line, new HashMap<>()));
                sections.put(line, section);
            } else {
                section.add(line.strip());
            }
        }
        return sections;
    }

    private void add(String line) {
        int blank = isList() ? 0 : line.indexOf(' ');
        String attribute = isList() ? WORDS : blank < 0 ? line : line.substring(0, blank);
        String value = blank < 0 ? "" : line.substring(blank).strip();
        List<String> values = attributes.getOrDefault(attribute, new ArrayList<>());
        values.add(value);
        attributes.put(attribute, values);
    }

    /** Whether the section is a word list. */
    boolean isList() {
        return name.startsWith(LIST);
    }

    boolean has(String attribute) {
        return attributes.containsKey(attribute);
    }

    /** The lines of an attribute. */
    List<String> lines(String attribute) {
        return attributes.getOrDefault(attribute, List.of());
    }

    /** The words of all lines of an attribute. */
    List<String> words(String attribute) {
        return split(attribute, " ");
    }

    /** The sensitive names of the rule. */
    List<String> names() {
        return split("key", ";");
    }

    private List<String> split(String attribute, String separator) {
        List<String> parts = new ArrayList<>();
        for (String line : lines(attribute)) {
            for (String part : line.split(separator)) {
                String word = part.strip();
                parts.add(
                        word.indexOf('\\') < 0
                                ? word
                                : word.replace("\\n", "\n").replace("\\s", " "));
            }
        }
        return parts;
    }
}

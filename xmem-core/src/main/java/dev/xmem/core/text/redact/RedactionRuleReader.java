package dev.xmem.core.text.redact;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code rules.txt}, which says at its beginning how it is written. */
final class RedactionRuleReader {
    private static final String LIST = "list ";

    private RedactionRuleReader() {}

    /** The rules in their order, and the word lists under their header. */
    static List<RedactionRule> read(String resource) {
        Map<String, RedactionRule> sections = new LinkedHashMap<>();
        Map<String, List<String>> body = Map.of();
        for (String line : text(resource).split("\n")) {
            if (line.startsWith("#") || line.isBlank()) {
                continue;
            }
            if (line.charAt(0) != ' ') {
                RedactionRule known = sections.get(line);
                RedactionRule section = known == null ? new RedactionRule(line, new HashMap<>()) : known;
                sections.put(line, section);
                body = section.attributes();
            } else {
                add(line.strip(), body);
            }
        }
        return List.copyOf(sections.values());
    }

    /** Whether a section is a word list; its words are all words of its body. */
    static boolean isList(RedactionRule section) {
        return section.name().startsWith(LIST);
    }

    /** The words of the list with this name. */
    static List<String> list(List<RedactionRule> sections, String name) {
        List<String> words = new ArrayList<>();
        for (RedactionRule section : sections) {
            if (section.name().equals(LIST + name)) {
                for (Map.Entry<String, List<String>> lines :
                        section.attributes().entrySet()) {
                    words.add(lines.getKey());
                    for (String line : lines.getValue()) {
                        Collections.addAll(words, line.split(" "));
                    }
                }
            }
        }
        return words;
    }

    private static void add(String line, Map<String, List<String>> body) {
        int blank = line.indexOf(' ');
        String attribute = blank < 0 ? line : line.substring(0, blank);
        String value = blank < 0 ? "" : line.substring(blank).strip();
        List<String> lines = body.get(attribute);
        if (lines == null) {
            lines = new ArrayList<>();
            body.put(attribute, lines);
        }
        lines.add(value);
    }

    private static String text(String resource) {
        try (InputStream in = RedactionRuleReader.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("rule file " + resource + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("rule file " + resource + " cannot be read", e);
        }
    }
}

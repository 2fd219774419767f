package dev.xmem.core.hash;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the rule files, which are lines of text: a {@code #} at the beginning of a line makes it a comment; in files with
 * sections a line that is not indented is the header of the indented lines below it.
 */
final class RuleFile {
    private RuleFile() {}

    /** The lines of a file, without comments, blank lines and trailing blanks. */
    static List<String> lines(String name) {
        try (InputStream in = RuleFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("rule file " + name + " is missing from the jar");
            }
            return withoutComments(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("rule file " + name + " cannot be read", e);
        }
    }

    /** The sections of a file in their order: header to body lines. */
    static Map<String, List<String>> sections(String name) {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        List<String> body = new ArrayList<>();
        for (String line : lines(name)) {
            if (line.charAt(0) != ' ') {
                body = sections.computeIfAbsent(line, header -> new ArrayList<>());
            } else {
                body.add(line.substring(4));
            }
        }
        return sections;
    }

    private static List<String> withoutComments(String text) {
        List<String> kept = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (!line.startsWith("#") && !line.isBlank()) {
                kept.add(line);
            }
        }
        return kept;
    }
}

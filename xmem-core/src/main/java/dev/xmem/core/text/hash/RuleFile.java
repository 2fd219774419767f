package dev.xmem.core.text.hash;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the rule files, which are lines of text: a {@code #} at the beginning of a line makes it a comment; in files with
 * sections a line that is not indented is the header of the indented lines below it.
 */
public final class RuleFile {
    private RuleFile() {}

    /** The lines of a file of this room, without comments, blank lines and trailing blanks. */
    static List<String> lines(String name) {
        return lines(RuleFile.class, name);
    }

    private static List<String> lines(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("rule file " + name + " is missing from the jar");
            }
            return withoutComments(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("rule file " + name + " cannot be read", e);
        }
    }

    /** A header and the lines below it, without their indentation. */
    public record Section(String header, List<String> body) {}

    /** The sections of a file of this room in their order; a header may come again. */
    static List<Section> sections(String name) {
        return sections(RuleFile.class, name);
    }

    /** The sections of a file beside a class in their order; a header may come again. */
    public static List<Section> sections(Class<?> beside, String name) {
        List<Section> sections = new ArrayList<>();
        for (String line : lines(beside, name)) {
            if (line.charAt(0) != ' ') {
                sections.add(new Section(line, new ArrayList<>()));
            } else {
                sections.get(sections.size() - 1).body().add(line.substring(4));
            }
        }
        return sections;
    }

    /** The lines below a header. */
    public static List<String> body(List<Section> sections, String header) {
        for (Section section : sections) {
            if (section.header().equals(header)) {
                return section.body();
            }
        }
        throw new IllegalStateException("no section " + header);
    }

    private static List<String> withoutComments(String text) {
        List<String> kept = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (!line.startsWith("#") && !line.isBlank()) {
                kept.add(line);
            }
        }
        return kept;
    }
}

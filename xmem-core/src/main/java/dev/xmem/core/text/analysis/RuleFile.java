package dev.xmem.core.text.analysis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads rule files. A rule file consists of lines of text; a line that begins with {@code #} is a comment. In a file
 * with sections a line without indentation is the header of the indented lines below it.
 */
public final class RuleFile {
    private RuleFile() {}

    /**
     * The lines of the file beside a class, without comments and empty lines. Each byte is looked at once, because the
     * process that reads the rules is often a short one, in which nothing is compiled yet.
     */
    public static List<String> lines(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the file " + name + " is missing from the jar");
            }
            byte[] bytes = in.readAllBytes();
            List<String> lines = new ArrayList<>();
            int length = bytes.length;
            for (int start = 0; start < length; start++) {
                int begin = start;
                int all = 0;
                while (start < length && bytes[start] != '\n') {
                    all |= bytes[start++];
                }
                if (start > begin && bytes[begin] != '#') {
                    lines.add(new String(
                            bytes,
                            begin,
                            start - begin,
                            all < 0 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1));
                }
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + name + " cannot be read", e);
        }
    }

    /** The words of a line, which blanks separate. */
    public static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        int length = line.length();
        for (int from = 0, end; from < length; from = end + 1) {
            end = line.indexOf(' ', from);
            end = end < 0 ? length : end;
            if (end > from) {
                words.add(line.substring(from, end));
            }
        }
        return words;
    }

    /** A header and the lines below it, without their indentation. */
    public record Section(String header, List<String> body) {}

    /** The sections of the file beside a class, in order; a header may occur several times. */
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

    /** The lines below the first header that equals the given one. */
    public static List<String> body(List<Section> sections, String header) {
        for (Section section : sections) {
            if (section.header().equals(header)) {
                return section.body();
            }
        }
        throw new IllegalStateException("no section " + header);
    }
}

package dev.xmem.core.text.hash;

import dev.xmem.core.base.io.TextResource;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads rule files. A rule file consists of lines of text; a line that begins with {@code #} is a comment. In a file
 * with sections a line without indentation is the header of the indented lines below it.
 */
public final class RuleFile {
    private RuleFile() {}

    /** The lines of a file of this package, without comments and blank lines. */
    static List<String> lines(String name) {
        return TextResource.lines(RuleFile.class, name);
    }

    /** A header and the lines below it, without their indentation. */
    public record Section(String header, List<String> body) {}

    /** The sections of the file beside a class, in order; a header may occur several times. */
    public static List<Section> sections(Class<?> beside, String name) {
        List<Section> sections = new ArrayList<>();
        for (String line : TextResource.lines(beside, name)) {
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

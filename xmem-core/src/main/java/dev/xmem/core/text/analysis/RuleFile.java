package dev.xmem.core.text.analysis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads rule files. A rule file consists of lines of text; a line that begins with {@code #} is a comment. In a file
 * with sections a line without indentation is the header of the indented lines below it.
 */
public final class RuleFile {
    /** The folder of all classes, or null before the first file was read. */
    private static volatile @Nullable URL root;

    private RuleFile() {}

    /**
     * The lines of the file beside a class, without comments and empty lines. Each byte is looked at once, because the
     * process that reads the rules is often a short one, in which nothing is compiled yet.
     */
    public static List<String> lines(Class<?> beside, String name) {
        try (InputStream in = open(beside, name)) {
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

    /**
     * Opens a file, or returns null. The first one tells where the others are, since a JVM that searches for a resource
     * of the class path looks into each of its own modules first. Only there: a jar that is opened by its address stays
     * open, which a class loader that a server drops must not cause.
     */
    private static @Nullable InputStream open(Class<?> beside, String name) throws IOException {
        String path = beside.getPackageName().replace('.', '/') + '/' + name;
        URL known = root;
        try {
            if (known != null) {
                return new URL(known, path).openStream();
            }
        } catch (IOException e) {
            root = null; // the file is of another jar or folder
        }
        URL found = beside.getResource(name);
        boolean ofProgram = beside.getClassLoader() == ClassLoader.getSystemClassLoader();
        if (ofProgram && found != null && found.toString().endsWith(path)) {
            root = new URL(found, found.toString().substring(0, found.toString().length() - path.length()));
        }
        return found == null ? null : found.openStream();
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

package dev.xmem.core.base.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the rule files in the jar: lines of text, of which one that begins with {@code #} is a comment. */
public final class TextResource {
    private TextResource() {}

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
}

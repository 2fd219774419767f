package dev.xmem.core.answer.search;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The byte pattern of JSON with a string that contains a text: the text itself, or a backslash and a letter that may
 * escape one of its characters. Searches bytes as Latin-1 strings, for which the JVM has vector instructions. Immutable
 * and thread-safe.
 */
final class BytePattern {
    /** Each character that JSON escapes with one letter, followed by that letter. */
    private static final String SHORT_ESCAPES = "\"\"\\\\//\bb\ff\nn\rr\tt";

    private static final int PLAIN_BYTES = 3;

    private final String narrow;
    private final BitSet escapes = new BitSet();
    private final boolean plain;

    /** The pattern of a text that is not empty. */
    BytePattern(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        narrow = narrow(bytes, bytes.length);
        plain = bytes.length >= PLAIN_BYTES && text.chars().noneMatch(c -> c < ' ' || c == '"' || c == '\\');
        escapes.set('u');
        for (int i = 0; i < SHORT_ESCAPES.length(); i += 2) {
            if (text.indexOf(SHORT_ESCAPES.charAt(i)) >= 0) {
                escapes.set(SHORT_ESCAPES.charAt(i + 1));
            }
        }
    }

    /** The text, a character for each byte, if it has three or more and JSON never escapes one of them; else null. */
    @Nullable String plain() {
        return plain ? narrow : null;
    }

    /** The first {@code count} bytes, one character each. */
    static String narrow(byte[] bytes, int count) {
        return new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
    }

    /** Whether bytes match. */
    boolean in(byte[] bytes) {
        String in = narrow(bytes, bytes.length);
        return in.contains(narrow) || nextEscape(in, 0) >= 0;
    }

    /** The index of the first occurrence of the text itself from an index on; negative if there is none. */
    int nextText(String in, int from) {
        return in.indexOf(narrow, from);
    }

    /** The index of the first escape of one of its characters from an index on; negative if there is none. */
    int nextEscape(String in, int from) {
        int at = in.indexOf('\\', from);
        while (at >= 0 && (at + 1 == in.length() || !escapes.get(in.charAt(at + 1)))) {
            at = in.indexOf('\\', at + 1);
        }
        return at;
    }
}

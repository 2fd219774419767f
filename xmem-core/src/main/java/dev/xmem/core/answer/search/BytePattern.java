package dev.xmem.core.answer.search;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * What JSON has in its bytes where a string in it holds a text: the text as it stands, or a backslash and a letter with which
 * one of its characters may be written. Bytes are taken as narrow characters, for which the JVM has fast instructions.
 * Immutable and thread-safe.
 */
final class BytePattern {
    /** The characters for which JSON has an escape of one letter, each with it. */
    private static final String SHORT_ESCAPES = "\"\"\\\\//\bb\ff\nn\rr\tt";

    private final String narrow;
    private final BitSet escapes;

    /** The pattern of a text that is not empty. */
    BytePattern(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        this.narrow = narrow(bytes, bytes.length);
        this.escapes = escapes(text);
    }

    private static BitSet escapes(String text) {
        BitSet escapes = new BitSet();
        escapes.set('u');
        for (int i = 0; i < SHORT_ESCAPES.length(); i += 2) {
            if (text.indexOf(SHORT_ESCAPES.charAt(i)) >= 0) {
                escapes.set(SHORT_ESCAPES.charAt(i + 1));
            }
        }
        return escapes;
    }

    /** The first of some bytes, a character each. */
    static String narrow(byte[] bytes, int count) {
        return new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
    }

    /** Whether bytes have it. */
    boolean in(byte[] bytes) {
        String in = narrow(bytes, bytes.length);
        return in.contains(narrow) || nextEscape(in, 0) >= 0;
    }

    /** Where, from a place on, the text itself is first; below 0 if it is not there. */
    int nextText(String in, int from) {
        return in.indexOf(narrow, from);
    }

    /** Where, from a place on, one of its characters may be written in another way; below 0 if nowhere. */
    int nextEscape(String in, int from) {
        int at = in.indexOf('\\', from);
        while (at >= 0 && (at + 1 == in.length() || !escapes.get(in.charAt(at + 1)))) {
            at = in.indexOf('\\', at + 1);
        }
        return at;
    }
}

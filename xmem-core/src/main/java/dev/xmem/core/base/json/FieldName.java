package dev.xmem.core.base.json;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The name of a field, one object for all lines. It remembers which name came next in the line before, because a store
 * writes the fields of a kind in one order: nearly always a name is found by one or two comparisons. Thread-safe.
 * Decision: docs/adr/0112-names-of-the-line-before.md.
 */
final class FieldName {
    /** Far more than stores have. Another name is an object of its line only. */
    private static final int MOST = 1024;

    /** The parser reads a line with a longer name. */
    private static final int LONGEST = 64;

    private static final String END = "\":";
    private static final Map<String, FieldName> KNOWN = new ConcurrentHashMap<>();

    /** What is before the first name of a line. */
    static final FieldName BEGIN = new FieldName("");

    final String text;
    final int hash;
    private final int length;
    /** The bytes of the name, its quotation mark and the colon, eight at a time. */
    private final long[] words;

    /** The bits of the last word that count. */
    private final long mask;

    /** A guess, written by any thread. */
    private FieldName next = this;

    private FieldName(String text) {
        byte[] bytes = (text + END).getBytes(StandardCharsets.ISO_8859_1);
        this.text = text;
        this.hash = text.hashCode();
        this.length = bytes.length;
        this.words = new long[(length + Long.BYTES - 1) / Long.BYTES];
        this.mask = -1L >>> (Long.SIZE * words.length - Byte.SIZE * length);
        ByteBuffer.wrap(Arrays.copyOf(bytes, Long.BYTES * words.length))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(words);
    }

    /** Whether this is a name with this hash code. */
    boolean is(String name, int nameHash) {
        return hash == nameHash && text.equals(name);
    }

    /** The number of bytes from the beginning of the name to that of its value. */
    int length() {
        return length;
    }

    /**
     * The name at an offset of a line, which follows this one. Null if the name has no end, has escapes or characters
     * beyond ASCII, or is very long.
     *
     * @param line little-endian
     */
    @Nullable FieldName followedBy(ByteBuffer line, int from) {
        FieldName guess = next;
        if (guess.isAt(line, from)) {
            return guess;
        }
        int end = plainEnd(line, from);
        if (end < 0 || end - from > LONGEST || end + 1 == line.limit() || line.get(end + 1) != ':') {
            return null;
        }
        byte[] name = new byte[end - from];
        line.get(from, name);
        FieldName found = known(new String(name, StandardCharsets.ISO_8859_1));
        next = found;
        return found;
    }

    private static FieldName known(String text) {
        FieldName known = KNOWN.get(text);
        if (known == null) {
            boolean kept = KNOWN.size() < MOST;
            known = new FieldName(kept ? text.intern() : text); // readers ask with constants, which are interned
            FieldName other = kept ? KNOWN.putIfAbsent(text, known) : null;
            known = other == null ? known : other;
        }
        return known;
    }

    private boolean isAt(ByteBuffer line, int from) {
        int last = words.length - 1;
        if (from + Long.BYTES * words.length > line.limit()) {
            return false;
        }
        for (int i = 0; i < last; i++) {
            if (line.getLong(from + Long.BYTES * i) != words[i]) {
                return false;
            }
        }
        return (line.getLong(from + Long.BYTES * last) & mask) == words[last];
    }

    /** The closing quotation mark of a text of ASCII characters without escapes; -1 for another text. */
    static int plainEnd(ByteBuffer line, int from) {
        for (int i = from; i < line.limit(); i++) {
            byte c = line.get(i);
            if (c == '"') {
                return i;
            }
            if (c < ' ' || c == '\\') {
                return -1;
            }
        }
        return -1;
    }
}

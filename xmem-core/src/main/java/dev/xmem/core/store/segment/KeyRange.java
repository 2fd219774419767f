package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The first and the last key of a dictionary, so that a lookup of a key outside needs not open it.
 *
 * @param first the first key; empty if there is none
 * @param last the last key
 * @param size the number of keys
 * @param plain whether all have narrow characters only, so that they are in the order of their text: wide ones come
 *     first
 */
record KeyRange(String first, String last, int size, boolean plain) {
    static KeyRange of(String first, String last, int size) {
        return new KeyRange(first, last, size, !first.isEmpty() && KeyCodec.of(first)[0] != 0);
    }

    /** The range of these keys and of others. */
    KeyRange with(KeyRange other) {
        if (size == 0 || other.size == 0) {
            return size == 0 ? other : this;
        }
        String least = compare(first, other.first) <= 0 ? first : other.first;
        String greatest = compare(last, other.last) >= 0 ? last : other.last;
        return of(least, greatest, size + other.size);
    }

    private static int compare(String key, String other) {
        return Arrays.compareUnsigned(KeyCodec.of(key), KeyCodec.of(other));
    }

    /** Whether a key may be there. */
    boolean mayHave(String key) {
        return size > 0 && (!plain || key.compareTo(first) >= 0 && key.compareTo(last) <= 0);
    }

    /** Whether a key may be in both. */
    boolean mayMeet(KeyRange other) {
        boolean ordered = plain && other.plain;
        return size > 0
                && other.size > 0
                && (!ordered || first.compareTo(other.last) <= 0 && other.first.compareTo(last) <= 0);
    }

    /** Whether a key that begins with a prefix may be there. */
    boolean mayHavePrefix(String prefix) {
        return size > 0
                && (!plain
                        || last.compareTo(prefix) >= 0 && (first.compareTo(prefix) <= 0 || first.startsWith(prefix)));
    }

    void write(SectionWriter out) {
        out.writeInt(size);
        out.writeText(first);
        out.writeText(last);
    }

    static KeyRange read(ByteBuffer in) {
        int size = in.getInt();
        return of(SectionFile.text(in), SectionFile.text(in), size);
    }
}

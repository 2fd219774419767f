package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;

/**
 * Between which keys those of a dictionary are.
 *
 * @param first the first key; empty where there is none
 * @param last the last key
 * @param size how many there are
 * @param plain whether all have narrow characters only: wide ones stand first. Such keys are in the order of their text
 */
record KeyRange(String first, String last, int size, boolean plain) {
    static KeyRange of(String first, String last, int size) {
        return new KeyRange(first, last, size, !first.isEmpty() && KeyCodec.of(first)[0] != 0);
    }

    /** Whether a key may be there: not so where it is beyond the first or the last. */
    boolean mayHave(String key) {
        return size > 0 && (!plain || key.compareTo(first) >= 0 && key.compareTo(last) <= 0);
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

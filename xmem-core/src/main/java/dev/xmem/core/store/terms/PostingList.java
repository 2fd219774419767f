package dev.xmem.core.store.terms;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The posting list of one term in memory: ascending ordinals, each with the term's weight. The first posting is in
 * fields, because most terms have no other; the rest are bytes: the distance to the previous ordinal shifted by three
 * bits, as a varint, with a code for the weight in the low bits and, if no code fits, the weight in one more byte.
 *
 * <p>One writer, any number of readers, no lock. A reader has a cutoff that the index published by a volatile write
 * after all postings below it were written: it sees all of these. Postings that are added concurrently it may see or
 * not, but never half: bytes are written before {@code end} is set with release semantics, and {@code bytes} is
 * replaced the same way before that, so the array that a reader gets after an end holds everything below that end.
 * Postings from the cutoff on are dropped. {@code first} is set once and is 32 bits wide, so it is either unset or
 * complete.
 */
final class PostingList implements TextIndex.TermPostings, TextIndex.RunPostings {
    private static final VarHandle BYTES;
    private static final VarHandle END;
    private static final byte[] NONE = {};
    static final int LONGEST_POSTING = 7;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            BYTES = lookup.findVarHandle(PostingList.class, "bytes", byte[].class);
            END = lookup.findVarHandle(PostingList.class, "end", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private byte[] bytes = NONE;
    private int end;
    private int first = -1;
    private byte firstWeight;
    /** Used by the writer only. */
    private int last;

    /** Appends a posting. The weight is from 1 to 255. */
    void add(int ordinal, int weight) {
        if (first < 0) {
            firstWeight = (byte) weight;
            last = ordinal;
            VarHandle.releaseFence();
            first = ordinal;
            return;
        }
        END.setRelease(this, put(grown(), end, ordinal - last, weight));
        last = ordinal;
    }

    /** Encodes a posting; returns the index after it. */
    static int put(byte[] target, int from, int distance, int weight) {
        int at = from;
        int code = weight <= PostingsIterator.ESCAPE ? weight - 1 : PostingsIterator.ESCAPE;
        long value = ((long) distance << 3) | code;
        while (value >= 0x80) {
            target[at++] = (byte) (value | 0x80);
            value >>>= 7;
        }
        target[at++] = (byte) value;
        if (code == PostingsIterator.ESCAPE) {
            target[at++] = (byte) weight;
        }
        return at;
    }

    private byte[] grown() {
        if (bytes.length - end >= LONGEST_POSTING) {
            return bytes;
        }
        byte[] larger = Arrays.copyOf(bytes, Math.max(8, bytes.length + (bytes.length >> 1)) + 4);
        BYTES.setRelease(this, larger);
        return larger;
    }

    @Override
    public @Nullable PostingsIterator iterator(int cutoff) {
        int begin = first;
        if (begin < 0 || begin >= cutoff) {
            return null;
        }
        int to = (int) END.getAcquire(this);
        return new PostingsIterator((byte[]) BYTES.getAcquire(this), 0, to, begin, firstWeight & 0xFF, cutoff);
    }

    @Override
    public int count(int cutoff) {
        return PostingsIterator.count(iterator(cutoff));
    }

    @Override
    public TextIndex.RunPostings run(int number) {
        return this;
    }

    @Override
    public int size() {
        return 1 + (int) END.getAcquire(this);
    }
}

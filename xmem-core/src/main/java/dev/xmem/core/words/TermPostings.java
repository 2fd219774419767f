package dev.xmem.core.words;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where one term stands: ordinals, ascending, each with the weight of its fields. The first posting lies in the object,
 * since most terms have no other; the rest are bytes: the distance to the previous ordinal shifted by three bits, as a
 * varint, with a code for the weight in the low bits and, when no code fits, the weight in one more byte.
 *
 * <p>One writer, any readers, no lock. A reader comes with a cutoff that the index published by a volatile write after
 * all postings below it were written; these it is sure to see. What the writer adds meanwhile the reader may see or not,
 * but never half: bytes are written before {@code end} is set with release semantics and {@code bytes} is replaced the
 * same way before that, so that a reader that gets an end also gets an array that holds all below it; and all it decodes
 * beyond the cutoff it drops. {@code first} is set once and 32 bits wide: it is there and below the cutoff, or not.
 */
final class TermPostings implements WordLines.TermLines {
    private static final VarHandle BYTES;
    private static final VarHandle END;
    private static final int HEAVIEST = 255;
    private static final byte[] NONE = {};

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            BYTES = lookup.findVarHandle(TermPostings.class, "bytes", byte[].class);
            END = lookup.findVarHandle(TermPostings.class, "end", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final byte[] term;
    private final int hash;
    private byte[] bytes = NONE;
    private int end;
    private int first = -1;
    private byte firstWeight;
    // The writer's own:
    private int last;
    private short pending;

    TermPostings(char[] chars, int length, int hash) {
        this.term = TermBytes.of(chars, length);
        this.hash = hash;
    }

    int hash() {
        return hash;
    }

    boolean is(char[] chars, int length) {
        return TermBytes.equal(term, chars, length);
    }

    /** Adds weight for the entry being written; true when it is the first for this entry. */
    boolean weigh(int weight) {
        boolean fresh = pending == 0;
        pending = (short) Math.min(HEAVIEST, pending + weight);
        return fresh;
    }

    void forget() {
        pending = 0;
    }

    /** Makes a posting of what was weighed. */
    void commit(int ordinal) {
        int weight = pending;
        pending = 0;
        if (first < 0) {
            firstWeight = (byte) weight;
            last = ordinal;
            VarHandle.releaseFence();
            first = ordinal;
            return;
        }
        append(ordinal - last, weight);
        last = ordinal;
    }

    private void append(int distance, int weight) {
        END.setRelease(this, put(roomy(), end, distance, weight));
    }

    private static int put(byte[] target, int from, int distance, int weight) {
        int at = from;
        int code = weight <= PostingCursor.ESCAPE ? weight - 1 : PostingCursor.ESCAPE;
        long value = ((long) distance << 3) | code;
        while (value >= 0x80) {
            target[at++] = (byte) (value | 0x80);
            value >>>= 7;
        }
        target[at++] = (byte) value;
        if (code == PostingCursor.ESCAPE) {
            target[at++] = (byte) weight;
        }
        return at;
    }

    private byte[] roomy() {
        if (bytes.length - end >= 7) {
            return bytes;
        }
        byte[] larger = Arrays.copyOf(bytes, Math.max(8, bytes.length + (bytes.length >> 1)) + 4);
        BYTES.setRelease(this, larger);
        return larger;
    }

    long memory() {
        return 40L + 16 + term.length + (bytes.length == 0 ? 0 : 16 + bytes.length);
    }

    @Override
    public @Nullable PostingCursor cursor(int cutoff) {
        int begin = first;
        if (begin < 0 || begin >= cutoff) {
            return null;
        }
        int to = (int) END.getAcquire(this);
        return new PostingCursor((byte[]) BYTES.getAcquire(this), 0, to, begin, firstWeight & 0xFF, cutoff);
    }

    @Override
    public int count(int cutoff) {
        return PostingCursor.count(cursor(cutoff));
    }

    byte[] term() {
        return term;
    }

    /** All postings, the first written like the others. For the writer, or when nothing is added any more. */
    byte[] encoded() {
        byte[] all = new byte[end + 6];
        int at = put(all, 0, first, firstWeight & 0xFF);
        System.arraycopy(bytes, 0, all, at, end);
        return Arrays.copyOf(all, at + end);
    }
}

package dev.xmem.core.store.terms;

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
final class PostingList implements TextIndex.TermLines {
    private static final VarHandle BYTES;
    private static final VarHandle END;
    private static final byte[] NONE = {};
    private static final int LONGEST_POSTING = 7;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            BYTES = lookup.findVarHandle(PostingList.class, "bytes", byte[].class);
            END = lookup.findVarHandle(PostingList.class, "end", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final byte[] term;
    private final int hash;
    private final int number;
    private byte[] bytes = NONE;
    private int end;
    private int first = -1;
    private byte firstWeight;
    // The writer's own:
    private int last;
    private int count;

    PostingList(char[] chars, int length, int hash, int number) {
        this.term = CompactTerm.of(chars, length);
        this.hash = hash;
        this.number = number;
    }

    /** Its number among the terms. */
    int number() {
        return number;
    }

    int hash() {
        return hash;
    }

    boolean is(char[] chars, int length) {
        return CompactTerm.equal(term, 0, term.length, chars, length);
    }

    /** Adds a posting: an entry and the weight of its fields, from 1 on. */
    void add(int ordinal, int weight) {
        count++;
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

    /** Writes a posting; returns where the next one goes. */
    private static int put(byte[] target, int from, int distance, int weight) {
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

    private byte[] roomy() {
        if (bytes.length - end >= LONGEST_POSTING) {
            return bytes;
        }
        byte[] larger = Arrays.copyOf(bytes, Math.max(8, bytes.length + (bytes.length >> 1)) + 4);
        BYTES.setRelease(this, larger);
        return larger;
    }

    /** Hands the term over with all its postings, the first encoded like the others. For the writer. */
    void visit(MemoryTextIndex.TermVisitor visitor) {
        if (first >= 0) {
            byte[] all = new byte[end + LONGEST_POSTING];
            int start = put(all, 0, first, firstWeight & 0xFF);
            System.arraycopy(bytes, 0, all, start, end);
            visitor.term(term, count, all, start + end);
        }
    }

    long memory() {
        return 40L + 16 + term.length + (bytes.length == 0 ? 0 : 16 + bytes.length);
    }

    @Override
    public @Nullable PostingsIterator cursor(int cutoff) {
        int begin = first;
        if (begin < 0 || begin >= cutoff) {
            return null;
        }
        int to = (int) END.getAcquire(this);
        return new PostingsIterator((byte[]) BYTES.getAcquire(this), 0, to, begin, firstWeight & 0xFF, cutoff);
    }

    @Override
    public int count(int cutoff) {
        return PostingsIterator.count(cursor(cutoff));
    }

    /** Puts the term's characters into an array; returns how many there are. */
    int copy(char[] into, int at) {
        return CompactTerm.copy(term, 0, term.length, into, at);
    }
}

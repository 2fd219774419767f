package dev.xmem.core.store.terms;

import org.jspecify.annotations.Nullable;

/** Decodes the postings of a term below a cutoff, in ascending order. One thread only. */
public final class PostingsIterator {
    public static final int DONE = Integer.MAX_VALUE;
    static final int ESCAPE = 7;

    private final int cutoff;
    private final @Nullable Chunks chunks;
    private byte[] bytes;
    private int end;
    private int at;
    /** The next chunk, and the first ordinal behind the current one. */
    private int chunk;

    private int chunkEnd = DONE;
    private int ordinal;
    private int weight;

    /** The posting lists of consecutive runs of lines, each encoded by {@link PostingList#put} from 0 on. */
    public interface Chunks {
        /** The number of lists. */
        int chunks();

        /** The ordinal that 0 in a list stands for. */
        int base(int number);

        /** The first ordinal behind the run of a list. */
        int limit(int number);

        /** A copy of the bytes of a list. */
        byte[] bytes(int number);
    }

    private PostingsIterator(Chunks chunks, int cutoff) {
        this.chunks = chunks;
        this.bytes = new byte[0];
        this.cutoff = cutoff;
    }

    PostingsIterator(byte[] bytes, int from, int end, int first, int firstWeight, int cutoff) {
        this.chunks = null;
        this.bytes = bytes;
        this.at = from;
        this.end = end;
        this.cutoff = cutoff;
        this.ordinal = first;
        this.weight = firstWeight;
    }

    /** Over postings that are all encoded by {@link PostingList#put}; null if none is below the cutoff. */
    public static @Nullable PostingsIterator over(byte[] bytes, int from, int cutoff) {
        return first(new PostingsIterator(bytes, from, bytes.length, 0, 0, cutoff));
    }

    /** Over several lists; null if no posting is below the cutoff. A list is copied when it is reached. */
    public static @Nullable PostingsIterator over(Chunks chunks, int cutoff) {
        return first(new PostingsIterator(chunks, cutoff));
    }

    private static @Nullable PostingsIterator first(PostingsIterator postings) {
        postings.next();
        return postings.ordinal == DONE ? null : postings;
    }

    /** The number of postings from the current one on; 0 for null. */
    public static int count(@Nullable PostingsIterator postings) {
        int count = 0;
        for (; postings != null && postings.ordinal != DONE; postings.next()) {
            count++;
        }
        return count;
    }

    /** The current ordinal; {@link #DONE} after the last. */
    public int ordinal() {
        return ordinal;
    }

    /** Where the current posting ends in the bytes. */
    public int position() {
        return at;
    }

    /** The weight of the current posting. */
    public int weight() {
        return weight;
    }

    public void next() {
        if (at >= end && !nextChunk()) {
            ordinal = DONE;
            return;
        }
        byte b = bytes[at++];
        long value = b & 0x7F;
        for (int shift = 7; b < 0; shift += 7) {
            b = bytes[at++];
            value |= (long) (b & 0x7F) << shift;
        }
        int code = (int) value & 7;
        weight = code == ESCAPE ? bytes[at++] & 0xFF : code + 1;
        ordinal += (int) (value >>> 3);
        if (ordinal >= cutoff) {
            ordinal = DONE;
            at = end;
            chunk = DONE;
        }
    }

    /** Goes to the next list that is not empty; false if there is none. */
    private boolean nextChunk() {
        while (chunks != null && chunk < chunks.chunks()) {
            bytes = chunks.bytes(chunk);
            at = 0;
            end = bytes.length;
            ordinal = chunks.base(chunk);
            chunkEnd = chunks.limit(chunk++);
            if (end > 0) {
                return true;
            }
        }
        return false;
    }

    /** Advances to the first posting that is not below an ordinal. */
    public void skipTo(int least) {
        while (ordinal < least) {
            if (least >= chunkEnd) {
                at = end;
                while (chunks != null && chunk < chunks.chunks() && chunks.limit(chunk) <= least) {
                    chunk++;
                }
            }
            next();
        }
    }

    /** Decodes all postings below an ordinal into arrays and advances past them; returns their number. */
    public int take(int to, int[] ordinals, byte[] weights) {
        int n = 0;
        while (ordinal < to) {
            n = takeShort(n, to, ordinals, weights);
            if (ordinal < to) {
                ordinals[n] = ordinal;
                weights[n++] = (byte) weight;
                next();
            }
        }
        return n;
    }

    /** A fast path for postings of one byte, which most are in a long list. */
    private int takeShort(int taken, int to, int[] ordinals, byte[] weights) {
        byte[] in = bytes;
        int n = taken;
        int i = at;
        int now = ordinal;
        int w = weight;
        int last = Math.min(to, cutoff);
        int until = end;
        while (i < until) {
            int b = in[i];
            int next = now + (b >> 3);
            if (b < 0 || (b & ESCAPE) == ESCAPE || next >= last) {
                break;
            }
            ordinals[n] = now;
            weights[n++] = (byte) w;
            now = next;
            w = (b & ESCAPE) + 1;
            i++;
        }
        at = i;
        ordinal = now;
        weight = w;
        return n;
    }
}

package dev.xmem.core.store.terms;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Decodes the postings of a term below a cutoff, in ascending order. One thread only. */
public final class PostingsIterator {
    public static final int DONE = Integer.MAX_VALUE;
    static final int ESCAPE = 7;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** A number with this bit in each byte, times which a byte is in every byte. */
    private static final long ONES = 0x0101010101010101L;

    private static final long HIGH_BITS = 0x8080808080808080L;
    /** Eight bytes of which the first is not of a posting of one byte or two. */
    private static final long NONE_SHORT = HIGH_BITS;
    /** The least number of one-byte postings that are decoded together. */
    private static final int MANY = 4;
    /** The most that the distances of eight postings add up to which take a byte each. */
    private static final int MOST_OF_EIGHT = 8 * 0xF;

    private static final int[] NO_ORDINALS = {};
    private static final byte[] NO_WEIGHTS = {};

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
        if (ordinal < least && least >= chunkEnd) {
            at = end;
            while (chunks != null && chunk < chunks.chunks() && chunks.limit(chunk) <= least) {
                chunk++;
            }
        }
        while (ordinal < least) {
            if (at >= end) {
                next();
            } else {
                decode(least, NO_ORDINALS, NO_WEIGHTS, -1);
            }
        }
    }

    /** Decodes all postings below an ordinal into arrays and advances past them; returns their number. */
    public int take(int to, int[] ordinals, byte[] weights) {
        int n = 0;
        while (ordinal < to) {
            if (at >= end) {
                ordinals[n] = ordinal;
                weights[n++] = (byte) weight;
                next();
            } else {
                n = decode(to, ordinals, weights, n);
            }
        }
        return n;
    }

    /**
     * Decodes the postings of the current chunk up to the first that is not below an ordinal, which becomes the current
     * one, as the last of the chunk does; returns how many postings are in the arrays.
     *
     * @param n how many were there; negative to advance only
     */
    private int decode(int to, int[] ordinals, byte[] weights, int n) {
        byte[] in = bytes;
        int taken = n;
        int i = at;
        int now = ordinal;
        int code = weight;
        int last = Math.min(to, cutoff);
        for (int until = end; now < last && i < until; ) {
            long eight = until - i < Long.BYTES ? NONE_SHORT : (long) LONGS.get(in, i);
            int clean = Long.numberOfTrailingZeros(longer(eight)) / Byte.SIZE;
            if (clean >= MANY) {
                long sums = (eight >>> 3 & 0xF * ONES) * ONES;
                int m = Math.min(clean, upTo(sums, last - now));
                int lastShift = Byte.SIZE * (m - 1);
                if (taken >= 0) {
                    long distances = sums << Byte.SIZE;
                    long codes = (eight & ESCAPE * ONES) + ONES << Byte.SIZE | code;
                    for (int k = 0; k < m; k++) {
                        ordinals[taken] = now + (int) (distances & 0xFF);
                        weights[taken++] = (byte) codes;
                        distances >>>= Byte.SIZE;
                        codes >>>= Byte.SIZE;
                    }
                }
                now += (int) (sums >>> lastShift) & 0xFF;
                code = 1 + ((int) (eight >>> lastShift) & ESCAPE);
                i += m;
                continue;
            }
            // Postings of one or two bytes, without a branch that depends on which.
            int begin = i;
            for (int k = 0; k < Long.BYTES / 2 && now < last && isShort(eight); k++) {
                if (taken >= 0) {
                    ordinals[taken] = now;
                    weights[taken++] = (byte) code;
                }
                int more = (int) eight >>> 7 & 1;
                int value = (int) eight & 0x7F | (int) eight >>> 1 & 0x3F80 & -more;
                code = 1 + (value & ESCAPE);
                now += value >>> 3;
                i += 1 + more;
                eight >>>= Byte.SIZE << more;
            }
            if (i > begin) {
                continue;
            }
            if (taken >= 0) {
                ordinals[taken] = now;
                weights[taken++] = (byte) code;
            }
            byte b = in[i++];
            long value = b & 0x7F;
            for (int shift = 7; b < 0; shift += 7) {
                b = in[i++];
                value |= (long) (b & 0x7F) << shift;
            }
            code = 1 + ((int) value & ESCAPE);
            if (code > ESCAPE) {
                code = in[i++] & 0xFF;
            }
            now += (int) (value >>> 3);
        }
        at = i;
        ordinal = now;
        weight = code;
        if (now >= cutoff) {
            ordinal = DONE;
            at = end;
            chunk = DONE;
        }
        return taken;
    }

    /** Whether the first posting takes one byte or two, with the code of its weight. */
    private static boolean isShort(long eight) {
        return (eight & 0x8080) != 0x8080 && (eight & ESCAPE) != ESCAPE;
    }

    /** The high bits of the bytes that are not a posting by themselves. */
    private static long longer(long eight) {
        long escapes = eight & eight >>> 1 & eight >>> 2 & ONES;
        return (eight | escapes << 7) & HIGH_BITS;
    }

    /** How many of eight ascending distances, a byte each, lead to the first that is not below one; at most 8. */
    private static int upTo(long sums, int distance) {
        if (distance > MOST_OF_EIGHT) {
            return Long.BYTES;
        }
        long reached = (sums | HIGH_BITS) - distance * ONES & HIGH_BITS;
        return Math.min(Long.BYTES, 1 + Long.numberOfTrailingZeros(reached) / Byte.SIZE);
    }
}

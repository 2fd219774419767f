package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.LineColumns;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A hash table from the 64-bit digest of a line to its ordinal, and the functions that compute digests. One writer; a
 * reader finds every line that was published before it began, and checks with the columns that it found one of these.
 */
final class DigestTable {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final long ROLLING_MULTIPLIER = 31;

    private volatile Table table = new Table(256);
    private int size;

    private static final class Table {
        private final long[] keys;
        private final int[] ordinals;

        Table(int slots) {
            keys = new long[slots];
            ordinals = new int[slots];
        }

        int get(long digest) {
            int mask = keys.length - 1;
            for (int i = (int) digest & mask; keys[i] != 0; i = (i + 1) & mask) {
                if (keys[i] == digest) {
                    return ordinals[i];
                }
            }
            return -1;
        }

        void put(long digest, int ordinal) {
            int mask = keys.length - 1;
            int i = (int) digest & mask;
            while (keys[i] != 0) {
                i = (i + 1) & mask;
            }
            ordinals[i] = ordinal;
            keys[i] = digest;
        }
    }

    /** A digest that is the same on every machine. It is not cryptographic: the bytes are compared, too. */
    static long of(byte[] bytes, int offset, int length) {
        ByteBuffer longs = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN); // a VarHandle takes 5 ms to create
        long h = length * MULTIPLIER;
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            h = mix(h ^ longs.getLong(offset + i));
        }
        long last = 0;
        for (int shift = 0; i < length; i++, shift += 8) {
            last |= (bytes[offset + i] & 0xFFL) << shift;
        }
        h = mix(mix(h ^ last));
        return h == 0 ? 1 : h;
    }

    /** The rolling digest of lines and one more. */
    static long next(long rolling, long digest) {
        return ROLLING_MULTIPLIER * rolling + digest;
    }

    /** The rolling digest of lines and {@code more} others, which have a rolling digest of their own. */
    static long joined(long rolling, int more, long ofMore) {
        long power = 1;
        long square = ROLLING_MULTIPLIER;
        for (int rest = more; rest > 0; rest >>= 1) {
            power *= (rest & 1) == 1 ? square : 1;
            square *= square;
        }
        return power * rolling + ofMore;
    }

    /** The rolling digest of the lines below a number. */
    static long rolling(LineColumns lines, int cutoff) {
        long rolling = 0;
        for (int line = 0; line < cutoff; line++) {
            rolling = next(rolling, lines.digest(line));
        }
        return rolling;
    }

    private static long mix(long h) {
        long m = h * MULTIPLIER;
        return m ^ (m >>> 29);
    }

    /** The ordinal of a line with this digest, or -1. */
    int get(long digest) {
        return table.get(digest);
    }

    void put(long digest, int ordinal) {
        Table known = table;
        if (2 * ++size > known.keys.length) {
            known = grown(known);
            table = known;
        }
        known.put(digest, ordinal);
    }

    private static Table grown(Table old) {
        Table grown = new Table(2 * old.keys.length);
        for (int i = 0; i < old.keys.length; i++) {
            if (old.keys[i] != 0) {
                grown.put(old.keys[i], old.ordinals[i]);
            }
        }
        return grown;
    }
}

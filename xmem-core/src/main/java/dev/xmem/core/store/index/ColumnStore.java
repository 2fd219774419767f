package dev.xmem.core.store.index;

import dev.xmem.Entry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is known of every line, by ordinal. One writer, many readers: see the package. */
@SuppressWarnings("NonAtomicVolatileUpdate") // one writer
final class ColumnStore {
    private static final Entry.Kind[] KINDS = Entry.Kind.values();

    private static final long MULTIPLIER = 31;

    private long[] offsets = new long[16];
    private int[] lengths = new int[16];
    private long[] times = new long[16];
    private byte[] kinds = new byte[16];
    private long[] digests = new long[16];
    private @Nullable String[] ids = new @Nullable String[16];
    private long[] chains = new long[16];
    private volatile int count;

    void add(long offset, int length, long time, Entry.Kind kind, long digest, @Nullable String id) {
        int n = count;
        if (n == offsets.length) {
            grow(n + (n >> 1));
        }
        offsets[n] = offset;
        lengths[n] = length;
        times[n] = time;
        kinds[n] = (byte) kind.ordinal();
        digests[n] = digest;
        ids[n] = id;
        chains[n] = next(n == 0 ? 0 : chains[n - 1], digest);
    }

    /** Makes the line that was added visible. */
    void publish() {
        count = count + 1;
    }

    private void grow(int size) {
        offsets = Arrays.copyOf(offsets, size);
        lengths = Arrays.copyOf(lengths, size);
        times = Arrays.copyOf(times, size);
        kinds = Arrays.copyOf(kinds, size);
        digests = Arrays.copyOf(digests, size);
        ids = Arrays.copyOf(ids, size);
        chains = Arrays.copyOf(chains, size);
    }

    int count() {
        return count;
    }

    /** What follows in a chain of numbers made from the bytes of lines in their order. */
    static long next(long chain, long digest) {
        return MULTIPLIER * chain + digest;
    }

    /** What follows in a chain that goes on with so many lines, which are a chain of their own. */
    static long joined(long before, int lines, long chain) {
        return power(lines) * before + chain;
    }

    /** The chain of the lines below this one. */
    long rollingDigest(int cutoff) {
        return cutoff == 0 ? 0 : chains[cutoff - 1];
    }

    private static long power(int exponent) {
        long power = 1;
        long square = MULTIPLIER;
        for (int rest = exponent; rest > 0; rest >>= 1) {
            power *= (rest & 1) == 1 ? square : 1;
            square *= square;
        }
        return power;
    }

    long offset(int ordinal) {
        return offsets[ordinal];
    }

    int length(int ordinal) {
        return lengths[ordinal];
    }

    long time(int ordinal) {
        return times[ordinal];
    }

    Entry.Kind kind(int ordinal) {
        return KINDS[kinds[ordinal]];
    }

    long digest(int ordinal) {
        return digests[ordinal];
    }

    @Nullable String id(int ordinal) {
        return ids[ordinal];
    }
}

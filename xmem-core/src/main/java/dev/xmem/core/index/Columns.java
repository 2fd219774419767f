package dev.xmem.core.index;

import dev.xmem.Entry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is known of every line, by ordinal. One writer, many readers: see the package. */
@SuppressWarnings("NonAtomicVolatileUpdate") // one writer
final class Columns {
    private static final Entry.Kind[] KINDS = Entry.Kind.values();

    private long[] offsets = new long[16];
    private int[] lengths = new int[16];
    private long[] times = new long[16];
    private byte[] kinds = new byte[16];
    private long[] digests = new long[16];
    private @Nullable String[] ids = new @Nullable String[16];
    private int firstDisorder = Integer.MAX_VALUE;
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
        if (firstDisorder == Integer.MAX_VALUE && n > 0 && time < times[n - 1]) {
            firstDisorder = n;
        }
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
    }

    int count() {
        return count;
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

    /** Whether the times of all lines below this one ascend. */
    boolean ascendsBelow(int cutoff) {
        return cutoff <= firstDisorder;
    }
}

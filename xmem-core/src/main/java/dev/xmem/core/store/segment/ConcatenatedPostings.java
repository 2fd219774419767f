package dev.xmem.core.store.segment;

import java.util.Arrays;

/** The posting lists of consecutive parts as one list. Only the last may grow. */
public final class ConcatenatedPostings implements Postings {
    private final Postings[] parts;
    private final int[] bases;
    private final int[] starts;

    /** Collects the lists in the order of the parts. */
    public static final class Builder {
        private Postings[] parts = new Postings[4];
        private int[] bases = new int[4];
        private int n;

        /** Adds the list of the part whose first line has this ordinal. */
        public void add(int base, Postings part) {
            if (part == EMPTY) {
                return;
            }
            if (n == parts.length) {
                parts = Arrays.copyOf(parts, 2 * n);
                bases = Arrays.copyOf(bases, 2 * n);
            }
            parts[n] = part;
            bases[n++] = base;
        }

        public Postings build() {
            return n == 0 ? EMPTY : n == 1 && bases[0] == 0 ? parts[0] : new ConcatenatedPostings(parts, bases, n);
        }
    }

    private ConcatenatedPostings(Postings[] parts, int[] bases, int n) {
        this.parts = Arrays.copyOf(parts, n);
        this.bases = Arrays.copyOf(bases, n);
        this.starts = new int[n];
        for (int i = 1; i < n; i++) {
            starts[i] = starts[i - 1] + parts[i - 1].countBelow(Integer.MAX_VALUE);
        }
    }

    @Override
    public int countBelow(int cutoff) {
        for (int i = parts.length - 1; i >= 0; i--) {
            if (bases[i] < cutoff) {
                return starts[i] + parts[i].countBelow(cutoff - bases[i]);
            }
        }
        return 0;
    }

    @Override
    public int at(int place) {
        int i = place(starts, place);
        return bases[i] + parts[i].at(place - starts[i]);
    }

    @Override
    public boolean contains(int ordinal) {
        int i = place(bases, ordinal);
        return i >= 0 && parts[i].contains(ordinal - bases[i]);
    }

    /** The last place in an ascending array with a number that is not above this one: empty lists share a start. */
    private static int place(int[] ascending, int number) {
        int at = Arrays.binarySearch(ascending, number);
        int last = at < 0 ? -at - 2 : at;
        while (last >= 0 && last + 1 < ascending.length && ascending[last + 1] == number) {
            last++;
        }
        return last;
    }
}

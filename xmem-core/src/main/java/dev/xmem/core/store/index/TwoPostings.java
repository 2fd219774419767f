package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.Postings;

/** The ordinals of two posting lists in ascending order, without a copy. An ordinal in both is there twice. */
record TwoPostings(Postings one, Postings other) implements Postings {
    @Override
    public int countBelow(int cutoff) {
        return one.countBelow(cutoff) + other.countBelow(cutoff);
    }

    @Override
    public int at(int place) {
        // The number of ordinals of the first list among those before the place, found by bisection.
        int low = Math.max(0, place - other.countBelow(Integer.MAX_VALUE));
        int high = Math.min(place, one.countBelow(Integer.MAX_VALUE));
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (one.at(middle) < other.at(place - middle - 1)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        boolean ofOne = place - low >= other.countBelow(Integer.MAX_VALUE)
                || low < one.countBelow(Integer.MAX_VALUE) && one.at(low) <= other.at(place - low);
        return ofOne ? one.at(low) : other.at(place - low);
    }

    @Override
    public boolean contains(int ordinal) {
        return one.contains(ordinal) || other.contains(ordinal);
    }
}

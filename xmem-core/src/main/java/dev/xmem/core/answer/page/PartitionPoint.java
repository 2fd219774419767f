package dev.xmem.core.answer.page;

import java.util.function.IntPredicate;

/** Finds the last number that fits, where all below it fit and none above. */
final class PartitionPoint {
    private PartitionPoint() {}

    /**
     * Doubling steps from a guess, then halving ones: two questions if the guess is right.
     *
     * @return the last number from least to most that fits; least - 1 if none does
     */
    static int last(int least, int most, int guess, IntPredicate fits) {
        int low = least - 1;
        int high = most + 1;
        boolean lowIsKnown = false;
        boolean highIsKnown = false;
        int at = Math.max(least, Math.min(most, guess));
        for (long step = 1; high - low > 1; step *= 2) {
            if (fits.test(at)) {
                low = at;
                lowIsKnown = true;
            } else {
                high = at;
                highIsKnown = true;
            }
            if (lowIsKnown && highIsKnown) {
                at = low + (high - low) / 2;
            } else {
                at = (int) (lowIsKnown ? Math.min(low + step, high - 1) : Math.max(high - step, low + 1));
            }
        }
        return low;
    }
}

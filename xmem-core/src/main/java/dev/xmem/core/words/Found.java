package dev.xmem.core.words;

import java.util.Arrays;
import java.util.List;

/** The entries that passed so far, in growing arrays; keeps the best score and drops what lies below its floor. */
final class Found {
    private static final int STEPS = 256;

    private int[] slices = new int[64];
    private int[] ordinals = new int[64];
    private float[] scores = new float[64];
    private long[] matched = new long[64];
    private int size;
    private float best;
    private float floor;

    void add(int slice, int ordinal, double exact, long match) {
        float score = (float) exact;
        if (score < floor) {
            return;
        }
        if (score > best) {
            best = score;
            floor = (float) (best * Tuning.FLOOR);
        }
        if (size == ordinals.length) {
            grow();
        }
        slices[size] = slice;
        ordinals[size] = ordinal;
        scores[size] = score;
        matched[size++] = match;
    }

    /** Entries with lower scores are not shown. */
    float floor() {
        return floor;
    }

    private void grow() {
        slices = Arrays.copyOf(slices, size * 2);
        ordinals = Arrays.copyOf(ordinals, size * 2);
        scores = Arrays.copyOf(scores, size * 2);
        matched = Arrays.copyOf(matched, size * 2);
    }

    /** So many ranks at least, and all of the same score as one of them. */
    Ranking ranking(List<String> words, int most) {
        long[] order = order(most);
        int[] orderedSlices = new int[order.length];
        int[] orderedOrdinals = new int[order.length];
        float[] orderedScores = new float[order.length];
        long[] orderedMatched = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            int from = size - 1 - (int) order[i];
            orderedSlices[i] = slices[from];
            orderedOrdinals[i] = ordinals[from];
            orderedScores[i] = scores[from];
            orderedMatched[i] = matched[from];
        }
        return new Ranking(total(), orderedSlices, orderedOrdinals, orderedScores, orderedMatched, words);
    }

    private int total() {
        int total = 0;
        for (int i = 0; i < size; i++) {
            total += scores[i] >= floor ? 1 : 0;
        }
        return total;
    }

    /** Score descending in the high half, then place: later slices' entries come after, newest first within a slice. */
    private long[] order(int most) {
        int last = last(most);
        long[] keys = new long[size];
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (scores[i] >= floor && step(scores[i]) <= last) {
                keys[kept++] = ((long) ~Float.floatToIntBits(scores[i]) << 32) | (size - 1 - i);
            }
        }
        long[] order = Arrays.copyOf(keys, kept);
        Arrays.sort(order);
        return order;
    }

    /** Down to which step so many entries are found. */
    private int last(int most) {
        int[] onStep = new int[STEPS];
        for (int i = 0; i < size; i++) {
            if (scores[i] >= floor) {
                onStep[step(scores[i])]++;
            }
        }
        int step = 0;
        for (int above = onStep[0]; above < most && step < STEPS - 1; above += onStep[step]) {
            step++;
        }
        return step;
    }

    /** Which of equal steps from the best score down to the floor this one is on. */
    private int step(float score) {
        return best > floor ? Math.min(STEPS - 1, (int) ((best - score) / (best - floor) * STEPS)) : 0;
    }
}

package dev.xmem.core.words;

import java.util.Arrays;
import java.util.List;

/** The entries that passed so far, in growing arrays; keeps the best score and drops what lies below its floor. */
final class Found {
    private int[] slices = new int[64];
    private int[] ordinals = new int[64];
    private float[] scores = new float[64];
    private long[] matched = new long[64];
    private int size;
    private float best;

    void add(int slice, int ordinal, double exact, long match) {
        float score = (float) exact;
        best = Math.max(best, score);
        if (score < floor()) {
            return;
        }
        if (size == ordinals.length) {
            grow();
        }
        slices[size] = slice;
        ordinals[size] = ordinal;
        scores[size] = score;
        matched[size++] = match;
    }

    private float floor() {
        return (float) (best * Tuning.FLOOR);
    }

    private void grow() {
        slices = Arrays.copyOf(slices, size * 2);
        ordinals = Arrays.copyOf(ordinals, size * 2);
        scores = Arrays.copyOf(scores, size * 2);
        matched = Arrays.copyOf(matched, size * 2);
    }

    Ranking ranking(List<String> words) {
        long[] order = order();
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
        return new Ranking(orderedSlices, orderedOrdinals, orderedScores, orderedMatched, words);
    }

    /** Score descending in the high half, then place: later slices' entries come after, newest first within a slice. */
    private long[] order() {
        long[] keys = new long[size];
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (scores[i] >= floor()) {
                keys[kept++] = ((long) ~Float.floatToIntBits(scores[i]) << 32) | (size - 1 - i);
            }
        }
        long[] order = Arrays.copyOf(keys, kept);
        Arrays.sort(order);
        return order;
    }
}

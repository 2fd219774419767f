package dev.xmem.core.answer.search;

import java.util.ArrayList;
import java.util.List;

/**
 * What a request found: the entries above the floor, best first, or the best of them. Entries with equal scores stand last slice first,
 * then newest ordinal first; whoever knows their times may order them otherwise. Immutable.
 */
final class TopHits {
    private static final TopHits NOTHING =
            new TopHits(0, true, new int[0], new int[0], new float[0], new long[0], List.of());

    private final int total;
    private final boolean exact;
    private final int[] slices;
    private final int[] ordinals;
    private final float[] scores;
    private final long[] matched;
    private final List<String> words;

    TopHits(
            int total,
            boolean exact,
            int[] slices,
            int[] ordinals,
            float[] scores,
            long[] matched,
            List<String> words) {
        this.total = total;
        this.exact = exact;
        this.slices = slices;
        this.ordinals = ordinals;
        this.scores = scores;
        this.matched = matched;
        this.words = words;
    }

    static TopHits nothing() {
        return NOTHING;
    }

    /** How many entries there are, or were counted; see {@link #isExact}. */
    public int total() {
        return total;
    }

    /** Whether all were counted; else there may be more. */
    public boolean isExact() {
        return exact;
    }

    /** How many ranks there are: one for each entry, or fewer where fewer were asked for. */
    public int size() {
        return ordinals.length;
    }

    /** In which slice of the request the entry at this rank lies. */
    public int slice(int rank) {
        return slices[rank];
    }

    /** The ordinal of the entry at this rank. */
    public int ordinal(int rank) {
        return ordinals[rank];
    }

    /** The score of the entry at this rank; comparable within this ranking only. */
    public float score(int rank) {
        return scores[rank];
    }

    /** The request's words that the entry at this rank has, itself or by another word, as they were asked. */
    public List<String> matched(int rank) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            if ((matched[rank] & (1L << i)) != 0 && !found.contains(words.get(i))) {
                found.add(words.get(i));
            }
        }
        return found;
    }
}

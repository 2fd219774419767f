package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the postings of all terms of a clause in a segment, one window of lines after the other. One thread only.
 * Decision: docs/adr/0111-bounds-of-repeated-clauses.md.
 */
final class ClausePostings {
    private static final int WINDOW = 4 * CellBounds.CELL;
    private static final int WEIGHTS = 8;

    private final Bm25Scorer scorer;
    private final List<Bm25Scorer.WeightedTerm> terms;
    private final TextIndex index;
    private final double units;
    private final @Nullable PostingsIterator[] postings;
    /** Of each term the level of a norm and a low weight, once it is computed; no level is 0. */
    private final byte[][] known;

    private final int[] ordinals = new int[WINDOW];
    private final byte[] weights = new byte[WINDOW];
    private final byte[] norms = new byte[WINDOW];

    /**
     * The postings in the segment with a number.
     *
     * @param units how many levels a score of 1 has
     */
    ClausePostings(Bm25Scorer scorer, List<Bm25Scorer.WeightedTerm> terms, TextIndex index, int number, double units) {
        this.scorer = scorer;
        this.terms = terms;
        this.index = index;
        this.units = units;
        this.postings = new PostingsIterator[terms.size()];
        this.known = new byte[postings.length][WEIGHTS * Bm25Scorer.MAX_NORM];
        for (int i = 0; i < postings.length; i++) {
            TextIndex.TermPostings list = terms.get(i).postings().get(number);
            postings[i] = list == null ? null : list.iterator(index.end());
        }
    }

    /** Raises the levels of the groups of a run and sets the bits of its lines. Runs ascend from call to call. */
    void raise(int first, int end, byte[] levels, short[] lines) {
        for (int window = first; window < end; window += WINDOW) {
            int to = Math.min(end, window + WINDOW);
            index.norms(window, to - window, norms);
            for (int i = 0; i < postings.length; i++) {
                PostingsIterator next = postings[i];
                if (next != null && next.ordinal() < to) {
                    int n = next.take(to, ordinals, weights);
                    raise(n, window, window - first, terms.get(i).factor(), known[i], levels, lines);
                }
            }
        }
    }

    private void raise(int n, int window, int at, double factor, byte[] some, byte[] levels, short[] lines) {
        for (int i = 0; i < n; i++) {
            int line = ordinals[i] - window;
            int weight = weights[i] & 0xFF;
            int norm = norms[line] & 0xFF;
            int level;
            if (weight < WEIGHTS && norm < Bm25Scorer.MAX_NORM) {
                level = some[norm * WEIGHTS + weight] & 0xFF;
                if (level == 0) {
                    level = level(factor, weight, norm);
                    some[norm * WEIGHTS + weight] = (byte) level;
                }
            } else {
                level = level(factor, weight, norm < Bm25Scorer.MAX_NORM ? norm : index.words(ordinals[i]));
            }
            int group = at + line >>> ClauseBounds.SHIFT;
            levels[group] = (byte) Math.max(levels[group] & 0xFF, level);
            lines[group] |= (short) (1 << (line & ClauseBounds.GROUP - 1));
        }
    }

    private int level(double factor, int weight, int length) {
        return Math.min(ClauseBounds.LEVELS, 1 + (int) (factor * scorer.saturation(weight, length) * units));
    }
}

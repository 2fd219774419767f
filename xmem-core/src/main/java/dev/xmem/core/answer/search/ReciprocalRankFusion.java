package dev.xmem.core.answer.search;

import dev.xmem.Match;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One ranking of two, by reciprocal rank: an entry scores the sum of 1 / (60 + rank) over the rankings that have it, so
 * that scores of different scales need not be compared. Formula and constant: Cormack, Clarke and Büttcher, "Reciprocal
 * Rank Fusion outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009.
 */
final class ReciprocalRankFusion {
    /** How deep each ranking is looked at. */
    static final int DEPTH = 1_000;

    private static final int K = 60;

    private ReciprocalRankFusion() {}

    private record Place(int log, int ordinal) {}

    /** All entries of both, the best first; of equal ones that which has the better rank by words. */
    static List<Hit> of(List<Hit> byWords, List<VectorHit> byMeaning) {
        Map<Place, Hit> fused = new LinkedHashMap<>();
        for (int rank = 0; rank < byWords.size(); rank++) {
            Hit hit = byWords.get(rank);
            fused.put(new Place(hit.log(), hit.ordinal()), scored(hit, weight(rank), hit.because()));
        }
        for (int rank = 0; rank < byMeaning.size(); rank++) {
            VectorHit close = byMeaning.get(rank);
            String says = String.format(Locale.ROOT, "its meaning is close (%.2f)", close.cosine());
            Hit alone = new Hit(close.log(), close.ordinal(), Match.MatchType.SIMILAR, weight(rank), says);
            fused.merge(
                    new Place(close.log(), close.ordinal()),
                    alone,
                    (known, found) -> scored(known, known.score() + found.score(), known.because() + "; " + says));
        }
        List<Hit> hits = new ArrayList<>(fused.values());
        hits.sort(Comparator.comparingDouble(Hit::score).reversed());
        return hits;
    }

    private static double weight(int rank) {
        return 1.0 / (K + rank + 1);
    }

    private static Hit scored(Hit hit, double score, String because) {
        return new Hit(hit.log(), hit.ordinal(), hit.likeness(), score, because);
    }
}

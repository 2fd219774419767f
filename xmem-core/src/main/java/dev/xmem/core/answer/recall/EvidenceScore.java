package dev.xmem.core.answer.recall;

import dev.xmem.core.answer.outcome.BetaDistribution;
import dev.xmem.core.answer.outcome.EntryState;

/**
 * The evidence for an entry besides its similarity, at most 0.2. The base scores of different match types differ by at
 * least as much, so evidence only decides among matches of one type:
 *
 * <pre>
 * 0.05 · (1 + worked) / (2 + worked + failed)      outcomes: the mean of the Beta posterior over a flat prior
 *                                                  (Laplace's rule of succession)
 * 0.03 · 2^(−age / 90 days)                        recency, with exponential decay: of the entry or its last success
 * 0.02 · (1 − 1 / sessions)                        repetition: the sessions in which its family was seen
 * 0.10                                             if a user pinned it
 * </pre>
 *
 * The posterior: Gelman et al., <cite>Bayesian Data Analysis</cite>, 3rd edition, section 2.1.
 */
final class EvidenceScore {
    private static final double OUTCOMES = 0.05;
    private static final double RECENCY = 0.03;
    private static final double REPETITION = 0.02;
    private static final double PINNED = 0.1;
    private static final double HALF_LIFE_MILLIS = 90.0 * 86_400_000;
    private static final double LN_2 = 0.6931471805599453;

    private EvidenceScore() {}

    /** The part that halves in 90 days. */
    static double recency(EntryState state, long millis, long nowMillis) {
        long confirmed = Math.min(nowMillis, Math.max(millis, state.lastWorkedMillis()));
        return RECENCY * StrictMath.exp(-LN_2 * (nowMillis - confirmed) / HALF_LIFE_MILLIS);
    }

    /** How long it takes until a part that halves in 90 days is this fraction of itself, in milliseconds. */
    static double millisUntil(double fraction) {
        return -HALF_LIFE_MILLIS * StrictMath.log(fraction) / LN_2;
    }

    static double of(EntryState state, double recency, int sessions) {
        double outcomes =
                BetaDistribution.FLAT.and(state.worked(), state.failed()).mean();
        return OUTCOMES * outcomes
                + recency
                + REPETITION * (1 - 1.0 / Math.max(1, sessions))
                + (state.pinned() ? PINNED : 0);
    }
}

package dev.xmem.core.answer.recall;

import dev.xmem.core.answer.outcome.BetaDistribution;
import dev.xmem.core.answer.outcome.EntryState;

/**
 * Whether advice does harm: whether those who follow it fail more often than those who have not got it. Both shares are
 * Beta distributions:
 *
 * <pre>
 * without = Beta(1.5 + repeated, 8.5 + resolved)       sessions that met the failure and did not follow the advice
 * with    = Beta(8m + failed, 8(1 − m) + worked)       sessions that followed it; m is the mean of without
 * harmful = failed ≥ 3 and P(with &gt; without + 0.05) ≥ 0.95
 * </pre>
 *
 * Before anything is known of a family, fifteen of a hundred sessions are taken to fail again without any advice, as if ten had been seen. Of the
 * advice nothing is assumed but that it is like none: the same mean, with the weight of eight sessions. The margin and the
 * level keep advice that changes nothing from being withheld by chance, though it is looked at after every vote; {@code
 * HarmDetectorTest} simulates that. The comparison of two Beta distributions: Gelman et al., <cite>Bayesian Data Analysis</cite>,
 * 3rd edition, section 3.7, here by the sum over a grid.
 */
final class HarmDetector {
    /** What is taken for granted of sessions without advice. */
    private static final BetaDistribution BEFORE = new BetaDistribution(1.5, 8.5);

    private static final double WEIGHT = 8;
    private static final double MARGIN = 0.05;
    private static final double LEVEL = 0.95;
    private static final int LEAST_FAILED = 3;

    private static final int IRRELEVANT_AT_LEAST = 4;

    private HarmDetector() {}

    /**
     * Whether an entry's advice is withheld.
     *
     * @param repeated sessions without it in which the failure came again
     * @param resolved sessions without it in which it did not
     */
    static boolean credible(int worked, int failed, int repeated, int resolved) {
        if (failed < LEAST_FAILED) {
            return false;
        }
        BetaDistribution without = BEFORE.and(repeated, resolved);
        BetaDistribution with =
                new BetaDistribution(WEIGHT * without.mean(), WEIGHT * (1 - without.mean())).and(failed, worked);
        return with.exceeds(without, MARGIN) >= LEVEL;
    }

    /** Whether sessions found that an entry has nothing to do with the matter, and hardly one followed it. */
    static boolean isIrrelevant(EntryState state) {
        return state.irrelevant() >= IRRELEVANT_AT_LEAST && state.irrelevant() > 2 * state.followed();
    }
}

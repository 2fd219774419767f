package dev.xmem.core.answer.recall;

import dev.xmem.core.answer.outcome.BetaDistribution;
import dev.xmem.core.answer.outcome.EntryState;

/**
 * Decides whether advice does harm: whether sessions that follow it fail more often than sessions without it. Both
 * failure rates are Beta distributions:
 *
 * <pre>
 * without = Beta(1.5 + repeated, 8.5 + resolved)       sessions that met the failure and did not follow the advice
 * with    = Beta(8m + failed, 8(1 − m) + worked)       sessions that followed it; m is the mean of without
 * harmful = failed ≥ 3 and P(with &gt; without + 0.05) ≥ 0.95
 * </pre>
 *
 * The prior of <i>without</i> assumes that fifteen of a hundred sessions fail again without any advice, with the weight
 * of ten sessions. The prior of <i>with</i> assumes that the advice changes nothing: the same mean, with the weight of
 * eight sessions. Margin and level keep advice that changes nothing from being withheld by chance, although the test is
 * repeated after every vote; {@code HarmDetectorTest} simulates that. The comparison of two Beta distributions: Gelman
 * et al., <cite>Bayesian Data Analysis</cite>, 3rd edition, section 3.7, here by a sum over a grid.
 * Decision: docs/adr/0014-evidence-against-harm.md.
 */
final class HarmDetector {
    private static final BetaDistribution PRIOR_WITHOUT = new BetaDistribution(1.5, 8.5);
    private static final double WEIGHT = 8;
    private static final double MARGIN = 0.05;
    private static final double LEVEL = 0.95;
    private static final int MIN_FAILED = 3;
    private static final int MIN_IRRELEVANT = 4;

    private HarmDetector() {}

    /**
     * Whether an entry's advice is withheld.
     *
     * @param repeated sessions without the advice in which the failure occurred again
     * @param resolved sessions without the advice in which it did not
     */
    static boolean isHarmful(int worked, int failed, int repeated, int resolved) {
        if (failed < MIN_FAILED) {
            return false;
        }
        BetaDistribution without = PRIOR_WITHOUT.and(repeated, resolved);
        BetaDistribution with =
                new BetaDistribution(WEIGHT * without.mean(), WEIGHT * (1 - without.mean())).and(failed, worked);
        return with.exceeds(without, MARGIN) >= LEVEL;
    }

    /** Whether many sessions found an entry irrelevant, and at most half as many followed it. */
    static boolean isIrrelevant(EntryState state) {
        return state.irrelevant() >= MIN_IRRELEVANT && state.irrelevant() > 2 * state.followed();
    }
}

package dev.xmem.core.answer.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.xmem.core.answer.outcome.BetaDistribution;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Simulates when advice is withheld: one vote after the other, and a test after each. */
class HarmDetectorTest {
    private static final int TRIALS = 1000;
    private static final int SESSIONS = 40;

    /** The share of advice that is withheld at some time, if this percentage of the sessions fails with it. */
    private static double withheld(int percentFailing, int repeated, int resolved) {
        Random random = new Random(percentFailing);
        Map<List<Integer>, Boolean> harmful = new HashMap<>();
        int withheld = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            int failed = 0;
            int worked = 0;
            boolean ever = false;
            for (int session = 0; session < SESSIONS && !ever; session++) {
                boolean fails = random.nextInt(100) < percentFailing;
                failed += fails ? 1 : 0;
                worked += fails ? 0 : 1;
                ever = harmful.computeIfAbsent(
                        List.of(worked, failed), v -> HarmDetector.isHarmful(v.get(0), v.get(1), repeated, resolved));
            }
            withheld += ever ? 1 : 0;
        }
        return (double) withheld / TRIALS;
    }

    @Test
    void isHarmful_harmlessAdviceAtABaseRateOf15Percent_isNotWithheld() {
        assertThat(withheld(15, 0, 0)).as("nothing known of the family").isLessThan(0.02);
        assertThat(withheld(15, 9, 51)).as("sixty sessions without it").isLessThan(0.02);
        assertThat(withheld(5, 0, 0)).as("advice that helps").isLessThan(0.001);
    }

    @Test
    void isHarmful_harmfulAdvice_isWithheld() {
        assertThat(withheld(70, 0, 0)).isGreaterThan(0.99);
        assertThat(withheld(50, 0, 0)).isGreaterThan(0.5);
        assertThat(withheld(50, 9, 51)).isGreaterThan(0.9);
    }

    /** Advice that fails as often as doing without it is rarely withheld. */
    @Test
    void isHarmful_asBadAsWithoutIt_isNotWithheld() {
        assertThat(withheld(60, 36, 24)).isLessThan(0.1);
        assertThat(withheld(60, 0, 0)).isGreaterThan(0.9);
    }

    @Test
    void isHarmful_fewVotes_isNot() {
        assertThat(HarmDetector.isHarmful(0, 2, 0, 0)).isFalse();
        assertThat(HarmDetector.isHarmful(0, 7, 0, 0)).isTrue();
    }

    @Test
    void exceeds_knownCases_agree() {
        assertThat(new BetaDistribution(1, 1).exceeds(new BetaDistribution(1, 1), 0))
                .isCloseTo(0.5, within(1e-3));
        assertThat(new BetaDistribution(2, 1).exceeds(new BetaDistribution(1, 1), 0))
                .isCloseTo(2.0 / 3, within(1e-3));
        assertThat(new BetaDistribution(1, 2).exceeds(new BetaDistribution(2, 1), 0))
                .isCloseTo(1.0 / 6, within(1e-3));
        assertThat(new BetaDistribution(1, 1).exceeds(new BetaDistribution(1, 1), 0.5))
                .isCloseTo(0.125, within(2e-3));
    }
}

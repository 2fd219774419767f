package dev.xmem.core.answer.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.answer.render.Estimators;
import dev.xmem.spi.TokenEstimator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures in a text that states its own cost. */
class TokenMeterTest {
    /** The default under another name: nothing is assumed of its digits. */
    private static final TokenEstimator COUNTED = Estimators.of("counted", Estimators.HEURISTIC::estimate);

    @ParameterizedTest
    @CsvSource({"7,8", "10,99", "1.9K,2.0K", "0.6K,0.6K", "'',''"})
    void differInDigits_digitsInTheSamePlaces_differInNothingElse(String one, String other) {
        assertThat(TokenMeter.differInDigits(one, other)).isTrue();
        assertThat(TokenMeter.differInDigits(other, one)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"9,10", "99,0.1K", "9.9K,10.0K", "1K,1M", "12,1a", "12,1٢"})
    void differInDigits_otherCharactersOrPlaces_differInMore(String one, String other) {
        assertThat(TokenMeter.differInDigits(one, other)).isFalse();
        assertThat(TokenMeter.differInDigits(other, one)).isFalse();
    }

    @Property
    void settle_anyGuess_isTheTextThatStatesItsCost(
            @ForAll @StringLength(max = 300) String before,
            @ForAll @StringLength(max = 20) String after,
            @ForAll @IntRange(max = 3000) int guess) {
        TokenMeter meter = new TokenMeter(Estimators.HEURISTIC);
        PageLayout layout = new StatedCost(before, after);
        TokenMeter.MeasuredText text = meter.settle(layout, PageExtent.full(1), guess);
        assertThat(text.text()).isEqualTo(before + " (" + TokenMeter.costText(text.tokens()) + ")" + after);
        assertThat(text.tokens()).isEqualTo(Estimators.HEURISTIC.estimate(text.text()));
        assertThat(text).isEqualTo(new TokenMeter(COUNTED).settle(layout, PageExtent.full(1), guess));
    }

    /** A page that is a text around its cost. */
    private record StatedCost(String before, String after) implements PageLayout {
        @Override
        public String text(PageExtent extent, int tokens) {
            return before + " (" + figure(tokens) + ")" + after;
        }

        @Override
        public String figure(int tokens) {
            return TokenMeter.costText(tokens);
        }

        @Override
        public int frames() {
            return 1;
        }

        @Override
        public boolean showsEntries(int frame) {
            return true;
        }
    }
}

package dev.xmem.core.answer.page;

import dev.xmem.spi.TokenEstimator;
import java.util.function.IntFunction;

/** Weighs texts, also such as say themselves what they weigh. */
final class TokenMeter {
    private static final int TRIES = 8;

    private final TokenEstimator tokens;

    TokenMeter(TokenEstimator tokens) {
        this.tokens = tokens;
    }

    int weigh(String text) {
        return tokens.estimate(text);
    }

    /**
     * The text whose figure is its cost. More digits never make a text cheaper, so the tries rise or fall to where they
     * agree; an estimator that likes some digits better may never agree, then the last try stands.
     */
    MeasuredText settle(IntFunction<String> textWithFigure, int guess) {
        int figure = guess;
        String text = textWithFigure.apply(figure);
        int cost = weigh(text);
        for (int i = 0; i < TRIES && cost != figure; i++) {
            figure = cost;
            String next = textWithFigure.apply(figure);
            if (next.equals(text)) {
                break;
            }
            text = next;
            cost = weigh(text);
        }
        return new MeasuredText(text, cost);
    }
}

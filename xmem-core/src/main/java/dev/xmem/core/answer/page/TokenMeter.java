package dev.xmem.core.answer.page;

import dev.xmem.spi.TokenEstimator;

/** Measures texts in tokens, including texts that state their own cost. */
final class TokenMeter {
    private static final int TRIES = 8;
    private static final int PLAIN_BELOW = 100;
    private static final int KILO = 1000;

    private final TokenEstimator tokens;
    /** The default counts classes of characters: each digit costs as much as any other in its place. */
    private final boolean digitsAreAlike;

    TokenMeter(TokenEstimator tokens) {
        this.tokens = tokens;
        this.digitsAreAlike = tokens.equals(TokenEstimator.heuristic());
    }

    /** A text and its cost. */
    record MeasuredText(String text, int tokens) {}

    int cost(String text) {
        return tokens.estimate(text);
    }

    /**
     * The text whose figure is its cost. More digits never make a text cheaper, so the tries rise or fall to a fixed
     * point. With an estimator that prices some digits below others there may be none; then the last try is taken.
     *
     * @param layout makes the text with a cost in it, which differs only where the figure does
     */
    MeasuredText settle(PageLayout layout, PageExtent extent, int guess) {
        int figure = guess;
        String shown = layout.figure(figure);
        String text = layout.text(extent, figure);
        int cost = cost(text);
        for (int i = 0; i < TRIES && cost != figure; i++) {
            figure = cost;
            String next = layout.figure(figure);
            if (next.equals(shown)) {
                break;
            }
            text = layout.text(extent, figure);
            cost = digitsAreAlike && differInDigits(shown, next) ? cost : cost(text);
            shown = next;
        }
        return new MeasuredText(text, cost);
    }

    /** Whether two figures have digits in the same places, and are otherwise the same. */
    static boolean differInDigits(String one, String other) {
        if (one.length() != other.length()) {
            return false;
        }
        for (int i = 0; i < one.length(); i++) {
            char c = one.charAt(i);
            char d = other.charAt(i);
            if (c != d && !(isDigit(c) && isDigit(d))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** A cost as the X-MEM protocol writes it: {@code 99}, {@code 0.6K}, {@code 2.1K}. */
    static String costText(int tokens) {
        return tokens < PLAIN_BELOW ? Integer.toString(tokens) : tenths(tokens);
    }

    /** A limit as the X-MEM protocol writes it: {@code 500}, {@code 1.5K}, {@code 15K}. */
    static String limitText(int tokens) {
        if (tokens < KILO) {
            return Integer.toString(tokens);
        }
        return tokens % KILO == 0 ? tokens / KILO + "K" : tenths(tokens);
    }

    private static String tenths(int tokens) {
        long tenths = (tokens + 50L) / 100;
        return tenths / 10 + "." + tenths % 10 + "K";
    }
}

package dev.xmem.core.answer.render;

import dev.xmem.spi.TokenEstimator;

/** The longest beginning of a text that a budget pays for, marked as cut. */
final class BudgetTruncation {
    private BudgetTruncation() {}

    static String to(int tokenBudget, String text, TokenEstimator tokens) {
        if (tokens.estimate(text) <= tokenBudget) {
            return text;
        }
        int low = 0;
        int high = text.length();
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (tokens.estimate(TextSanitizer.cut(text, middle)) <= tokenBudget) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return TextSanitizer.cut(text, low);
    }
}

package dev.xmem.core.text.hash;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A pattern that is tried only on a text that contains a literal, and compiled for the first such text. */
final class LiteralPattern {
    private final String literal;
    private final String expression;
    private volatile @Nullable Pattern pattern;

    LiteralPattern(String literal, String expression) {
        this.literal = literal;
        this.expression = expression;
    }

    /** A matcher of the text; null if the text does not contain the literal. */
    @Nullable Matcher matcher(String text) {
        if (!text.contains(literal)) {
            return null;
        }
        Pattern known = pattern;
        if (known == null) {
            known = Pattern.compile(expression);
            pattern = known;
        }
        return known.matcher(text);
    }

    /** Whether a matcher is one of this pattern. */
    boolean isOf(Matcher matcher) {
        return matcher.pattern().equals(pattern);
    }
}

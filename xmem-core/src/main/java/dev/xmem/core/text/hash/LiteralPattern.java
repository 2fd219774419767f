package dev.xmem.core.text.hash;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A pattern that is tried only on a text that contains a literal, and compiled for the first such text. */
final class LiteralPattern {
    private final String literal;
    private final long letters;
    private final String expression;
    private volatile @Nullable Pattern pattern;

    LiteralPattern(String literal, String expression) {
        this.literal = literal;
        this.letters = letters(literal);
        this.expression = expression;
    }

    /** One bit for each letter of ASCII in a text; all bits if it has other letters. */
    static long letters(String text) {
        long letters = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            letters |= c < 64 ? 0 : c < 128 ? 1L << c : -1;
        }
        return letters;
    }

    /** The bits of the same letters in lower case too. */
    static long lower(long letters) {
        return letters | letters << 32;
    }

    /**
     * A matcher of the text; null if the text does not contain the literal.
     *
     * @param of the letters of the text
     */
    @Nullable Matcher matcher(String text, long of) {
        if ((of & letters) != letters || !text.contains(literal)) {
            return null;
        }
        Pattern known = pattern;
        if (known == null) {
            known = Pattern.compile(expression);
            pattern = known;
        }
        return known.matcher(text);
    }

    /** The first of several patterns that matches a whole text, or null. */
    static @Nullable Matcher first(List<LiteralPattern> patterns, String text, long of) {
        for (int i = 0; i < patterns.size(); i++) {
            Matcher matcher = patterns.get(i).matcher(text, of);
            if (matcher != null && matcher.matches()) {
                return matcher;
            }
        }
        return null;
    }

    /** Whether a matcher is one of this pattern, which several threads may have compiled at once. */
    boolean isOf(Matcher matcher) {
        return matcher.pattern().pattern().equals(expression);
    }
}

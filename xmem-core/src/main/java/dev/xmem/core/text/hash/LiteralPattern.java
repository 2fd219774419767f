package dev.xmem.core.text.hash;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A pattern that is compiled for the first text that it is tried on; most only if the text contains a literal. */
final class LiteralPattern {
    private final String literal;
    private final boolean start;
    private final long letters;
    final String expression;
    private volatile @Nullable Pattern pattern;

    /**
     * A pattern that is tried on a text that contains a literal.
     *
     * @param literal the literal, behind {@code ^} if the text must begin with it
     */
    LiteralPattern(String literal, String expression) {
        this.start = literal.startsWith("^");
        this.literal = start ? literal.substring(1) : literal;
        this.letters = letters(this.literal);
        this.expression = expression;
    }

    /** A pattern that is tried on any text. */
    LiteralPattern(String expression) {
        this("", expression);
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
        if ((of & letters) != letters || !(start ? text.startsWith(literal) : text.contains(literal))) {
            return null;
        }
        return matcher(text);
    }

    /** A matcher of the text, whether or not it contains the literal. */
    Matcher matcher(CharSequence text) {
        return pattern().matcher(text);
    }

    Pattern pattern() {
        Pattern known = pattern;
        if (known == null) {
            known = Pattern.compile(expression);
            pattern = known;
        }
        return known;
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

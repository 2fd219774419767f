package dev.xmem.core.text.regex;

import dev.xmem.XMemException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A user's regular expression that always ends, with an answer or with {@link XMemException.Syntax}. Immutable and safe
 * for use by many threads, each with its own budget.
 *
 * <p>Three things bound it. The pattern has at most {@value #LONGEST} characters. The text counts every look
 * ({@link CountingCharSequence}), which bounds backtracking over characters. And {@link RegexInspector} refuses the few
 * constructs with which {@code java.util.regex} backtracks without looking at a character: repetitions of what may be
 * empty, alternatives of which several may be empty, and counts beyond reason. Recursion too deep for the stack is
 * caught and reported.
 */
public final class BoundedRegex {
    /** The longest pattern, in characters. */
    public static final int LONGEST = 1000;

    private final Pattern pattern;
    private final RegexInspector shape;

    private BoundedRegex(Pattern pattern, RegexInspector shape) {
        this.pattern = pattern;
        this.shape = shape;
    }

    /** Compiles, or says what is wrong and where. */
    public static BoundedRegex compile(String pattern, boolean ignoreCase) {
        if (pattern.length() > LONGEST) {
            throw new XMemException.Syntax(
                    "the regular expression has " + pattern.length() + " characters, " + LONGEST
                            + " are allowed. Search for a shorter part",
                    LONGEST);
        }
        try {
            Pattern compiled =
                    Pattern.compile(pattern, ignoreCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
            return new BoundedRegex(compiled, RegexInspector.of(pattern, ignoreCase));
        } catch (PatternSyntaxException e) {
            throw new XMemException.Syntax(
                    "the regular expression does not compile: " + e.getDescription(), Math.max(0, e.getIndex()));
        } catch (StackOverflowError e) {
            throw new XMemException.Syntax("the regular expression is nested too deeply", 0);
        }
    }

    /** Whether the pattern is found anywhere in the text. */
    public boolean find(CharSequence text, RegexBudget budget) {
        budget.spend(1);
        try {
            return pattern.matcher(new CountingCharSequence(text, budget, shape.price()))
                    .find();
        } catch (StackOverflowError e) {
            throw new XMemException.Syntax(
                    "the regular expression repeats a group over too long a text. Use a character class such as [ab]*"
                            + " instead of (a|b)*, or bound the repetition",
                    0);
        }
    }

    /**
     * A text that every match holds, to look for first: the longest run of plain characters outside groups, alternatives
     * and repetitions. Null when there is none or when case is ignored.
     */
    public @Nullable String requiredLiteral() {
        return shape.literal();
    }

    /** The pattern as it was given. */
    @Override
    public String toString() {
        return pattern.pattern();
    }
}

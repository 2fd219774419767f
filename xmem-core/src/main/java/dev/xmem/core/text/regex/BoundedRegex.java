package dev.xmem.core.text.regex;

import dev.xmem.XMemException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A user's regular expression whose matching always ends, with an answer or with {@link XMemException.Syntax}.
 * Immutable and thread-safe; each thread needs its own budget.
 *
 * <p>Three bounds apply. The pattern has at most {@value #LONGEST} characters. The text counts every character that is
 * read, which bounds backtracking. And {@link RegexInspector} rejects the few constructs with which
 * {@code java.util.regex} backtracks without reading a character: repetitions of what may be empty, several
 * alternatives that may be empty, and counts beyond reason. A stack overflow is caught and reported.
 */
public final class BoundedRegex {
    /** The maximum length of a pattern, in characters. */
    public static final int LONGEST = 1000;

    private final Pattern pattern;
    private final RegexInspector inspector;

    private BoundedRegex(Pattern pattern, RegexInspector inspector) {
        this.pattern = pattern;
        this.inspector = inspector;
    }

    /** A text that charges the budget for every character that is read. Reused for text after text. */
    private static final class CountedText implements CharSequence {
        private final RegexBudget budget;
        private final int price;
        private String text = "";

        CountedText(RegexBudget budget, int price) {
            this.budget = budget;
            this.price = price;
        }

        @Override
        public char charAt(int index) {
            budget.spend(price);
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Compiles a pattern.
     *
     * @throws XMemException.Syntax with the position of the mistake
     */
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

    /** Tests whether the pattern matches anywhere in a text. For one thread. */
    public Predicate<String> finder(RegexBudget budget) {
        CountedText counted = new CountedText(budget, inspector.price());
        Matcher matcher = pattern.matcher(counted);
        return text -> {
            budget.spend(1);
            counted.text = text;
            try {
                return matcher.reset().find();
            } catch (StackOverflowError e) {
                throw new XMemException.Syntax(
                        "the regular expression repeats a group over too long a text. Use a character class such as"
                                + " [ab]* instead of (a|b)*, or bound the repetition",
                        0);
            }
        };
    }

    /**
     * A literal that every match contains, to search for first: the longest run of plain characters outside groups,
     * alternatives and repetitions. Null if there is none or case is ignored.
     */
    public @Nullable String requiredLiteral() {
        return inspector.literal();
    }

    /** The pattern as given. */
    @Override
    public String toString() {
        return pattern.pattern();
    }
}

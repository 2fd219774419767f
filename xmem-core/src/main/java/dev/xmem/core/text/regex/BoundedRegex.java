package dev.xmem.core.text.regex;

import dev.xmem.XMemException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A user's regular expression whose matching always ends, with an answer or with {@link XMemException.Syntax}.
 * Immutable and thread-safe.
 *
 * <p>Three bounds apply. The pattern has at most {@value #LONGEST} characters. A finder counts every character that it
 * reads, which bounds backtracking. And {@link RegexInspector} rejects the few constructs with which
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

    /** A text that counts the characters that are read, also those of the texts before. */
    private static final class CountedText implements CharSequence {
        private final long allowed;
        private final int price;
        private long left;
        private String text = "";

        CountedText(long allowed, int price) {
            this.allowed = allowed;
            this.price = price;
            this.left = allowed;
        }

        private void spend(int steps) {
            left -= steps;
            if (left < 0) {
                throw new XMemException.Syntax(
                        "the regular expression took more than " + allowed
                                + " steps. Begin it with a literal word, avoid repetitions inside repetitions,"
                                + " or search fewer entries by tool=, tag= or since=",
                        0);
            }
        }

        @Override
        public char charAt(int index) {
            spend(price);
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
    public static BoundedRegex compile(String pattern) {
        if (pattern.length() > LONGEST) {
            throw new XMemException.Syntax(
                    "the regular expression has " + pattern.length() + " characters, " + LONGEST
                            + " are allowed. Search for a shorter part",
                    LONGEST);
        }
        try {
            return new BoundedRegex(Pattern.compile(pattern), RegexInspector.of(pattern));
        } catch (PatternSyntaxException e) {
            throw new XMemException.Syntax(
                    "the regular expression does not compile: " + e.getDescription(), Math.max(0, e.getIndex()));
        } catch (StackOverflowError e) {
            throw new XMemException.Syntax("the regular expression is nested too deeply", 0);
        }
    }

    /**
     * Tests whether the pattern matches anywhere in a text. For one thread.
     *
     * @param steps how many characters all tests together may read; twenty million take some tenths of a second
     */
    public Predicate<String> finder(long steps) {
        CountedText counted = new CountedText(steps, inspector.price());
        Matcher matcher = pattern.matcher(counted);
        return text -> {
            counted.spend(1);
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

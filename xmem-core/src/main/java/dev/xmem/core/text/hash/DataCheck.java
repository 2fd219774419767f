package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.HashCause;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a validator of data says of a value, where its words alone do not tell: a missing field reads like a wrong type
 * ({@code must be a string (was missing)}), and a value outside of a list is known by the list.
 * Decision: docs/adr/0060-one-family-for-a-request-and-a-check.md.
 */
final class DataCheck {
    private static final HashCause MISSING = HashCause.of("field-missing");
    private static final HashCause TYPE = HashCause.of("type-mismatch");
    private static final HashCause CHOICE = HashCause.of("invalid-choice");
    private static final HashCause RANGE = HashCause.of("out-of-range");
    private static final int MAX_CHARS = 600;

    /** The patterns, compiled for the first line that has a word of them. */
    private static final class Patterns {
        /** A value that is not there. */
        static final Pattern ABSENT = Pattern.compile(
                "(?i)\\b(?:received|got|actual|given|(?<!null or )undefined value|invalid value|input was|but) "
                        + "?:? ?[`'\"(]?(?:undefined|missing|nothing|no value)\\b(?! (?:symbol|variable))"
                        + "|[(](?:was|is|got) (?:missing|undefined)[)]|^Missing$");

        /** A list of two values in quotes. */
        static final Pattern LIST = Pattern.compile(
                "([\"'`])[\\w][\\w .-]{0,40}\\1(?: ?[|/] ?|, ?| or |, or | and )([\"'`])[\\w][\\w .-]{0,40}\\2");

        /** Words that announce the values that are allowed. */
        static final Pattern ALLOWED = Pattern.compile(
                "(?i)\\b(?:(?<!find )(?:one of|any of)|permitted|(?:must|should) (?:be|equal|match)|allowed"
                        + "|valid (?:values|options|choices)|expected .{1,200}\\b(?:received|got|was|but))\\b");

        static final Pattern BOUND = Pattern.compile("(?:be |xpected )[<>]=?\\d");

        static final Pattern SUPPLIED = Pattern.compile("Invalid value .{1,80} supplied to .{1,400}");
    }

    private DataCheck() {}

    /**
     * The cause that the line names, or null.
     *
     * @param listed whether a list of values can be the values that are allowed
     */
    static @Nullable HashCause of(String line, boolean listed) {
        if (line.length() > MAX_CHARS || line.length() < 7) {
            return null;
        }
        if ((line.contains("ndefined")
                        || line.contains("issing")
                        || line.contains("othing")
                        || line.contains("no value"))
                && Patterns.ABSENT.matcher(line).find()) {
            return MISSING;
        }
        if (line.startsWith("Invalid value ") && Patterns.SUPPLIED.matcher(line).matches()) {
            return line.endsWith("\"") ? CHOICE : TYPE;
        }
        return isBound(line) ? RANGE : listed && isList(line) ? CHOICE : null;
    }

    /** Whether the line compares a value with a number: {@code Expected <=480 but received 600}, {@code to be >=1}. */
    private static boolean isBound(String line) {
        return (line.indexOf('<') > 0 || line.indexOf('>') > 0)
                && Patterns.BOUND.matcher(line).find();
    }

    private static boolean isList(String line) {
        return Patterns.LIST.matcher(line).find()
                && Patterns.ALLOWED.matcher(line).find();
    }
}

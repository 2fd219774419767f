package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.HashCause;
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

    /** A value that is not there. */
    private static final LiteralPattern ABSENT = new LiteralPattern(
            "(?i)\\b(?:received|got|actual|given|(?<!null or )undefined value|invalid value|input was|but) "
                    + "?:? ?[`'\"(]?(?:undefined|missing|nothing|no value)\\b(?! (?:symbol|variable))"
                    + "|[(](?:was|is|got) (?:missing|undefined)[)]|^Missing$");

    /** A list of two values in quotes. */
    private static final LiteralPattern LIST = new LiteralPattern(
            "([\"'`])[\\w][\\w .-]{0,40}\\1(?: ?[|/] ?|, ?| or |, or | and )([\"'`])[\\w][\\w .-]{0,40}\\2");

    /** Words that announce the values that are allowed. */
    private static final LiteralPattern ALLOWED = new LiteralPattern(
            "(?i)\\b(?:(?<!find )(?:one of|any of)|permitted|(?:must|should) (?:be|equal|match)|allowed"
                    + "|valid (?:values|options|choices)|expected .{1,200}\\b(?:received|got|was|but))\\b");

    private static final LiteralPattern BOUND = new LiteralPattern("(?:be |xpected )[<>]=?\\d");

    private static final LiteralPattern SUPPLIED = new LiteralPattern("Invalid value .{1,80} supplied to .{1,400}");

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
                && ABSENT.matcher(line).find()) {
            return MISSING;
        }
        if (line.startsWith("Invalid value ") && SUPPLIED.matcher(line).matches()) {
            return line.endsWith("\"") ? CHOICE : TYPE;
        }
        return isBound(line) ? RANGE : listed && isList(line) ? CHOICE : null;
    }

    /** Whether the line compares a value with a number: {@code Expected <=480 but received 600}, {@code to be >=1}. */
    private static boolean isBound(String line) {
        return (line.indexOf('<') > 0 || line.indexOf('>') > 0)
                && BOUND.matcher(line).find();
    }

    private static boolean isList(String line) {
        int quotes = 0;
        for (int i = 0; i < line.length(); i++) {
            quotes += "\"'`".indexOf(line.charAt(i)) < 0 ? 0 : 1;
        }
        return quotes >= 4 && LIST.matcher(line).find() && ALLOWED.matcher(line).find();
    }
}

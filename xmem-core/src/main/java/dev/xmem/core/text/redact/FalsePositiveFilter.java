package dev.xmem.core.text.redact;

import java.util.Locale;
import java.util.Set;

/**
 * Doubts that a value is a secret: it may stand for nothing, speak about the secret, or refer to it. Immutable. What is longer
 * than any of these is not doubted, which bounds what is read in vain.
 */
final class FalsePositiveFilter {
    private static final int LONGEST = 128;
    private static final String SPECIALS = "!#$%^&*+=~?";
    private static final CharSet PATH = CharSet.of("A-Za-z0-9_./~@: \\-");
    private static final CharSet REFERENCE = CharSet.of("A-Za-z0-9_.:{}()[]$'\" /|-");

    private final Set<String> nothing;
    private final Set<String> keyWords;
    private final Set<String> code;

    FalsePositiveFilter(Set<String> nothing, Set<String> keyWords, Set<String> code) {
        this.nothing = nothing;
        this.keyWords = keyWords;
        this.code = code;
    }

    /** Whether no secret is here: a placeholder, a mask, a reference, or a word that says something about it. */
    boolean isNothing(RedactionPass sweep, int from, int to) {
        if (sweep.isPlaceholder(from)) {
            return true;
        }
        return to - from <= LONGEST && isNothing(sweep.text().from(from, to));
    }

    private boolean isNothing(String value) {
        return value.isBlank() || isMask(value) || isReference(value) || isWord(value) || isCode(value);
    }

    /** One character over and over: {@code ****}, {@code xxxx}, {@code ...}. */
    private static boolean isMask(String value) {
        char c = value.charAt(0);
        boolean mask = !PaddedText.isAlphanumeric(c) || c == 'x' || c == 'X';
        return mask && value.chars().allMatch(other -> other == c);
    }

    private static boolean isReference(String value) {
        char last = value.charAt(value.length() - 1);
        return switch (value.charAt(0)) {
            case '$' -> isVariable(value);
            case '<' -> last == '>' || value.length() == 1;
            case '{' -> last == '}' && (value.startsWith("{{") || REFERENCE.has(value.charAt(1)));
            case '(' -> last == ')' && hasNoDigit(value);
            case '[' -> last == ']' && hasNoDigit(value);
            case '%' -> value.length() <= 2 || last == '%' || value.startsWith("%(");
            case '`' -> last == '`';
            default -> startsAsReference(value);
        };
    }

    private static boolean hasNoDigit(String value) {
        return value.chars().noneMatch(c -> PaddedText.isDigit((char) c));
    }

    private static boolean startsAsReference(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        return lower.startsWith("your")
                        && lower.chars()
                                .allMatch(c -> PaddedText.isLetter((char) c) || c == '_' || c == '-' || c == ' ')
                || lower.startsWith("op://")
                || lower.startsWith("vault:")
                || lower.startsWith("arn:aws:")
                || lower.startsWith("env:")
                || lower.startsWith("file:")
                || lower.startsWith("!");
    }

    /** {@code ${…}}, {@code $(…)}, {@code $NAME}, {@code $name}; not {@code $ecret1}. */
    private static boolean isVariable(String value) {
        char second = value.length() > 1 ? value.charAt(1) : '{';
        if (second == '{' || second == '(') {
            return true;
        }
        String name = value.substring(1);
        boolean upper = name.chars().allMatch(c -> c >= 'A' && c <= 'Z' || c == '_' || PaddedText.isDigit((char) c));
        return upper || name.chars().allMatch(c -> c >= 'a' && c <= 'z' || c == '_');
    }

    private boolean isWord(String value) {
        int end = value.length();
        while (end > 0 && ".,;:!?)".indexOf(value.charAt(end - 1)) >= 0) {
            end--;
        }
        return nothing.contains(value.substring(0, end).toLowerCase(Locale.ROOT));
    }

    /** A name, a member or a call in a program. */
    private boolean isCode(String value) {
        int open = value.indexOf('(');
        int bracket = value.indexOf('[');
        int end = open > 0 ? open : bracket > 0 ? bracket : value.length();
        String name = value.substring(0, end);
        if (!name.chars().allMatch(c -> PaddedText.isLetter((char) c) || c == '_' || c == '.' || c == '-')) {
            return false;
        }
        boolean member = name.indexOf('.') > 0;
        String first = name.substring(0, member ? name.indexOf('.') : name.length());
        return open > 0 || (member || bracket > 0) && code.contains(first.toLowerCase(Locale.ROOT)) || isNames(name);
    }

    /** Only words such as {@code dbPassword} or {@code access_token} consist of. */
    private boolean isNames(String name) {
        return SensitiveName.words(name).stream().allMatch(keyWords::contains);
    }

    /** Whether a sentence is here, not a value: white space and a word that values have not. */
    boolean isProse(PaddedText text, int from, int to) {
        boolean prose = false;
        int word = from;
        for (int i = from; i <= Math.min(to, from + LONGEST); i++) {
            if (i == to || PaddedText.isWhite(text.at(i))) {
                prose |= (word > from || i < to) && word < i && isWord(text.from(word, i));
                word = i + 1;
            }
        }
        return prose;
    }

    /** Whether white space is in the first of it. */
    static boolean hasWhite(PaddedText text, int from, int to) {
        for (int i = from; i < Math.min(to, from + LONGEST); i++) {
            if (PaddedText.isWhite(text.at(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether digits and letters are in the first of it. */
    static boolean isMixed(PaddedText text, int from, int to) {
        boolean digit = false;
        boolean letter = false;
        for (int i = from; i < Math.min(to, from + LONGEST); i++) {
            digit |= PaddedText.isDigit(text.at(i));
            letter |= PaddedText.isLetter(text.at(i));
        }
        return digit && letter;
    }

    /** Whether it looks as no word of a sentence does. */
    static boolean looksSecret(PaddedText text, int from, int to) {
        if (to - from < 5) {
            return false;
        }
        boolean special = false;
        for (int i = from; i < Math.min(to, from + LONGEST) - 1; i++) {
            special |= SPECIALS.indexOf(text.at(i)) >= 0;
        }
        return special || isMixed(text, from, to);
    }

    /** Whether it is a path or the name of a file. */
    static boolean isPath(PaddedText text, int from, int to) {
        if (to - from > LONGEST || PATH.endOfRun(text, from, LONGEST) < to) {
            return false;
        }
        String value = text.from(from, to);
        boolean rooted = value.matches("(?:/|\\./|\\.\\./|~|[A-Za-z]:[\\\\/]).*");
        int point = value.lastIndexOf('.');
        boolean file = point > 0
                && to - from - point <= 6
                && value.substring(point + 1).chars().allMatch(c -> PaddedText.isLetter((char) c));
        return rooted && to - from > 1 || file;
    }
}

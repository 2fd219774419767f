package dev.xmem.core.text.redact;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Recognizes values that are no secrets: words for "no value", words about the secret, references and code. Only values
 * up to a maximum length are examined, which bounds what is read in vain. Immutable.
 */
final class FalsePositiveFilter {
    private static final int MAX_LENGTH = 128;
    private static final CharSet SPECIALS = CharSet.of("!#$%^&*+=~?");
    private static final CharSet PATH = CharSet.of("A-Za-z0-9_./~@: \\-");
    private static final CharSet REFERENCE = CharSet.of("A-Za-z0-9_.:{}()[]$'\" /|-");
    private static final List<String> REFERENCES = List.of("op://", "vault:", "arn:aws:", "env:", "file:", "!");

    private final Set<String> nothing;
    private final Set<String> keyWords;
    private final Set<String> code;
    private final Set<String> algorithms;

    FalsePositiveFilter(Set<String> nothing, Set<String> keyWords, Set<String> code, Set<String> algorithms) {
        this.nothing = nothing;
        this.keyWords = keyWords;
        this.code = code;
        this.algorithms = algorithms;
    }

    /** Whether a value is a mask, a reference, code, or a word from the list {@code nothing}. */
    boolean isBenign(PaddedText text, int from, int to) {
        if (to - from > MAX_LENGTH) {
            return false;
        }
        String value = text.from(from, to);
        return value.isBlank()
                || isMask(value)
                || isReference(value)
                || isWord(value)
                || isCode(value)
                || isCount(value)
                || isAlgorithm(value);
    }

    /** Whether one character is repeated: {@code ****}, {@code xxxx}, {@code ...}. */
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
            case '%' -> value.length() <= 2 || last == '%' || "(sdvq".indexOf(value.charAt(1)) >= 0;
            case '`' -> last == '`';
            default -> startsAsReference(value.toLowerCase(Locale.ROOT));
        };
    }

    private static boolean hasNoDigit(String value) {
        return value.chars().noneMatch(c -> PaddedText.isDigit((char) c));
    }

    private static boolean startsAsReference(String lower) {
        for (String start : REFERENCES) {
            if (lower.startsWith(start)) {
                return true;
            }
        }
        return lower.startsWith("your") && isLetters(lower, "_- ");
    }

    private static boolean isLetters(String value, String others) {
        return value.chars().allMatch(c -> PaddedText.isLetter((char) c) || others.indexOf(c) >= 0);
    }

    /** {@code ${…}}, {@code $(…)}, {@code $NAME} or {@code $name}, but not {@code $ecret1}. */
    private static boolean isVariable(String value) {
        char second = value.length() > 1 ? value.charAt(1) : '{';
        return second == '{' || second == '(' || value.substring(1).matches("[A-Z0-9_]*|[a-z_]*");
    }

    private boolean isWord(String value) {
        int end = value.length();
        while (end > 0 && ".,;:!?)".indexOf(value.charAt(end - 1)) >= 0) {
            end--;
        }
        return nothing.contains(value.substring(0, end).toLowerCase(Locale.ROOT));
    }

    /** Whether the value is a name, a member or a call in source code. */
    private boolean isCode(String value) {
        int open = value.indexOf('(');
        int bracket = value.indexOf('[');
        int end = open > 0 ? open : bracket > 0 ? bracket : value.length();
        String name = value.substring(0, end);
        if (!isLetters(name, "_.-")) {
            return false;
        }
        boolean member = name.indexOf('.') > 0;
        String first = name.substring(0, member ? name.indexOf('.') : name.length());
        return open > 0 || (member || bracket > 0) && code.contains(first.toLowerCase(Locale.ROOT)) || isNames(name);
    }

    /** Whether a value has at most three characters, all of them digits. */
    private static boolean isCount(String value) {
        return value.length() <= 3 && value.chars().allMatch(c -> PaddedText.isDigit((char) c));
    }

    /** Whether a value names a mechanism or a cipher: {@code SCRAM-SHA-256}. */
    private boolean isAlgorithm(String value) {
        List<String> words = List.of(value.toLowerCase(Locale.ROOT).split("[-_./ ]"));
        return words.stream().allMatch(word -> algorithms.contains(word) || isCount(word));
    }

    /**
     * Whether a name consists of the words of names only, or is a variable that ends in one: {@code dbPassword},
     * {@code access_token}, {@code DOCKER_PASSWORD}.
     */
    private boolean isNames(String name) {
        List<String> words = SensitiveName.words(name);
        boolean variable = words.size() > 1 && name.equals(name.toUpperCase(Locale.ROOT));
        return (variable ? words.subList(words.size() - 1, words.size()) : words)
                .stream().allMatch(keyWords::contains);
    }

    /** Whether a range is a sentence: it contains white space and a word that no value has. */
    boolean isProse(PaddedText text, int from, int to) {
        boolean prose = false;
        int word = from;
        for (int i = from; i <= Math.min(to, from + MAX_LENGTH); i++) {
            if (i == to || PaddedText.isWhite(text.at(i))) {
                prose |= (word > from || i < to) && word < i && isWord(text.from(word, i));
                word = i + 1;
            }
        }
        return prose;
    }

    /** Whether the examined part contains white space. */
    static boolean hasWhite(PaddedText text, int from, int to) {
        for (int i = from; i < Math.min(to, from + MAX_LENGTH); i++) {
            if (PaddedText.isWhite(text.at(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the examined part contains both digits and letters. */
    static boolean isMixed(PaddedText text, int from, int to) {
        boolean digit = false;
        boolean letter = false;
        for (int i = from; i < Math.min(to, from + MAX_LENGTH); i++) {
            digit |= PaddedText.isDigit(text.at(i));
            letter |= PaddedText.isLetter(text.at(i));
        }
        return digit && letter;
    }

    /** Whether no word of a sentence looks like this value. */
    static boolean looksSecret(PaddedText text, int from, int to) {
        return to - from >= 5
                && (SPECIALS.indexIn(text, from, Math.min(to, from + MAX_LENGTH) - 1) >= 0 || isMixed(text, from, to));
    }

    /** Whether a value is a path or a file name. */
    static boolean isPath(PaddedText text, int from, int to) {
        if (to - from > MAX_LENGTH || PATH.endOfRun(text, from, MAX_LENGTH) < to) {
            return false;
        }
        String value = text.from(from, to);
        boolean rooted = value.matches("(?:/|\\./|\\.\\./|~|[A-Za-z]:[\\\\/]).*");
        int dot = value.lastIndexOf('.');
        boolean file = dot > 0 && to - from - dot <= 6 && isLetters(value.substring(dot + 1), "");
        boolean words = value.indexOf('/', 1) > 0 && isLetters(value, "_./-");
        return rooted && to - from > 1 || file || words;
    }
}

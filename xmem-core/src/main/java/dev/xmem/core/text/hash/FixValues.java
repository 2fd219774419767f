package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values of a fix that its failure named: a module, a branch, a package. A word that every failure of the family
 * names is part of the message; one that another failure does not name is what the first one was about. The word in its
 * place, between the same neighbors, is what the other one is about. Stateless.
 * Decision: docs/adr/0128-fixes-about-one-subject.md.
 */
final class FixValues {
    /** Three of them make one value: itself, the word before it, and the word after it. */
    private static final int WORDS = 3;

    private static final int MAX_VALUES = 8;
    private static final int MAX_CHARS = 16_384;
    private static final int MIN_LETTERS = 2;
    private static final int MIN_DIGITS = 3;
    private static final String BORDERS = "\\s\"'`“”‘’()<>,;\\[\\]{}";
    private static final Pattern BETWEEN = Pattern.compile("[\\s\"'`“”‘’,;]+");
    private static final Pattern EDGES = Pattern.compile("^[(<\\[{]+|[)>\\]}.:!?]+$");
    private static final Pattern SIGNS = Pattern.compile("[^\\p{L}\\p{Nd}]+");
    private static final Pattern PARTS = Pattern.compile("[=:@]");
    private static final Pattern OPTION_NAME = Pattern.compile("^-[^=:]*+[=:]?");

    /** Before a value that the failure's call named and its error did not: no value begins with it. */
    private static final String OF_CALL = "-";

    /** What may be written into a line of a shell: the word comes from an output. */
    private static final Pattern SAFE = Pattern.compile("[\\p{L}\\p{Nd}][\\p{L}\\p{Nd}._@/+-]{0,99}");

    private static final Pattern NO_SIGNS = Pattern.compile("[\\p{L}\\p{Nd}_-]+");
    /** What separates the words of a step; an option of one or two letters is none, such as {@code java -cp}. */
    private static final Pattern STEP_WORDS =
            Pattern.compile("[^\\p{L}]*(?<!\\S)-[A-Za-z]{1,2}(?!\\S)|[^\\p{L}]+|(?<=\\p{Ll})(?=\\p{Lu})");

    /** Words of a step that deletes, overwrites, stops or opens something. */
    private static final Set<String> DESTRUCTIVE = WordTables.list("destructive");

    /** A redirection to a file, and options of git that delete or force. */
    private static final Pattern OVERWRITES =
            Pattern.compile(">(?![=&]|>?\\s*+/dev/null)|\\bgit\\b.*\\s(?:-[A-Za-z]*[DdfM]\\b|[:+]\\S)", Pattern.DOTALL);

    private FixValues() {}

    /**
     * The values of a fix that a failure named, each with its neighbors in the failure's text.
     *
     * @param fix the words that the fix added
     * @param subject what the failure is about, even as a part of a word of the fix; empty if that is not known
     * @param error the part of the text that binds: a value that only the rest has is marked as one of the call
     */
    static List<String> named(List<String> fix, String subject, String text, String error) {
        List<String> words = words(text);
        List<String> named = new ArrayList<>();
        for (String part : fix) {
            List<String> found = new ArrayList<>();
            for (String word : words(part)) {
                String value = OPTION_NAME.matcher(word).replaceFirst("");
                Stream<String> parts = words.contains(value) ? Stream.of(value) : PARTS.splitAsStream(value);
                parts.filter(words::contains).forEach(found::add);
            }
            if (has(part, subject) && found.stream().noneMatch(value -> value.contains(subject))) {
                found.add(subject);
            }
            found.forEach(value -> add(value, words, error.contains(value), named));
        }
        return named;
    }

    /** Whether a part of a fix has the subject in it: a short one only between other signs, as in {@code ns-db}. */
    private static boolean has(String part, String subject) {
        String lower = part.toLowerCase(Locale.ROOT);
        String name = subject.toLowerCase(Locale.ROOT);
        return subject.length() > MIN_LETTERS
                ? lower.contains(name)
                : subject.length() == MIN_LETTERS && SIGNS.splitAsStream(lower).anyMatch(name::equals);
    }

    private static void add(String value, List<String> words, boolean binds, List<String> named) {
        String marked = binds || value.isEmpty() ? value : OF_CALL + value;
        boolean known = IntStream.range(0, named.size())
                .anyMatch(i -> i % WORDS == 0 && named.get(i).equals(marked));
        if (isValue(value) && !known && named.size() < WORDS * MAX_VALUES) {
            int at = words.indexOf(value);
            named.addAll(List.of(marked, at < 0 ? "" : words.get(at - 1), at < 0 ? "" : words.get(at + 1)));
        }
    }

    /**
     * What takes the place of these values in the words of another failure, without those that it names as well; null
     * if it is about something else. A value of the call stays if nothing is in its place.
     */
    static @Nullable Map<String, String> others(List<String> named, String subject, RecallQuery.Words words) {
        if (named.size() > WORDS * MAX_VALUES) {
            return null; // a line that another program wrote
        }
        Map<String, String> others = new LinkedHashMap<>();
        for (int i = 0; i + WORDS <= named.size(); i += WORDS) {
            boolean ofCall = named.get(i).startsWith(OF_CALL);
            String value = ofCall ? named.get(i).substring(OF_CALL.length()) : named.get(i);
            if (!value.equals(subject) && !words.all().contains(value)) {
                String other = between(named.get(i + 1), named.get(i + 2), value, words);
                if (other != null) {
                    others.put(value, other);
                } else if (!ofCall) {
                    return null;
                }
            }
        }
        return others;
    }

    private static @Nullable String between(String before, String after, String value, RecallQuery.Words all) {
        List<String> words = all.inOrder();
        boolean none = (before + after).isEmpty()
                || !all.all().contains(before)
                || !all.all().contains(after);
        for (int i = 1; i + 1 < words.size() && !none; i++) {
            if (words.get(i - 1).equals(before) && words.get(i + 1).equals(after) && isLike(value, words.get(i))) {
                return words.get(i);
            }
        }
        return null;
    }

    /** Whether a word of an output may take the place of a value: it is a plain name, with no other signs. */
    private static boolean isLike(String value, String word) {
        return isValue(word)
                && SAFE.matcher(word).matches()
                && !word.contains("..")
                && NO_SIGNS.matcher(word).replaceAll("").chars().allMatch(sign -> value.indexOf(sign) >= 0)
                && value.chars().anyMatch(Character::isLetter) == word.chars().anyMatch(Character::isLetter);
    }

    /** Whether a step deletes, overwrites, stops or opens something. */
    static boolean destroys(String step) {
        return OVERWRITES.matcher(step).find()
                || STEP_WORDS.splitAsStream(step).anyMatch(word -> DESTRUCTIVE.contains(word.toLowerCase(Locale.ROOT)));
    }

    /** A text with other values in the place of whole words; null if such a value is also a part of a word. */
    static @Nullable String replaced(String text, Map<String, String> others) {
        String result = text;
        for (Map.Entry<String, String> each : others.entrySet()) {
            String rest = word(each.getKey()).matcher(result).replaceAll("");
            if (rest.contains(each.getKey())) {
                return null;
            }
            result = word(each.getKey()).matcher(result).replaceAll(Matcher.quoteReplacement(each.getValue()));
        }
        return result;
    }

    private static Pattern word(String value) {
        return Pattern.compile("(?<![^" + BORDERS + "])" + Pattern.quote(value) + "(?![^" + BORDERS + "])");
    }

    /** The words of a text, with an empty one at its beginning and at the end of each line. */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>(List.of(""));
        text.substring(0, Math.min(MAX_CHARS, text.length())).lines().forEach(line -> {
            BETWEEN.splitAsStream(line)
                    .map(word -> EDGES.matcher(word).replaceAll(""))
                    .filter(word -> !word.isEmpty())
                    .forEach(words::add);
            words.add("");
        });
        return words;
    }

    /** Whether a word may be what a failure is about: no option, no sign and no small number. */
    private static boolean isValue(String word) {
        long letters = word.chars().filter(Character::isLetter).count();
        long digits = word.chars().filter(Character::isDigit).count();
        return !word.startsWith("-") && (letters >= MIN_LETTERS || digits >= MIN_DIGITS);
    }
}

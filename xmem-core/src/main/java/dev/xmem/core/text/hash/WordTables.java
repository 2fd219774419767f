package dev.xmem.core.text.hash;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The word lists of {@code words.txt}: canonical forms, nouns, diagnostic words, and the closed vocabulary of
 * diagnoses.
 */
final class WordTables {
    private static final List<RuleFile.Section> SECTIONS = RuleFile.sections(WordTables.class, "words.txt");
    private static final Map<String, String> CANONICAL = new HashMap<>();
    private static final Map<String, Map<String, String>> CANONICAL_PAIRS = new HashMap<>();
    private static final Set<String> STOP = list("stop");

    /** The words that phrases leave out. */
    static final Set<String> SKIPPED = list("skipped");

    /** The words that mark a line that may carry a diagnosis. */
    static final Set<String> DIAGNOSTIC = list("diagnostic");

    /** The words that keep their meaning inside quotes. */
    static final Set<String> QUOTED = list("quoted");

    private static final Set<String> MANIFESTS = list("manifests");
    private static final Map<String, String> NOUNS = nouns();

    /** The canonical forms; empty for a word that phrases leave out. */
    private static final Map<String, String> FORMS = new HashMap<>();

    static {
        canonicalForms();
        FORMS.putAll(CANONICAL);
        for (String word : SKIPPED) {
            FORMS.put(word, "");
        }
    }

    private WordTables() {}

    /** The vocabulary of diagnoses; built for the first line that needs it. */
    private static final class Vocabulary {
        static final Set<String> WORDS = list("vocabulary");

        static {
            WORDS.addAll(NOUNS.keySet());
            WORDS.addAll(DIAGNOSTIC);
            WORDS.addAll(CANONICAL.values());
            for (RuleFile.Section section : CauseLexicon.SECTIONS) {
                for (String line : section.body()) {
                    addWords(line);
                }
            }
        }

        private static void addWords(String phrases) {
            for (int from = 0, end; from < phrases.length(); from = end + 1) {
                end = endOfWord(phrases, from);
                if (end - from > 2 && phrases.charAt(end - 1) != '~') {
                    WORDS.add(phrases.substring(from, end));
                }
            }
        }

        /** A method of its own, because a short process only compiles what is called often. */
        private static int endOfWord(String text, int from) {
            int i = from;
            while (i < text.length() && (text.charAt(i) >= 'a' && text.charAt(i) <= 'z' || text.charAt(i) == '~')) {
                i++;
            }
            return i;
        }
    }

    /** The canonical form of a lower-case word of a line; null for a word that phrases leave out. */
    static @Nullable String form(String word) {
        String form = FORMS.getOrDefault(word, word);
        return form.isEmpty() ? null : form;
    }

    /** The canonical form of a lower-case word. */
    static String canonical(String word) {
        return CANONICAL.getOrDefault(word, word);
    }

    /** The canonical form of a pair of words, or null if the pair has none. */
    static @Nullable String canonical(String first, String second) {
        Map<String, String> seconds = CANONICAL_PAIRS.get(first);
        return seconds == null ? null : seconds.get(second);
    }

    /** Whether a pair that begins with the word has a canonical form. */
    static boolean beginsPair(String word) {
        return CANONICAL_PAIRS.containsKey(word);
    }

    /** Whether the word is in the vocabulary of diagnoses; any other word may be a name. */
    static boolean known(String word) {
        return Vocabulary.WORDS.contains(word);
    }

    /** Whether the word is kept in a pattern: it is in the vocabulary and no stop word. */
    static boolean telling(String word) {
        return Vocabulary.WORDS.contains(word) && !STOP.contains(word);
    }

    /** Whether the word is left out of a pattern. */
    static boolean stop(String word) {
        return STOP.contains(word) || SKIPPED.contains(word);
    }

    /** Whether the text names a file that makes a folder a project. */
    static boolean manifest(String text) {
        for (String name : MANIFESTS) {
            int at = text.indexOf(name);
            int end = at + name.length();
            if (at >= 0 && !(end < text.length() && text.charAt(end) == ':')) {
                return true;
            }
        }
        return false;
    }

    /** The term for a noun, or null if the word is not a noun. */
    static @Nullable String noun(String word) {
        return NOUNS.get(word);
    }

    /** The words of a section of {@code words.txt}. */
    static Set<String> list(String name) {
        Set<String> words = new HashSet<>();
        for (String line : RuleFile.body(SECTIONS, name)) {
            words.addAll(RuleFile.words(line));
        }
        return words;
    }

    private static Map<String, String> nouns() {
        Map<String, String> terms = new HashMap<>();
        for (String entry : list("nouns")) {
            int sign = entry.indexOf('=');
            String term = sign < 0 ? entry : entry.substring(0, sign);
            for (String word : entry.substring(sign + 1).split(",", -1)) {
                terms.put(word, term);
            }
        }
        return terms;
    }

    private static void canonicalForms() {
        for (String line : RuleFile.body(SECTIONS, "canonical")) {
            List<String> forms = RuleFile.words(line);
            for (String form : forms) {
                int plus = form.indexOf('+');
                if (plus < 0) {
                    CANONICAL.put(form, forms.get(0));
                } else {
                    String first = form.substring(0, plus);
                    Map<String, String> seconds = CANONICAL_PAIRS.getOrDefault(first, new HashMap<>());
                    seconds.put(form.substring(plus + 1), forms.get(0));
                    CANONICAL_PAIRS.put(first, seconds);
                }
            }
        }
    }
}

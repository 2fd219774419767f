package dev.xmem.core.text.hash;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The word lists of {@code words.txt}: canonical forms, nouns, diagnostic words, and the closed vocabulary of
 * diagnoses. What they have of a word is in its {@link Term}.
 */
final class WordTables {
    private static final List<RuleFile.Section> SECTIONS = RuleFile.sections(WordTables.class, "words.txt");
    private static final Set<String> DIAGNOSTIC = list("diagnostic");
    private static final Map<String, String> CANONICAL = new HashMap<>();
    private static final Set<String> MANIFESTS = list("manifests");
    private static final Map<String, String> NOUNS = nouns();

    private static final int BITS = 13;
    private static final int SLOTS = 1 << BITS;
    /** How many slots a look-up tries, from the slot of the hash on. A term without a free slot is not kept. */
    private static final int PROBES = 16;

    /** The terms that a list or a phrase has, by the hashes of their texts. */
    private static final @Nullable Term[] TERMS = new Term[SLOTS];

    private static final ReentrantLock LOCK = new ReentrantLock();

    static {
        addTerms();
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
            int from = 0;
            for (int i = 0; i <= phrases.length(); i++) {
                char c = i < phrases.length() ? phrases.charAt(i) : ' ';
                if (!(c >= 'a' && c <= 'z') && c != '~') {
                    if (i - from > 2 && phrases.charAt(i - 1) != '~') {
                        WORDS.add(phrases.substring(from, i));
                    }
                    from = i + 1;
                }
            }
        }
    }

    /** The term of a part of a line, whose capitals do not matter. */
    static Term term(String line, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            char c = line.charAt(i);
            if (c >= 0x80) {
                return term(line.substring(from, to).toLowerCase(Locale.ROOT));
            }
            hash = 31 * hash + Slugs.lower(c);
        }
        Term known = find(hash, line, from, to);
        return known == null ? new Term(line.substring(from, to).toLowerCase(Locale.ROOT)) : known;
    }

    /** The term of a word in lower case. */
    static Term term(String word) {
        Term known = find(word.hashCode(), word, 0, word.length());
        return known == null ? new Term(word) : known;
    }

    private static @Nullable Term find(int hash, String line, int from, int to) {
        int slot = slot(hash);
        Term term;
        for (int probes = 0; probes < PROBES && (term = TERMS[slot]) != null; probes++) {
            if (term.text.length() == to - from
                    && term.text.hashCode() == hash
                    && (line.startsWith(term.text, from) || isLower(term.text, line, from))) {
                return term;
            }
            slot = slot + 1 & SLOTS - 1;
        }
        return null;
    }

    /** Whether a text is a part of a line in lower case. */
    private static boolean isLower(String text, String line, int from) {
        int i = 0;
        while (i < text.length() && text.charAt(i) == Slugs.lower(line.charAt(from + i))) {
            i++;
        }
        return i == text.length();
    }

    private static int slot(int hash) {
        return hash * 0x9e3779b1 >>> Integer.SIZE - BITS;
    }

    /**
     * Keeps the term of a word that a list or a phrase has, so that it is found by the next look-up. A reader that does
     * not see it makes another one, which is equal.
     */
    static void keep(Term term) {
        int hash = term.text.hashCode();
        LOCK.lock();
        try {
            if (find(hash, term.text, 0, term.text.length()) == null) {
                int slot = slot(hash);
                for (int probes = 0; probes < PROBES; probes++) {
                    if (TERMS[slot] == null) {
                        TERMS[slot] = term;
                        return;
                    }
                    slot = slot + 1 & SLOTS - 1;
                }
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Whether the word is in the vocabulary of diagnoses. */
    static boolean inVocabulary(String word) {
        return Vocabulary.WORDS.contains(word);
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

    /** The words of a section of {@code words.txt}. */
    static Set<String> list(String name) {
        Set<String> words = new HashSet<>();
        for (String line : RuleFile.body(SECTIONS, name)) {
            words.addAll(List.of(line.trim().split(" ", -1)));
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

    /**
     * Makes the terms of the lists; a word in several lists has one term. Has no lambdas, since linking them takes most
     * of the time in a process that hashes one failure.
     */
    private static void addTerms() {
        Map<String, Map<String, String>> pairs = new HashMap<>();
        Map<String, Integer> lists = new HashMap<>();
        for (String line : RuleFile.body(SECTIONS, "canonical")) {
            String[] forms = line.trim().split(" ", -1);
            for (String form : forms) {
                int plus = form.indexOf('+');
                if (plus < 0) {
                    CANONICAL.put(form, forms[0]);
                } else {
                    Map<String, String> seconds = pairs.getOrDefault(form.substring(0, plus), new HashMap<>());
                    seconds.put(form.substring(plus + 1), forms[0]);
                    pairs.put(form.substring(0, plus), seconds);
                }
            }
        }
        addList(lists, CANONICAL.keySet(), 0);
        addList(lists, pairs.keySet(), 0);
        addList(lists, NOUNS.keySet(), 0);
        addList(lists, list("stop"), Term.STOP);
        addList(lists, list("skipped"), Term.SKIPPED);
        addList(lists, list("quoted"), Term.QUOTED);
        addList(lists, DIAGNOSTIC, Term.DIAGNOSTIC);
        addTerms(lists, pairs, true);
        addTerms(lists, pairs, false);
    }

    /** Adds the terms of the words that are canonical, or of those that are not, whose canonical ones are added. */
    private static void addTerms(
            Map<String, Integer> lists, Map<String, Map<String, String>> pairs, boolean canonical) {
        for (Map.Entry<String, Integer> entry : lists.entrySet()) {
            String word = entry.getKey();
            String form = CANONICAL.getOrDefault(word, word);
            if (form.equals(word) == canonical) {
                Map<String, String> seconds = pairs.getOrDefault(word, Map.of());
                keep(new Term(word, canonical ? null : term(form), entry.getValue(), NOUNS.get(word), seconds));
            }
        }
    }

    private static void addList(Map<String, Integer> lists, Set<String> words, int list) {
        for (String word : words) {
            lists.put(word, lists.getOrDefault(word, 0) | list);
        }
    }
}

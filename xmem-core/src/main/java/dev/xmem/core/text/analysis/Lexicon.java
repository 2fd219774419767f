package dev.xmem.core.text.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The built-in knowledge of the analyzer: five text files, read once. Immutable.
 *
 * <ul>
 *   <li>{@code words.txt}: stop words, filler (skipped inside phrases), negations, and words so common in reports of
 *       failures that they carry little information.
 *   <li>{@code forms.txt}: irregular forms, {@code found = find}.
 *   <li>{@code synonyms.txt}: {@code k8s, kubernetes = kubectl}; for queries only.
 *   <li>{@code purposes.txt}: {@code du: disk usage, folder size}; for queries only.
 *   <li>{@code causes.txt}: {@code already-exists: already exists; EEXIST | is taken}; for entries and queries, what
 *       follows the bar for queries only.
 * </ul>
 *
 * <p>The phrases form a trie over stems, without filler and with every negation read as {@code not};
 * {@link LexiconPhrases} walks it. Decisions: docs/adr/0025-two-cause-lexicons.md,
 * docs/adr/0073-purposes-of-programs.md.
 */
public final class Lexicon {
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern BETWEEN_FORMS = Pattern.compile("[,\\s]+");
    private static final Lexicon STANDARD = new Lexicon(false);

    private final Map<String, LexiconEntry> entries = new LinkedHashMap<>();
    private final LexiconEntry[] numbered;
    private final LexiconEntry[] table;
    /** The hash of the entry of each slot, odd; 0 for an empty slot. */
    private final int[] hashes;

    private final LexiconEntry not = entry("not");

    /** A word of the lexicon. */
    static final class LexiconEntry {
        final String word;
        private final int number;
        /** Not a term. */
        boolean stop;
        /** Skipped inside phrases. */
        boolean filler;
        /** Reads as {@code not} in phrases; negates the next word. */
        boolean negation;
        /** Carries little information. */
        boolean weak;
        /** A word that has another meaning than the program or service of this name. */
        boolean ordinary;
        /** The name of a program, a service or a library, and no ordinary word. */
        boolean name;
        /** The base of an irregular form, stemmed. */
        @Nullable String form;
        /** The phrases that begin with this word. */
        final PhraseNode start = new PhraseNode();

        LexiconEntry(String word, int number) {
            this.word = word;
            this.number = number;
        }

        /** Its number for {@link Lexicon#entry(int)}. */
        int number() {
            return number;
        }
    }

    /**
     * A term that matches in place of a query's word. Equality is written by hand: the generated methods of a record
     * are linked when they are first called, which takes 20 ms of the first search.
     *
     * @param weight its weight relative to the query's own word
     */
    public record Alternative(String term, double weight) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Alternative alternative
                    && term.equals(alternative.term)
                    && Double.compare(weight, alternative.weight) == 0;
        }

        @Override
        public int hashCode() {
            return 31 * term.hashCode() + Double.hashCode(weight);
        }
    }

    /** A cause and its term. */
    static final class Cause {
        final char[] term;
        final int hash;
        final int number;

        Cause(String name, int number) {
            this.number = number;
            this.term = ("#" + name).toCharArray();
            this.hash = WordChars.hash(term, term.length);
        }

        @Override
        public String toString() {
            return new String(term);
        }
    }

    /** Loaded by the first query: a process that only records and recalls never needs it. */
    private static final class OfQueries {
        static final Lexicon LEXICON = new Lexicon(true);
    }

    private Lexicon(boolean ofQueries) {
        readWords();
        readForms();
        if (ofQueries) {
            readSynonyms();
            readPurposes();
        }
        readCauses(ofQueries);
        numbered = entries.values().toArray(LexiconEntry[]::new);
        entries.values().forEach(entry -> entry.start.findCauses());
        table = new LexiconEntry[Integer.highestOneBit(numbered.length) * 8];
        hashes = new int[table.length];
        for (LexiconEntry entry : numbered) {
            enter(entry);
        }
    }

    /** What the analyzer knows of entries. */
    static Lexicon standard() {
        return STANDARD;
    }

    /** What the analyzer knows of queries, or of entries. */
    static Lexicon of(boolean query) {
        return query ? OfQueries.LEXICON : STANDARD;
    }

    /** The entry that every negation reads as. */
    LexiconEntry not() {
        return not;
    }

    /** The number of words. */
    int size() {
        return numbered.length;
    }

    /** The entry with a number. */
    LexiconEntry entry(int number) {
        return numbered[number];
    }

    /** The entry of this word, in lower case or stemmed. */
    @Nullable LexiconEntry find(char[] chars, int length, int hash) {
        int mask = table.length - 1;
        for (int slot = hash & mask; hashes[slot] != 0; slot = (slot + 1) & mask) {
            LexiconEntry entry = table[slot];
            if (hashes[slot] == (hash | 1) && WordChars.equal(chars, length, entry.word)) {
                return entry;
            }
        }
        return null;
    }

    /** The entry of this word, in lower case or stemmed. */
    @Nullable LexiconEntry find(String word) {
        return entries.get(word);
    }

    /** Whether a term is a word that is common in reports of failures, and says little. */
    public static boolean isWeak(String term) {
        LexiconEntry entry = STANDARD.find(term);
        return entry != null && entry.weak;
    }

    /** Whether a term is the name of a program, a service or a library, and no ordinary word. */
    public static boolean isName(String term) {
        LexiconEntry entry = OfQueries.LEXICON.find(term);
        return entry != null && entry.name;
    }

    private void enter(LexiconEntry entry) {
        char[] chars = entry.word.toCharArray();
        int hash = WordChars.hash(chars, chars.length);
        int slot = hash & (table.length - 1);
        while (hashes[slot] != 0) {
            slot = (slot + 1) & (table.length - 1);
        }
        table[slot] = entry;
        hashes[slot] = hash | 1;
    }

    private void readWords() {
        for (String line : RuleFile.lines(Lexicon.class, "words.txt")) {
            int colon = line.indexOf(':');
            String kind = line.substring(0, colon).strip();
            for (String word : SPACE.split(line.substring(colon + 1).strip())) {
                mark(word, kind);
            }
        }
    }

    private void mark(String word, String kind) {
        LexiconEntry entry = entry(kind.equals("weak") || kind.equals("ordinary") ? stem(word) : word);
        switch (kind) {
            case "stop" -> entry.stop = true;
            case "filler" -> entry.filler = true;
            case "not" -> entry.negation = true;
            case "weak" -> entry.weak = true;
            case "ordinary" -> entry.ordinary = true;
            default -> throw new IllegalStateException("words.txt has an unknown kind: " + kind);
        }
        entry.stop |= entry.filler || entry.negation;
    }

    private void readForms() {
        for (String line : RuleFile.lines(Lexicon.class, "forms.txt")) {
            int equals = line.indexOf('=');
            String base = line.substring(equals + 1).strip();
            for (String form : BETWEEN_FORMS.split(line.substring(0, equals).strip())) {
                entry(form).form = form.equals(base) ? base : stem(base);
            }
        }
    }

    private void readSynonyms() {
        for (String line : RuleFile.lines(Lexicon.class, "synonyms.txt")) {
            String[] sides = line.split("=");
            if (sides.length == 1) {
                everyOtherOf(List.of(sides[0].split(",")));
            } else {
                oneWay(List.of(sides[0].split(",")), List.of(sides[1].split(",")));
            }
        }
    }

    private void everyOtherOf(List<String> words) {
        for (String word : words) {
            List<String> others = new ArrayList<>(words);
            others.remove(word);
            oneWay(List.of(word), others);
        }
    }

    private void oneWay(List<String> phrases, List<String> words) {
        Set<Alternative> alternatives = new LinkedHashSet<>();
        for (String word : words) {
            alternatives.add(alternative(word.strip()));
        }
        asked(phrases, List.copyOf(alternatives));
    }

    private Alternative alternative(String text) {
        int at = text.indexOf('*');
        String word = at < 0 ? text : text.substring(0, at);
        double weight = at < 0 ? RankingParameters.SYNONYM : Double.parseDouble(text.substring(at + 1));
        return new Alternative(word.startsWith("!") ? "!" + normal(word.substring(1)) : normal(word), weight);
    }

    private void asked(List<String> phrases, List<Alternative> synonyms) {
        for (String phrase : phrases) {
            PhraseNode node = nodeOf(phrase);
            if (!node.synonyms.contains(synonyms)) {
                node.synonyms.add(synonyms);
                node.says = true;
            }
        }
    }

    /** A purpose asks for the entries of its programs, which are indexed under the program's name and an at sign. */
    private void readPurposes() {
        for (String line : RuleFile.lines(Lexicon.class, "purposes.txt")) {
            int colon = line.indexOf(':');
            for (String phrase : line.substring(colon + 1).split(",")) {
                double weight = isOneWord(phrase) ? RankingParameters.PURPOSE_WORD : RankingParameters.PURPOSE;
                List<Alternative> programs = new ArrayList<>();
                for (String program : line.substring(0, colon).split(",")) {
                    programs.add(new Alternative(program(program.strip()), weight));
                }
                asked(List.of(phrase), programs);
            }
        }
    }

    /** Whether a phrase has one word besides filler: "day of" is read as "day". */
    private boolean isOneWord(String phrase) {
        return wordsOf(phrase.strip()).stream()
                        .filter(word -> !word.equals("*") && !entry(normal(word)).filler)
                        .count()
                == 1;
    }

    /** The term for a program, or for a name in quotes: that of a service or library, which entries have as a word. */
    private String program(String name) {
        boolean quoted = name.startsWith("\"");
        String term = normal(quoted ? name.substring(1, name.length() - 1) : name);
        LexiconEntry entry = entry(term);
        entry.name = !entry.ordinary && !entry.weak && !entry.stop && term.length() > 1;
        return quoted ? term : "@" + term;
    }

    private void readCauses(boolean ofQueries) {
        Map<String, Cause> causes = new LinkedHashMap<>();
        for (String line : RuleFile.lines(Lexicon.class, "causes.txt")) {
            int colon = line.indexOf(':');
            Cause cause =
                    causes.computeIfAbsent(line.substring(0, colon).strip(), name -> new Cause(name, causes.size()));
            String[] sides = line.substring(colon + 1).split("\\|");
            said(List.of(sides[0].split(";")), cause);
            if (ofQueries && sides.length > 1) {
                Alternative term = new Alternative(cause.toString(), RankingParameters.ASKED);
                asked(List.of(sides[1].split(";")), List.of(term));
            } else if (sides.length > 1) {
                gaps(sides[1].split(";"));
            }
        }
    }

    /** Opens the gaps of phrases that only queries have: entries and queries must skip the same words. */
    private void gaps(String[] phrases) {
        for (String phrase : phrases) {
            if (phrase.indexOf('*') >= 0) {
                nodeOf(phrase);
            }
        }
    }

    private void said(List<String> phrases, Cause cause) {
        for (String phrase : phrases) {
            PhraseNode node = nodeOf(phrase);
            if (!node.causes.contains(cause)) {
                node.causes.add(cause);
                node.says = true;
            }
        }
    }

    private PhraseNode nodeOf(String phrase) {
        PhraseNode node = null;
        boolean onlyNot = true;
        for (String raw : wordsOf(phrase.strip())) {
            if (raw.equals("*") && node != null) {
                node.gap = true;
                continue;
            }
            LexiconEntry word = entry(normal(raw));
            if (!word.filler) {
                word = word.negation ? not : word;
                onlyNot &= word.negation;
                node = node == null ? word.start : node.open(word);
            }
        }
        if (node == null || onlyNot) {
            throw new IllegalStateException("a phrase without a word that counts: " + phrase);
        }
        return node;
    }

    /** Splits at white space and {@code -_./}. A phrase that begins with one of these begins with an empty word. */
    private static List<String> wordsOf(String phrase) {
        List<String> words = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= phrase.length(); i++) {
            if (i == phrase.length() || isBetweenWords(phrase.charAt(i))) {
                if (i > from || i == 0) {
                    words.add(phrase.substring(from, i));
                }
                from = i + 1;
            }
        }
        return words;
    }

    private static boolean isBetweenWords(char c) {
        return c == ' ' || c == '-' || c == '_' || c == '.' || c == '/' || c >= '\t' && c <= '\r';
    }

    /** A word as the analyzer normalizes it. */
    private String normal(String raw) {
        String lower = raw.strip().toLowerCase(Locale.ROOT);
        LexiconEntry known = entries.get(lower.endsWith("n't") ? "not" : lower);
        if (known == null) {
            return stem(lower);
        }
        return known.form != null ? known.form : known.stop ? known.word : stem(lower);
    }

    private static String stem(String word) {
        char[] chars = word.toCharArray();
        return new String(chars, 0, Stemmer.stem(chars, chars.length));
    }

    private LexiconEntry entry(String word) {
        return entries.computeIfAbsent(word, unknown -> new LexiconEntry(unknown, entries.size()));
    }
}

package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names whose values are secrets. Immutable. */
final class SensitiveNames {
    /** What may separate the words of a name. */
    private static final List<String> SEPARATORS = List.of("", " ", "_", "-", ".");

    private static final int MAX_NUMBER = 2;

    private final List<RedactionRule> rules;
    private final Set<String> after;
    /** Read when a text has a trigger for the first time: the calls of most short processes have none. */
    private volatile @Nullable List<Key> read;

    /**
     * A name and its rule.
     *
     * @param words its words
     * @param joined its words without separators
     * @param alone whether the first word must not end another word
     * @param any whether any value is a secret, or only what could be a token
     * @param said whether a quoted value needs no sign before it
     * @param unless the preceding words that make it another name
     */
    record Key(
            String rule,
            List<String> words,
            String joined,
            boolean alone,
            boolean any,
            boolean said,
            Set<String> unless) {
        private boolean isJoined(String word) {
            return alone ? word.equals(joined) : word.endsWith(joined);
        }

        private boolean isSeparated(List<String> name, int last) {
            int first = last - words.size() + 1;
            return first >= 0
                    && words.size() > 1
                    && name.get(first).endsWith(words.get(0))
                    && name.subList(first + 1, last + 1).equals(words.subList(1, words.size()));
        }

        /** Whether the preceding word, if any, makes it another name. */
        private boolean isOther(List<String> name, int last) {
            String word = name.get(last);
            int before = isJoined(word) ? last - 1 : last - words.size();
            boolean glued = isJoined(word) && unless.contains(word.substring(0, word.length() - joined.length()));
            return glued || before >= 0 && unless.contains(name.get(before));
        }
    }

    /** Creates the names of the rules, with the words that may follow a name. */
    SensitiveNames(List<RedactionRule> rules, Set<String> after) {
        this.rules = rules;
        this.after = after;
    }

    List<Key> keys() {
        List<Key> known = read;
        if (known == null) {
            known = new ArrayList<>();
            for (RedactionRule rule : rules) {
                boolean any = rule.words("value").contains("any");
                Set<String> unless = new HashSet<>(rule.words("unless"));
                for (String name : rule.names()) {
                    List<String> words = SensitiveName.words(name);
                    String joined = String.join("", words);
                    known.add(new Key(rule.name(), words, joined, name.startsWith("="), any, rule.has("said"), unless));
                }
            }
            read = known;
        }
        return known;
    }

    /** The literals at which a name is looked for, by the list of the shortest names. */
    static Set<String> triggers(Set<String> shortest) {
        Set<String> triggers = new HashSet<>();
        for (String name : shortest) {
            for (String separator : SEPARATORS) {
                triggers.add(name.replace("_", separator));
            }
        }
        return triggers;
    }

    /** The key that the words of a name end in; null if there is none. */
    @Nullable Key keyOf(List<String> words) {
        for (int last = words.size() - 1; last >= 0; last--) {
            for (Key key : keys()) {
                if (key.isJoined(words.get(last)) || key.isSeparated(words, last)) {
                    return key.isOther(words, last) ? null : key;
                }
            }
            if (!mayFollow(words.get(last))) {
                return null;
            }
        }
        return null;
    }

    /** Whether a word may follow a sensitive name: {@code password2}, {@code token_value}. */
    private boolean mayFollow(String word) {
        boolean number = word.length() <= MAX_NUMBER && word.chars().allMatch(c -> PaddedText.isDigit((char) c));
        return number || after.contains(word);
    }
}

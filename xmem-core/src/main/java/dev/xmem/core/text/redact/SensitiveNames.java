package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The names beside which a value is a secret. Immutable. */
final class SensitiveNames {
    private static final List<String> JOINTS = List.of("", "_", "-", ".", " ");
    private static final int LONGEST_NUMBER = 2;
    private static final int START = 2;

    private final List<Key> keys = new ArrayList<>();
    private final Set<String> after;

    /**
     * A name and the rule it falls under.
     *
     * @param words its words
     * @param joined its words as one
     * @param alone whether nothing may stand before it in its first word
     * @param any whether any value is a secret, or only what could be a token
     * @param said whether a value in quotes needs no sign before it
     * @param unless the words before it that make it another thing
     */
    record Key(
            String rule,
            List<String> words,
            String joined,
            boolean alone,
            boolean any,
            boolean said,
            Set<String> unless) {
        private boolean endsAt(List<String> name, int last) {
            return isJoined(name.get(last)) || isParted(name, last);
        }

        private boolean isJoined(String word) {
            return alone ? word.equals(joined) : word.endsWith(joined);
        }

        private boolean isParted(List<String> name, int last) {
            int first = last - words.size() + 1;
            if (first < 0 || words.size() == 1 || !name.get(first).endsWith(words.get(0))) {
                return false;
            }
            return name.subList(first + 1, last + 1).equals(words.subList(1, words.size()));
        }

        /** Whether the word before, if any, makes it another thing. */
        private boolean isOther(List<String> name, int last) {
            int before = isJoined(name.get(last)) ? last - 1 : last - words.size();
            String word = name.get(last);
            boolean glued = isJoined(word) && unless.contains(word.substring(0, word.length() - joined.length()));
            return glued || before >= 0 && unless.contains(name.get(before));
        }
    }

    SensitiveNames(List<RedactionRule> rules, Set<String> after) {
        this.after = after;
        for (RedactionRule rule : rules) {
            for (String name : rule.names()) {
                keys.add(key(rule, name));
            }
        }
    }

    private static Key key(RedactionRule rule, String name) {
        boolean alone = name.startsWith("=");
        List<String> words = SensitiveName.words(name);
        return new Key(
                rule.name(),
                words,
                String.join("", words),
                alone,
                rule.words("value").contains("any"),
                rule.has("said"),
                new HashSet<>(rule.words("unless")));
    }

    /** What a name is looked for at: as few literals as possible, none of which holds another. */
    Set<String> triggers() {
        Set<String> all = new TreeSet<>();
        for (Key key : keys) {
            for (String joint : JOINTS) {
                all.add(String.join(joint, key.words()));
            }
        }
        Map<String, List<String>> byStart = new HashMap<>();
        for (String literal : all) {
            String start = literal.substring(0, START);
            List<String> begun = byStart.getOrDefault(start, new ArrayList<>());
            begun.add(literal);
            byStart.put(start, begun);
        }
        Set<String> least = new TreeSet<>();
        for (String literal : all) {
            if (!holdsAnother(literal, byStart)) {
                least.add(literal);
            }
        }
        return least;
    }

    private static boolean holdsAnother(String literal, Map<String, List<String>> byStart) {
        for (int from = 0; from + START <= literal.length(); from++) {
            for (String other : byStart.getOrDefault(literal.substring(from, from + START), List.of())) {
                if (other.length() < literal.length() && literal.startsWith(other, from)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The key that a name is, whatever stands before it; null if it is none. */
    @Nullable Key keyOf(SensitiveName name) {
        List<String> words = name.words();
        for (int last = words.size() - 1; last >= 0; last--) {
            for (Key key : keys) {
                if (key.endsAt(words, last)) {
                    return key.isOther(words, last) ? null : key;
                }
            }
            if (!isTail(words.get(last))) {
                return null;
            }
        }
        return null;
    }

    /** Whether a word may stand behind the name of a secret: {@code password2}, {@code token_value}. */
    private boolean isTail(String word) {
        boolean number = word.length() <= LONGEST_NUMBER && PaddedText.isDigits(word);
        return number || after.contains(word);
    }
}

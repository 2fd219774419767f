package dev.xmem.core.agent.guard;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Tells which advice an agent followed: what it did differently afterwards stands in the advice. A call that merely worked
 * is no vote for advice that said something else. Stateless.
 */
final class AdviceFollowing {
    private static final int SHORTEST_WORD = 3;

    private AdviceFollowing() {}

    /** The suggestions that were followed: the words of the difference, or a step in between, stand in them. */
    static List<Suggestion> among(List<Suggestion> suggested, CallDiff difference, List<SessionCall> between) {
        List<Suggestion> followed = new ArrayList<>();
        for (Suggestion suggestion : suggested) {
            String text = suggestion.text().toLowerCase(Locale.ROOT);
            Set<String> words = words(text);
            if (holds(words, difference) || between.stream().anyMatch(step -> names(text, words, step))) {
                followed.add(suggestion);
            }
        }
        return followed;
    }

    /** Half of the words that were added, and at least one that says something. */
    private static boolean holds(Set<String> advice, CallDiff difference) {
        Set<String> added = new LinkedHashSet<>();
        difference.added().forEach(item -> added.addAll(words(item.toLowerCase(Locale.ROOT))));
        long telling = added.stream()
                .filter(AdviceFollowing::isTelling)
                .filter(advice::contains)
                .count();
        long known = added.stream().filter(advice::contains).count();
        return telling > 0 && 2 * known >= added.size();
    }

    /** The step is a call that the advice names with its operation. */
    private static boolean names(String text, Set<String> words, SessionCall step) {
        if (step.failure() != null || !ReadOnlyCommands.changes(step)) {
            return false;
        }
        String line = step.line().toLowerCase(Locale.ROOT);
        Set<String> said = words(line);
        long known = said.stream().filter(words::contains).count();
        return text.contains(line) || known >= 2 && 2 * known >= said.size();
    }

    private static boolean isTelling(String word) {
        return word.startsWith("-") || word.length() >= SHORTEST_WORD;
    }

    /** Words as a command line has them: quotes and the punctuation of a sentence taken off. */
    private static Set<String> words(String text) {
        Set<String> words = new LinkedHashSet<>();
        for (String word : text.split("[\\s`'\"“”‘’(),;{}\\[\\]]+", -1)) {
            String bare = word.replaceAll("[.:!?…]+$", "");
            if (!bare.isEmpty()) {
                words.add(bare);
            }
        }
        return words;
    }
}

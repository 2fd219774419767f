package dev.xmem.core.hash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Many phrases, looked for at once. Phrases are indexed by their first word and the word after it, so that a line costs about one
 * look-up a word and not one trial a phrase. Where several match, the one that was added first wins; among weak ones the one that
 * stands first in the line.
 *
 * @param <T> what a phrase stands for
 */
final class Phrases<T> {
    private static final int GAP = 4;
    private static final int PASSED_OVER = 3;
    private static final int WEAK = Integer.MAX_VALUE;

    private final Map<String, Bucket<T>> byWord = new HashMap<>();
    private final List<Phrase<T>> byPrefix = new ArrayList<>();
    private int order;

    /** A phrase found in a line: what it stands for, and its first and last token. */
    record Found<T>(T value, int order, int first, int last) {}

    /** Adds phrases that are separated by semicolons. */
    void add(String phrases, T value, boolean weak) {
        for (String phrase : phrases.split(";")) {
            String trimmed = phrase.trim();
            if (!trimmed.isEmpty()) {
                addPhrase(Phrase.of(trimmed, value, weak ? WEAK : order++));
            }
        }
    }

    /** The found phrase that was added first, or null. */
    @Nullable Found<T> find(Tokens tokens) {
        return find(tokens, false);
    }

    /** Like {@link #find(Tokens)}; words inside quotes that hold several words count only if asked for. */
    @Nullable Found<T> find(Tokens tokens, boolean outsideQuotes) {
        Found<T> best = null;
        for (int i = 0; i < tokens.size; i++) {
            if (tokens.isWord(i) && !(outsideQuotes && tokens.isQuoted(i))) {
                best = findAt(tokens, i, best);
            }
        }
        return best;
    }

    private @Nullable Found<T> findAt(Tokens tokens, int at, @Nullable Found<T> best) {
        String word = tokens.word(at);
        Found<T> found = best;
        Bucket<T> bucket = byWord.get(word);
        if (bucket != null) {
            found = tryAll(bucket.others, tokens, at, found);
            int next = next(tokens, at + 1);
            List<Phrase<T>> pairs = next < 0 ? null : bucket.bySecond.get(tokens.word(next));
            if (pairs != null) {
                found = tryAll(pairs, tokens, at, found);
            }
        }
        return tryPrefixes(word, tokens, at, found);
    }

    private @Nullable Found<T> tryPrefixes(String word, Tokens tokens, int at, @Nullable Found<T> best) {
        if (word.isEmpty() || !Prefixes.mayStart(word, prefixStarts)) {
            return best;
        }
        return tryAll(byPrefix, tokens, at, best);
    }

    private final long[] prefixStarts = new long[16];

    private static <T> @Nullable Found<T> tryAll(
            List<Phrase<T>> phrases, Tokens tokens, int at, @Nullable Found<T> best) {
        Found<T> found = best;
        for (Phrase<T> phrase : phrases) {
            if (found != null && found.order() <= phrase.order) {
                break;
            }
            int last = phrase.matchAt(tokens, at);
            if (last >= 0) {
                found = new Found<>(phrase.value, phrase.order, at, last);
            }
        }
        return found;
    }

    private void addPhrase(Phrase<T> phrase) {
        Phrase.Element first = phrase.elements[0];
        if (first.prefix) {
            byPrefix.add(phrase);
            Prefixes.add(first.words, prefixStarts);
            return;
        }
        for (String word : first.words) {
            Bucket<T> bucket = byWord.computeIfAbsent(word, w -> new Bucket<>());
            Phrase.Element second = phrase.elements.length > 1 ? phrase.elements[1] : null;
            if (second != null && second.isPlain()) {
                for (String then : second.words) {
                    bucket.bySecond.computeIfAbsent(then, w -> new ArrayList<>()).add(phrase);
                }
            } else {
                bucket.others.add(phrase);
            }
        }
    }

    /** The next word after up to three names and numbers, or -1. */
    static int next(Tokens tokens, int from) {
        int i = from;
        while (i < tokens.size && i - from <= PASSED_OVER) {
            if (tokens.isWord(i)) {
                return i;
            }
            i++;
        }
        return -1;
    }

    private static final class Bucket<T> {
        final List<Phrase<T>> others = new ArrayList<>();
        final Map<String, List<Phrase<T>>> bySecond = new HashMap<>();
    }

    /** Two-letter beginnings as a bit set: most words begin like none of the prefixes. */
    private static final class Prefixes {
        static void add(String[] words, long[] starts) {
            for (String word : words) {
                int bit = bit(word);
                starts[bit >> 6] |= 1L << bit;
            }
        }

        static boolean mayStart(String word, long[] starts) {
            int bit = bit(word);
            return (starts[bit >> 6] & 1L << bit) != 0;
        }

        private static int bit(String word) {
            int second = word.length() > 1 ? word.charAt(1) : 0;
            return (word.charAt(0) * 31 + second) & 1023;
        }
    }

    /** How far a gap may reach. */
    static int gap() {
        return GAP;
    }
}

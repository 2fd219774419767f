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
    private final Map<Integer, List<Phrase<T>>> byPrefix = new HashMap<>();
    private int order;

    /** A phrase found in a line: what it stands for, and its first and last token. */
    record Found<T>(T value, int order, int first, int last) {}

    /** Adds phrases that are separated by semicolons. */
    void add(String phrases, T value, boolean weak) {
        for (String phrase : phrases.split(";", -1)) {
            String trimmed = phrase.trim();
            if (!trimmed.isEmpty()) {
                addPhrase(Phrase.of(trimmed, value, weak ? WEAK : order++));
            }
        }
    }

    /** The found phrase that was added first, or null; it begins before a token. */
    @Nullable Found<T> find(Tokens tokens, int before) {
        Found<T> best = null;
        for (int i = 0; i < before; i++) {
            if (tokens.isWord(i)) {
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
        List<Phrase<T>> phrases = word.length() < 2 ? null : byPrefix.get(start(word));
        return phrases == null ? best : tryAll(phrases, tokens, at, best);
    }

    /** The first two letters as a number. */
    private static Integer start(String word) {
        return word.charAt(0) << 7 | word.charAt(1);
    }

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
            for (String word : first.words) {
                byPrefix.computeIfAbsent(start(word), w -> new ArrayList<>()).add(phrase);
            }
            return;
        }
        for (String word : first.words) {
            Bucket<T> bucket = byWord.computeIfAbsent(word, w -> new Bucket<>());
            Phrase.Element second = phrase.elements.length > 1 ? phrase.elements[1] : null;
            if (second != null && second.isPlain()) {
                for (String then : second.words) {
                    bucket.bySecond
                            .computeIfAbsent(then, w -> new ArrayList<>())
                            .add(phrase);
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

    /** How far a gap may reach. */
    static int gap() {
        return GAP;
    }
}

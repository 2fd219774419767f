package dev.xmem.core.text.hash;

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
final class PhraseMatcher<T> {
    private static final int GAP = 4;
    private static final int PASSED_OVER = 3;
    private static final int WEAK = Integer.MAX_VALUE;

    private final Map<String, Bucket<T>> byWord = new HashMap<>();
    private final Map<Integer, List<PhrasePattern<T>>> byPrefix = new HashMap<>();
    private int order;

    /** A phrase found in a line: what it stands for, and its first and last token. */
    record Found<T>(T value, int order, int first, int last) {}

    /** Adds phrases that are separated by semicolons. */
    void add(String phrases, T value, boolean weak) {
        for (String phrase : phrases.split(";", -1)) {
            String trimmed = phrase.trim();
            if (!trimmed.isEmpty()) {
                addPhrase(trimmed, value, weak ? WEAK : order++);
            }
        }
    }

    /** The found phrase that was added first, or null; it begins before a token. */
    @Nullable Found<T> find(TokenizedLine tokens, int before) {
        Found<T> best = null;
        for (int i = 0; i < before; i++) {
            if (tokens.isWord(i)) {
                best = findAt(tokens, i, best);
            }
        }
        return best;
    }

    private @Nullable Found<T> findAt(TokenizedLine tokens, int at, @Nullable Found<T> best) {
        String word = tokens.word(at);
        Found<T> found = best;
        Bucket<T> bucket = byWord.get(word);
        if (bucket != null) {
            Read<T> read = bucket.read();
            found = tryAll(read.others, tokens, at, found);
            int next = next(tokens, at + 1);
            List<PhrasePattern<T>> pairs = next < 0 ? null : read.bySecond.get(tokens.word(next));
            if (pairs != null) {
                found = tryAll(pairs, tokens, at, found);
            }
        }
        return tryPrefixes(word, tokens, at, found);
    }

    private @Nullable Found<T> tryPrefixes(String word, TokenizedLine tokens, int at, @Nullable Found<T> best) {
        List<PhrasePattern<T>> phrases = word.length() < 2 ? null : byPrefix.get(start(word));
        return phrases == null ? best : tryAll(phrases, tokens, at, best);
    }

    /** The first two letters as a number. */
    private static Integer start(String word) {
        return word.charAt(0) << 7 | word.charAt(1);
    }

    private static <T> @Nullable Found<T> tryAll(
            List<PhrasePattern<T>> phrases, TokenizedLine tokens, int at, @Nullable Found<T> best) {
        Found<T> found = best;
        for (PhrasePattern<T> phrase : phrases) {
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

    private void addPhrase(String text, T value, int order) {
        String[] begin = PhrasePattern.begin(text);
        if (begin == null) {
            PhrasePattern.Element first = PhrasePattern.of(text, value, order).elements[0];
            if (first.prefix) {
                addPrefixes(PhrasePattern.of(text, value, order));
                return;
            }
            begin = first.words;
        }
        Unread<T> unread = new Unread<>(text, value, order);
        for (String word : begin) {
            Bucket<T> bucket = byWord.get(word);
            if (bucket == null) {
                bucket = new Bucket<>();
                byWord.put(word, bucket);
            }
            bucket.phrases.add(unread);
        }
    }

    private void addPrefixes(PhrasePattern<T> phrase) {
        for (String word : phrase.elements[0].words) {
            byPrefix.computeIfAbsent(start(word), w -> new ArrayList<>()).add(phrase);
        }
    }

    /** The next word after up to three names and numbers, or -1. */
    static int next(TokenizedLine tokens, int from) {
        int i = from;
        while (i < tokens.size && i - from <= PASSED_OVER) {
            if (tokens.isWord(i)) {
                return i;
            }
            i++;
        }
        return -1;
    }

    /** A phrase as the file has it. */
    private record Unread<T>(String text, T value, int order) {}

    /** The phrases that begin with a word, in the order in which they were added; read when a line first has the word. */
    private static final class Bucket<T> {
        private final List<Unread<T>> phrases = new ArrayList<>();
        private volatile @Nullable Read<T> read;

        Read<T> read() {
            Read<T> known = read;
            if (known == null) {
                known = new Read<>();
                for (Unread<T> phrase : phrases) {
                    known.add(PhrasePattern.of(phrase.text, phrase.value, phrase.order));
                }
                read = known;
            }
            return known;
        }
    }

    /** The same, by their second word where that is plain. */
    private static final class Read<T> {
        final List<PhrasePattern<T>> others = new ArrayList<>();
        final Map<String, List<PhrasePattern<T>>> bySecond = new HashMap<>();

        void add(PhrasePattern<T> phrase) {
            PhrasePattern.Element second = phrase.elements.length > 1 ? phrase.elements[1] : null;
            if (second == null || !second.isPlain()) {
                others.add(phrase);
                return;
            }
            for (String then : second.words) {
                List<PhrasePattern<T>> pairs = bySecond.getOrDefault(then, new ArrayList<>());
                pairs.add(phrase);
                bySecond.put(then, pairs);
            }
        }
    }

    /** How far a gap may reach. */
    static int gap() {
        return GAP;
    }
}

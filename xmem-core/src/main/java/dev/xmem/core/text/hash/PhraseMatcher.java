package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.HashCause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Matches a line against many phrases in one pass. The index maps the first and second word of each phrase to the
 * phrase, so a word of the line costs about one look-up. Of several matches the phrase that was added first wins; of
 * weak phrases, the first in the line.
 *
 * <p>A phrase is parsed when a line first contains its first word, since most phrases are never needed. Phrases are
 * added by one thread, before the matcher is published; then it is thread-safe.
 */
final class PhraseMatcher {
    private static final int MAX_SKIPPED = 3;
    private static final int WEAK = Integer.MAX_VALUE;
    private static final int LETTERS = 26;

    private final Map<String, Bucket> byWord = new HashMap<>();
    private final List<@Nullable List<PhrasePattern>> byPrefix =
            new ArrayList<>(Collections.nCopies(LETTERS * LETTERS, null));
    private int order;

    /** A match: the phrase's value and order, and the indexes of its first and last token. */
    record PhraseHit(HashCause value, int order, int first, int last) {}

    /** Adds phrases that are separated by semicolons. */
    void add(String phrases, HashCause value, boolean weak) {
        for (int from = 0, end; from < phrases.length(); from = end + 1) {
            end = phrases.indexOf(';', from);
            end = end < 0 ? phrases.length() : end;
            String phrase = phrases.substring(from, end).trim();
            if (!phrase.isEmpty()) {
                addPhrase(new Source(phrase, value, weak ? WEAK : order++));
            }
        }
    }

    /** The best match that begins at a token or behind it, and before another; or null. */
    @Nullable PhraseHit find(TokenizedLine tokens, int from, int before) {
        PhraseHit best = null;
        for (int i = from; i < before; i++) {
            if (tokens.isWord(i) && !tokens.isOfName(i)) {
                best = findAt(tokens, i, best);
            }
        }
        return best;
    }

    private @Nullable PhraseHit findAt(TokenizedLine tokens, int at, @Nullable PhraseHit best) {
        String word = tokens.word(at);
        PhraseHit hit = best;
        Bucket bucket = byWord.get(word);
        if (bucket != null) {
            Index index = bucket.index();
            hit = tryAll(index.others, tokens, at, hit, false);
            int next = nextWord(tokens, at + 1);
            hit = next < 0 ? hit : tryAll(index.bySecond.get(tokens.word(next)), tokens, at, hit, false);
        }
        int prefix = prefix(word);
        return prefix < 0 ? hit : tryAll(byPrefix.get(prefix), tokens, at, hit, true);
    }

    /** The first two letters as a number, or -1 if the word does not begin with two. */
    private static int prefix(String word) {
        if (word.length() < 2) {
            return -1;
        }
        int first = word.charAt(0) - 'a';
        int second = word.charAt(1) - 'a';
        return first < 0 || first >= LETTERS || second < 0 || second >= LETTERS ? -1 : first * LETTERS + second;
    }

    /**
     * The best match of phrases that begin at a token.
     *
     * @param prefix whether the phrases may begin with another word
     */
    private static @Nullable PhraseHit tryAll(
            @Nullable List<PhrasePattern> phrases,
            TokenizedLine tokens,
            int at,
            @Nullable PhraseHit best,
            boolean prefix) {
        if (phrases == null) {
            return best;
        }
        PhraseHit hit = best;
        int limit = hit == null ? Integer.MAX_VALUE : hit.order();
        for (int i = 0; i < phrases.size(); i++) {
            PhrasePattern phrase = phrases.get(i);
            if (hit != null && limit <= phrase.order()) {
                break;
            }
            boolean possible = tokens.hasAll(phrase.required()) && (!prefix || phrase.beginsAt(tokens, at));
            int last = possible ? phrase.matchBehind(tokens, at) : -1;
            if (last >= 0) {
                hit = new PhraseHit(phrase.value(), phrase.order(), at, last);
                limit = phrase.order();
            }
        }
        return hit;
    }

    private void addPhrase(Source source) {
        List<String> firstWords = PhrasePattern.firstWords(source.text);
        if (firstWords == null) {
            PhrasePattern phrase = source.parse();
            firstWords = phrase.elements().get(0).words();
            if (phrase.elements().get(0).prefix()) {
                for (String word : firstWords) {
                    List<PhrasePattern> known = byPrefix.get(prefix(word));
                    List<PhrasePattern> phrases = known == null ? new ArrayList<>() : known;
                    phrases.add(phrase);
                    byPrefix.set(prefix(word), phrases);
                }
                return;
            }
        }
        for (String word : firstWords) {
            Bucket bucket = byWord.get(word);
            if (bucket == null) {
                bucket = new Bucket();
                byWord.put(word, bucket);
            }
            bucket.phrases.add(source);
        }
    }

    /** The next word after up to three names and numbers, or -1. */
    private static int nextWord(TokenizedLine tokens, int from) {
        for (int i = from; i < tokens.size && i - from <= MAX_SKIPPED; i++) {
            if (tokens.isWord(i)) {
                return i;
            }
        }
        return -1;
    }

    /** A phrase that is not parsed. */
    private record Source(String text, HashCause value, int order) {
        PhrasePattern parse() {
            return PhrasePattern.of(text, value, order);
        }
    }

    /** The phrases that begin with a word, in the order in which they were added; parsed on first use. */
    private static final class Bucket {
        private final List<Source> phrases = new ArrayList<>();
        private volatile @Nullable Index index;

        Index index() {
            Index known = index;
            if (known == null) {
                known = new Index();
                for (Source phrase : phrases) {
                    known.add(phrase.parse());
                }
                index = known;
            }
            return known;
        }
    }

    /** The parsed phrases of a bucket, by their second word if it is plain. */
    private static final class Index {
        final List<PhrasePattern> others = new ArrayList<>();
        final Map<String, List<PhrasePattern>> bySecond = new HashMap<>();

        void add(PhrasePattern phrase) {
            PhrasePattern.Element second =
                    phrase.elements().size() > 1 ? phrase.elements().get(1) : null;
            if (second == null || !second.isPlain()) {
                others.add(phrase);
                return;
            }
            for (String word : second.words()) {
                List<PhrasePattern> pairs = bySecond.getOrDefault(word, new ArrayList<>());
                pairs.add(phrase);
                bySecond.put(word, pairs);
            }
        }
    }
}

package dev.xmem.core.text.analysis;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matches the phrases of the {@link Lexicon} along a text, word by word. Filler is skipped and every negation reads as
 * {@code not}. A word that does not continue a phrase ends it, except at a gap, which skips up to two words. A positive
 * phrase does not begin right after a negation: "does not exist" is not {@code already-exists}. Synonyms are matched in
 * queries only.
 */
final class LexiconPhrases {
    /** The maximum number of open phrases: more than the words of any phrase with its gaps filled. */
    static final int MOST = 12;

    /** The maximum number of words in a gap. */
    static final int GAP = 2;

    private final TokenConsumer consumer;
    private final boolean inQuery;
    /** The consumer's term number plus one of each cause, by the number of the cause. */
    private int[] terms = new int[16];

    private final PhraseNode[] nodes = new PhraseNode[MOST];
    private final int[] begins = new int[MOST];
    private final int[] skipped = new int[MOST];
    private int open;
    private boolean afterNot;

    LexiconPhrases(TokenConsumer consumer) {
        this.consumer = consumer;
        this.inQuery = consumer.isQuery();
    }

    void reset() {
        open = 0;
        afterNot = false;
    }

    /** Whether no phrase is open and the last word was no negation. */
    boolean areIdle() {
        return open == 0 && !afterNot;
    }

    /** Takes the next word other than filler; null for one that is not in the lexicon. */
    void word(Lexicon.@Nullable LexiconEntry word, int position) {
        if (open > 0) {
            advance(word);
        }
        if (word != null && !afterNot) {
            begin(word.start, position);
        }
        afterNot = word != null && word.negation;
        for (int i = 0; i < open; i++) {
            if (skipped[i] == 0 && nodes[i].says) {
                report(nodes[i], begins[i], position);
            }
        }
    }

    private void advance(Lexicon.@Nullable LexiconEntry word) {
        int kept = 0;
        for (int i = 0; i < open; i++) {
            PhraseNode node = nodes[i];
            PhraseNode next = word == null ? null : node.after(word);
            boolean passes = next == null && node.gap && skipped[i] < GAP;
            if (passes || next != null && next.isOfUse(inQuery)) {
                skipped[kept] = passes ? skipped[i] + 1 : 0;
                nodes[kept] = passes ? node : next;
                begins[kept++] = begins[i];
            }
        }
        open = kept;
    }

    private void begin(PhraseNode start, int position) {
        if (open < MOST && start.isOfUse(inQuery)) {
            nodes[open] = start;
            skipped[open] = 0;
            begins[open++] = position;
        }
    }

    private void report(PhraseNode node, int from, int to) {
        List<Lexicon.Cause> causes = node.causes;
        for (int i = 0; i < causes.size(); i++) {
            consumer.term(term(causes.get(i)), TokenType.CAUSE, from, to);
        }
        if (inQuery) {
            for (List<Lexicon.Alternative> synonyms : node.synonyms) {
                consumer.synonyms(synonyms, from, to);
            }
        }
    }

    private int term(Lexicon.Cause cause) {
        if (cause.number >= terms.length) {
            terms = Arrays.copyOf(terms, 2 * cause.number);
        }
        if (terms[cause.number] == 0) {
            terms[cause.number] = 1 + consumer.known(cause.term, cause.term.length, cause.hash);
        }
        return terms[cause.number] - 1;
    }
}

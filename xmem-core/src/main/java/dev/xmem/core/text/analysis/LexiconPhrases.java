package dev.xmem.core.text.analysis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Follows the lexicon's phrases along a text, word by word. Filler is skipped, any negation is {@code not}, a word that
 * does not belong ends a phrase begun, but for one with a gap there, which passes over two. A phrase that says that something <em>is</em> does not begin right
 * after a negation: "does not exist" is no {@code already-exists}. What only a request wants to know is followed for requests
 * only.
 */
final class LexiconPhrases {
    /** More than any phrase has words, its gaps filled: so many are never open at once. */
    static final int MOST = 12;

    static final int GAP = 2;

    private final TokenConsumer sink;
    private final boolean inRequest;
    /** The sink's number and one of each cause that was found, by the cause's number. */
    private int[] terms = new int[16];

    private final Lexicon.Node[] nodes = new Lexicon.Node[MOST];
    private final int[] begins = new int[MOST];
    private final int[] skipped = new int[MOST];
    private int open;
    private boolean afterNot;

    LexiconPhrases(TokenConsumer sink) {
        this.sink = sink;
        this.inRequest = sink.isRequest();
    }

    void reset() {
        open = 0;
        afterNot = false;
    }

    /** Whether no phrase has begun, and the last word was no negation. */
    boolean areIdle() {
        return open == 0 && !afterNot;
    }

    /** The next word; null when the lexicon does not know it. Filler is not given. */
    void word(Lexicon.@Nullable LexiconEntry word, int position) {
        if (open > 0) {
            advance(word);
        }
        if (word != null && !afterNot) {
            begin(word.start, position);
        }
        afterNot = word != null && word.negation;
        for (int i = 0; i < open; i++) {
            if (skipped[i] == 0 && nodes[i].says()) {
                report(nodes[i], begins[i], position);
            }
        }
    }

    private void advance(Lexicon.@Nullable LexiconEntry word) {
        int kept = 0;
        for (int i = 0; i < open; i++) {
            Lexicon.Node node = nodes[i];
            Lexicon.Node next = word == null ? null : node.after(word);
            boolean passes = next == null && node.hasGap() && skipped[i] < GAP;
            if (passes || next != null && next.isOfUse(inRequest)) {
                skipped[kept] = passes ? skipped[i] + 1 : 0;
                nodes[kept] = passes ? node : next;
                begins[kept++] = begins[i];
            }
        }
        open = kept;
    }

    private void begin(Lexicon.Node start, int position) {
        if (open < MOST && start.isOfUse(inRequest)) {
            nodes[open] = start;
            skipped[open] = 0;
            begins[open++] = position;
        }
    }

    private void report(Lexicon.Node node, int from, int to) {
        for (Lexicon.Cause cause : node.causes()) {
            sink.term(term(cause), TokenType.CAUSE, from, to);
        }
        for (Synonyms synonyms : node.synonyms()) {
            sink.synonyms(synonyms, from, to);
        }
    }

    private int term(Lexicon.Cause cause) {
        if (cause.number >= terms.length) {
            terms = Arrays.copyOf(terms, 2 * cause.number);
        }
        if (terms[cause.number] == 0) {
            terms[cause.number] = 1 + sink.known(cause.term, cause.term.length, cause.hash);
        }
        return terms[cause.number] - 1;
    }
}

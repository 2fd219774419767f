package dev.xmem.core.words;

import org.jspecify.annotations.Nullable;

/**
 * Follows the lexicon's phrases along a text, word by word. Filler is skipped, any negation is {@code not}, a word that
 * does not belong ends a phrase begun, but for one with a gap there, which passes over two. A phrase that says that something <em>is</em> does not begin right
 * after a negation: "does not exist" is no {@code already-exists}.
 */
final class Phrases {
    private static final int MOST = 12;
    private static final int GAP = 2;

    private final Lexicon.Node[] nodes = new Lexicon.Node[MOST];
    private final int[] begins = new int[MOST];
    private final int[] skipped = new int[MOST];
    private int open;
    private boolean afterNot;
    private final Token token = new Token();

    void reset() {
        open = 0;
        afterNot = false;
    }

    /** The next word; null when the lexicon does not know it. Filler is not given. */
    void word(Lexicon.@Nullable Entry word, int position, TermSink sink) {
        advance(word);
        if (word != null && !afterNot) {
            begin(word.start, position);
        }
        afterNot = word != null && word.negation;
        for (int i = 0; i < open; i++) {
            if (skipped[i] == 0 && nodes[i].says()) {
                report(nodes[i], begins[i], position, sink);
            }
        }
    }

    private void advance(Lexicon.@Nullable Entry word) {
        int kept = 0;
        for (int i = 0; i < open; i++) {
            Lexicon.Node next = word == null ? null : nodes[i].after(word);
            boolean passes = next == null && nodes[i].hasGap() && skipped[i] < GAP;
            if (next != null || passes) {
                skipped[kept] = passes ? skipped[i] + 1 : 0;
                nodes[kept] = passes ? nodes[i] : next;
                begins[kept++] = begins[i];
            }
        }
        open = kept;
    }

    private void begin(Lexicon.Node start, int position) {
        if (open < MOST && !start.isDead()) {
            nodes[open] = start;
            skipped[open] = 0;
            begins[open++] = position;
        }
    }

    private void report(Lexicon.Node node, int from, int to, TermSink sink) {
        for (Lexicon.Cause cause : node.causes()) {
            sink.term(token.is(cause.term, cause.term.length, cause.hash).at(TermKind.CAUSE, from, to));
        }
        for (Synonyms synonyms : node.synonyms()) {
            sink.synonyms(synonyms, from, to);
        }
    }
}

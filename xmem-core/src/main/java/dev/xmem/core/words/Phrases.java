package dev.xmem.core.words;

import org.jspecify.annotations.Nullable;

/**
 * Follows the lexicon's phrases along a text, word by word. Filler is skipped, any negation is {@code not}, a word that
 * the lexicon does not know ends every phrase begun. A phrase that says that something <em>is</em> does not begin right
 * after a negation: "does not exist" is no {@code already-exists}.
 */
final class Phrases {
    private static final int MOST = 12;

    private final Lexicon.Node[] nodes = new Lexicon.Node[MOST];
    private final int[] begins = new int[MOST];
    private int open;
    private boolean afterNot;
    private char[] chars = new char[Analyzer.LONGEST_TERM];

    void reset() {
        open = 0;
        afterNot = false;
    }

    /** The next word; null when the lexicon does not know it. Filler is not given. */
    void word(Lexicon.@Nullable Entry word, int position, TermSink sink) {
        if (word == null) {
            reset();
            return;
        }
        advance(word);
        if (!afterNot) {
            begin(word.start, position);
        }
        afterNot = word.negation;
        for (int i = 0; i < open; i++) {
            report(nodes[i], begins[i], position, sink);
        }
    }

    private void advance(Lexicon.Entry word) {
        int kept = 0;
        for (int i = 0; i < open; i++) {
            Lexicon.Node next = nodes[i].after(word);
            if (next != null) {
                nodes[kept] = next;
                begins[kept++] = begins[i];
            }
        }
        open = kept;
    }

    private void begin(Lexicon.Node start, int position) {
        if (open < MOST && !start.isDead()) {
            nodes[open] = start;
            begins[open++] = position;
        }
    }

    private void report(Lexicon.Node node, int from, int to, TermSink sink) {
        for (String cause : node.causes()) {
            cause.getChars(0, cause.length(), chars, 0);
            sink.term(chars, cause.length(), TermKind.CAUSE, from, to);
        }
        for (Synonyms synonyms : node.synonyms()) {
            sink.synonyms(synonyms, from, to);
        }
    }
}

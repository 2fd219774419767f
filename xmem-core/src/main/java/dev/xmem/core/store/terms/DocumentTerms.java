package dev.xmem.core.store.terms;

import dev.xmem.core.text.analysis.Analyzer;
import dev.xmem.core.text.analysis.TokenConsumer;
import dev.xmem.core.text.analysis.TokenType;
import dev.xmem.core.text.analysis.WordChars;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The terms of one entry at a time: each once, with the sum of the boosts of the fields that have it. Reused for entry
 * after entry. One thread only.
 */
final class DocumentTerms implements MemoryTextIndex.Fields, TokenConsumer {
    private static final char NEGATED = '!';
    private static final char TOOL = '@';
    private static final int MAX_WEIGHT = 255;

    private final TermTable ids;
    private final Analyzer analyzer = new Analyzer(this);
    private final char[] marked = new char[Analyzer.LONGEST_TERM + 3];
    /** The weight of each term by its number, as an unsigned byte; 0 unless the entry has it. */
    private byte[] weights = new byte[256];
    /** The terms of the entry. */
    private int[] terms = new int[256];

    private int count;
    private int words;
    private FieldBoost field = FieldBoost.DETAIL;

    DocumentTerms(TermTable ids) {
        this.ids = ids;
    }

    /** Analyses the next entry. If {@code fields} throws, the entry has no terms. */
    public void read(Consumer<? super MemoryTextIndex.Fields> fields) {
        clear();
        try {
            fields.accept(this);
        } catch (RuntimeException | Error e) {
            clear();
            throw e;
        }
    }

    private void clear() {
        for (int i = 0; i < count; i++) {
            weights[terms[i]] = 0;
        }
        count = 0;
        words = 0;
    }

    /** The number of the entry's terms. */
    public int count() {
        return count;
    }

    /** The number of a term. */
    public int term(int i) {
        return terms[i];
    }

    /** The weight of a term, at most {@value #MAX_WEIGHT}. */
    public int weight(int i) {
        return weights[terms[i]] & 0xFF;
    }

    /** The number of words in the entry. */
    public int words() {
        return words;
    }

    @Override
    public void text(FieldBoost boost, char[] in, int from, int length) {
        field = boost;
        analyzer.analyze(in, from, from + length);
    }

    @Override
    public int known(char[] chars, int length, int hash) {
        int term = ids.number(chars, length, hash);
        if (term >= weights.length) {
            weights = Arrays.copyOf(weights, term + (term >> 1) + 1);
        }
        return term;
    }

    @Override
    public int negated(int term) {
        return marked(NEGATED, term);
    }

    private int marked(char mark, int term) {
        marked[0] = mark;
        int length = 1 + ids.copy(term, marked, 1);
        return known(marked, length, WordChars.hash(marked, length));
    }

    @Override
    public boolean isQuery() {
        return false;
    }

    @Override
    public void term(int term, TokenType kind, int from, int to) {
        weigh(term);
        if (kind == TokenType.WORD || kind == TokenType.PART) {
            words++;
        }
        if (field == FieldBoost.TOOL && kind != TokenType.NEGATED && kind != TokenType.CAUSE) {
            weigh(marked(TOOL, term));
        }
    }

    private void weigh(int term) {
        int before = weights[term] & 0xFF;
        if (before == 0) {
            if (count == terms.length) {
                terms = Arrays.copyOf(terms, count * 2);
            }
            terms[count++] = term;
        }
        weights[term] = (byte) Math.min(MAX_WEIGHT, before + field.weight());
    }
}

package dev.xmem.core.store.terms;

import dev.xmem.core.text.analysis.Analyzer;
import dev.xmem.core.text.analysis.TokenConsumer;
import dev.xmem.core.text.analysis.TokenType;
import dev.xmem.core.text.analysis.WordChars;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Takes the texts of one entry after the other and gathers its terms, each once, with the weights of the fields that have it
 * added up. One thread only.
 */
final class DocumentTerms implements MemoryTextIndex.Fields, TokenConsumer {
    private static final char NOT = '!';
    private static final char TOOL = '@';
    private static final int HEAVIEST = 255;

    private final TermTable numbering;
    private final Analyzer analyzer = new Analyzer(this);
    private final char[] marked = new char[Analyzer.LONGEST_TERM + 3];
    /** The weight of each term in the entry so far, as an unsigned byte. */
    private byte[] weights = new byte[256];
    /** The terms that have one. */
    private int[] weighed = new int[256];

    private int count;
    private int words;
    private FieldBoost field = FieldBoost.DETAIL;

    DocumentTerms(TermTable numbering) {
        this.numbering = numbering;
    }

    /** Takes the next entry. When {@code fields} throws, it has no terms. */
    public void read(Consumer<? super MemoryTextIndex.Fields> fields) {
        forget();
        try {
            fields.accept(this);
        } catch (RuntimeException | Error e) {
            forget();
            throw e;
        }
    }

    private void forget() {
        for (int i = 0; i < count; i++) {
            weights[weighed[i]] = 0;
        }
        count = 0;
        words = 0;
    }

    /** How many terms the entry has. */
    public int count() {
        return count;
    }

    /** One of them. */
    public int term(int place) {
        return weighed[place];
    }

    /** The weight of one of them, at most {@value #HEAVIEST}. */
    public int weight(int place) {
        return weights[weighed[place]] & 0xFF;
    }

    /** How many words the entry has. */
    public int words() {
        return words;
    }

    @Override
    public void text(FieldBoost fieldClass, char[] in, int from, int length) {
        field = fieldClass;
        analyzer.analyze(in, from, from + length);
    }

    @Override
    public int known(char[] chars, int length, int hash) {
        int term = numbering.number(chars, length, hash);
        if (term >= weights.length) {
            weights = Arrays.copyOf(weights, term + (term >> 1) + 1);
        }
        return term;
    }

    @Override
    public int negated(int term) {
        return marked(NOT, term);
    }

    private int marked(char mark, int term) {
        marked[0] = mark;
        int length = 1 + numbering.copy(term, marked, 1);
        return known(marked, length, WordChars.hash(marked, length));
    }

    @Override
    public boolean isRequest() {
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
            if (count == weighed.length) {
                weighed = Arrays.copyOf(weighed, count * 2);
            }
            weighed[count++] = term;
        }
        weights[term] = (byte) Math.min(HEAVIEST, before + field.weight());
    }
}

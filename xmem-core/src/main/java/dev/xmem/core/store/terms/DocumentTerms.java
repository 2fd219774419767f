package dev.xmem.core.store.terms;

import dev.xmem.core.text.analysis.Analyzer;
import dev.xmem.core.text.analysis.TextCache;
import dev.xmem.core.text.analysis.TokenConsumer;
import dev.xmem.core.text.analysis.TokenType;
import dev.xmem.core.text.analysis.WordChars;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The terms of one entry at a time: each once, with the sum of the boosts of the fields that have it. Reused for entry
 * after entry: the terms of texts that recur, such as names, tags and hashes, are cached. One thread only.
 */
final class DocumentTerms implements MemoryTextIndex.Fields, TokenConsumer {
    private static final char NEGATED = '!';
    private static final char TOOL = '@';
    private static final int MAX_WEIGHT = 255;
    /** The longest text that is cached. */
    private static final int LONGEST_CACHED = 256;

    private static final int MOST_CACHED =
            (int) Math.min(1 << 21, Runtime.getRuntime().maxMemory() >> 8);

    private final TermTable ids;
    private final Analyzer analyzer = new Analyzer(this);
    private final char[] marked = new char[Analyzer.LONGEST_TERM + 3];
    /** Of each text: its number of words, and its terms in their order, each as often as the text has it. */
    private final TextCache texts = new TextCache(MOST_CACHED);
    /** The terms of a text that will be cached. */
    private int[] recorded = new int[64];
    /** How many they are, with the number of words before them; negative if the text will not be cached. */
    private int recording = -1;
    /** The weight of each term by its number, as an unsigned byte; 0 unless the entry has it. */
    private byte[] weights = new byte[256];
    /** At twice its number: the number plus one of each term negated, and behind it, of a tool; 0 if not known. */
    private int[] marks = new int[2 * weights.length];
    /** The terms of the entry. */
    private int[] terms = new int[256];

    private int count;
    private int words;
    private FieldBoost field = FieldBoost.DETAIL;
    /** The only kind of terms that are taken, and only as tools, while the program of a context hash is read. */
    private @Nullable TokenType program;

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
        recording = -1;
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
        words(boost, in, from, length);
        if (boost == FieldBoost.HASH) {
            program(in, from, from + length);
        }
    }

    /** Indexes the first word of a context hash as a tool, and the first two as one name: {@code apt-get}. */
    private void program(char[] in, int from, int to) {
        int end = partEnd(in, from, to);
        program = TokenType.WORD;
        analyzer.analyze(in, from, end);
        if (end < to) {
            program = TokenType.WHOLE;
            analyzer.analyze(in, from, partEnd(in, end + 1, to));
        }
        program = null;
    }

    private static int partEnd(char[] in, int from, int to) {
        int end = from;
        while (end < to && in[end] != '-') {
            end++;
        }
        return end;
    }

    private void words(FieldBoost boost, char[] in, int from, int length) {
        field = boost;
        int to = from + length;
        if (boost == FieldBoost.TOOL || boost == FieldBoost.ONCE || length > LONGEST_CACHED) {
            analyzer.analyze(in, from, to);
            return;
        }
        int hash = WordChars.hash(in, from, to);
        int known = texts.find(in, from, to, hash);
        if (known != TextCache.NONE) {
            int at = texts.begin(known);
            words += texts.number(at);
            for (at += 2; at < texts.end(known); at += 2) {
                weigh(texts.number(at));
            }
        } else if (texts.recurs(hash)) {
            int before = words;
            recording = 1;
            analyzer.analyze(in, from, to);
            recorded[0] = words - before;
            texts.add(in, from, to, hash, recorded, recording);
            recording = -1;
        } else {
            analyzer.analyze(in, from, to);
        }
    }

    @Override
    public int known(char[] chars, int length, int hash) {
        int term = ids.number(chars, length, hash);
        if (term >= weights.length) {
            int size = term + (term >> 1) + 1;
            weights = Arrays.copyOf(weights, size);
            marks = Arrays.copyOf(marks, 2 * size);
        }
        return term;
    }

    @Override
    public int negated(int term) {
        return marked(NEGATED, term, 2 * term);
    }

    private int marked(char mark, int term, int place) {
        if (marks[place] == 0) {
            marked[0] = mark;
            int length = 1 + ids.copy(term, marked, 1);
            int number = known(marked, length, WordChars.hash(marked, length));
            marks[place] = number + 1;
        }
        return marks[place] - 1;
    }

    @Override
    public boolean isQuery() {
        return false;
    }

    @Override
    public void term(int term, TokenType kind, int from, int to) {
        if (program != null) {
            int tool = kind == program ? marked(TOOL, term, 2 * term + 1) : term;
            if (tool != term && weights[tool] == 0) {
                weigh(tool);
            }
            return;
        }
        weigh(term);
        if (kind == TokenType.WORD || kind == TokenType.PART) {
            words++;
        }
        if (field == FieldBoost.TOOL && kind != TokenType.NEGATED && kind != TokenType.CAUSE) {
            weigh(marked(TOOL, term, 2 * term + 1));
        }
    }

    private void weigh(int term) {
        if (recording > 0) {
            if (recording == recorded.length) {
                recorded = Arrays.copyOf(recorded, 2 * recording);
            }
            recorded[recording++] = term;
        }
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

package dev.xmem.core.words;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The word postings of one log, in memory: which entries, known by their ordinals, hold which terms.
 *
 * <p>One thread at a time adds; any number of threads search meanwhile without a lock. {@link #end()} is the commit
 * point: an entry is searchable once it has moved past its ordinal, whole or not at all. A search names a
 * {@linkplain WordSearch.Slice cutoff} up to such an end and sees exactly the entries below it, with the statistics of
 * just these, however many more are added meanwhile. So a page can be ranked again later as it was.
 */
public final class WordIndex implements WordLines {
    private final Terms terms = new Terms();
    private final Lengths lengths = new Lengths();
    private final Analyzer analyzer = new Analyzer();
    private final Entry entry = new Entry();
    /** Written last in {@link #add}: everything below it happened before. */
    private volatile int end;

    /** Takes the texts of one entry. */
    @FunctionalInterface
    public interface Fields {
        /** One text and how much its words count. Several of one class are fine. */
        void text(FieldClass field, String text);
    }

    /** An index without entries. */
    public WordIndex() {}

    /**
     * Adds an entry. When {@code fields} throws, nothing was added.
     *
     * @param ordinal at least {@link #end()}; a gap costs twelve bytes an ordinal
     * @param fields called once, with the place to put the entry's texts
     */
    public void add(int ordinal, Consumer<? super Fields> fields) {
        if (ordinal < end || ordinal == Integer.MAX_VALUE) {
            throw new IllegalArgumentException("ordinal " + ordinal + " after " + (end - 1));
        }
        entry.begin();
        try {
            fields.accept(entry);
        } catch (RuntimeException | Error e) {
            entry.abandon();
            throw e;
        }
        entry.commit(ordinal);
        end = ordinal + 1;
    }

    /** One past the last ordinal added: the newest cutoff. */
    @Override
    public int end() {
        return end;
    }

    /** Roughly how many bytes of heap the index takes. Slow: it walks over all terms. */
    public long memoryBytes() {
        return terms.memory() + lengths.memory();
    }

    Terms terms() {
        return terms;
    }

    @Override
    public int entriesBelow(int cutoff) {
        return lengths.entries()[cutoff];
    }

    @Override
    public long wordsBelow(int cutoff) {
        return lengths.words()[cutoff];
    }

    @Override
    public int words(int line) {
        long[] below = lengths.words();
        return (int) (below[line + 1] - below[line]);
    }

    @Override
    public byte[] fewWords(int cutoff) {
        byte[] few = new byte[cutoff];
        for (int line = 0; line < cutoff; line++) {
            few[line] = few(words(line));
        }
        return few;
    }

    /** A number of words as {@link WordLines#fewWords} gives it. */
    static byte few(int words) {
        return (byte) Math.min(0xFF, words);
    }

    @Override
    public @Nullable TermLines find(String term) {
        return terms.find(term);
    }

    /** The entry being added: its terms and their weights so far. Kept and used again. */
    private final class Entry implements Fields, TermSink {
        private static final char TOOL = '@';

        private TermPostings[] weighed = new TermPostings[256];
        private final char[] tool = new char[Analyzer.LONGEST_TERM + 3];
        private int count;
        private int words;
        private FieldClass field = FieldClass.DETAIL;

        void begin() {
            count = 0;
            words = 0;
        }

        @Override
        public void text(FieldClass fieldClass, String text) {
            field = fieldClass;
            analyzer.analyze(text, this);
        }

        @Override
        public void term(Token token) {
            weigh(terms.findOrAdd(token.chars, token.length, token.hash));
            if (token.kind == TermKind.WORD || token.kind == TermKind.PART) {
                words++;
            }
            if (field == FieldClass.TOOL && token.kind != TermKind.NEGATED && token.kind != TermKind.CAUSE) {
                tool(token);
            }
        }

        private void tool(Token token) {
            tool[0] = TOOL;
            System.arraycopy(token.chars, 0, tool, 1, token.length);
            weigh(terms.findOrAdd(tool, token.length + 1, Chars.hash(tool, token.length + 1)));
        }

        private void weigh(TermPostings postings) {
            if (postings.weigh(field.weight())) {
                if (count == weighed.length) {
                    weighed = Arrays.copyOf(weighed, count * 2);
                }
                weighed[count++] = postings;
            }
        }

        void commit(int ordinal) {
            for (int i = 0; i < count; i++) {
                weighed[i].commit(ordinal);
            }
            lengths.add(ordinal, words);
        }

        void abandon() {
            for (int i = 0; i < count; i++) {
                weighed[i].forget();
            }
        }
    }
}

package dev.xmem.core.store.terms;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The word postings of one log, in memory: which entries, known by their ordinals, hold which terms.
 *
 * <p>One thread at a time adds; any number of threads search meanwhile without a lock. {@link #end()} is the commit
 * point: an entry is searchable once it has moved past its ordinal, whole or not at all. A search names a
 * {@linkplain LogSlice cutoff} up to such an end and sees exactly the entries below it, with the statistics of
 * just these, however many more are added meanwhile. So a page can be ranked again later as it was.
 */
public final class MemoryTextIndex implements TextIndex {
    private final TermTable terms = new TermTable();
    private final FieldLengths lengths = new FieldLengths();
    private final DocumentTerms entry = new DocumentTerms(terms);
    /** Written last in {@link #add}: everything below it happened before. */
    private volatile int end;

    /** Takes the texts of one entry. */
    @FunctionalInterface
    public interface Fields {
        /** One text, which stands in an array, and how much its words count. Several of one class are fine. */
        void text(FieldBoost field, char[] in, int from, int length);

        /** One text and how much its words count. */
        default void text(FieldBoost field, String text) {
            text(field, text.toCharArray(), 0, text.length());
        }
    }

    /** An index without entries. */
    public MemoryTextIndex() {}

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
        entry.read(fields);
        for (int i = 0; i < entry.count(); i++) {
            terms.get(entry.term(i)).add(ordinal, entry.weight(i));
        }
        lengths.add(ordinal, entry.words());
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

    /** A number of words as {@link TextIndex#fewWords} gives it. */
    public static byte few(int words) {
        return (byte) Math.min(0xFF, words);
    }

    /** Takes the terms of an index, each with its postings. */
    @FunctionalInterface
    public interface TermVisitor {
        /**
         * One term.
         *
         * @param term its characters, as {@link CompactTerm} encodes them
         * @param count how many postings it has
         * @param postings the postings, encoded as {@link PostingsIterator#over} reads them
         * @param length how many bytes of the array they take
         */
        void term(byte[] term, int count, byte[] postings, int length);
    }

    /** Hands over every term that has postings, in no particular order. For the writer. */
    public void eachTerm(TermVisitor visitor) {
        for (int number = 0; number < terms.size(); number++) {
            terms.get(number).visit(visitor);
        }
    }

    @Override
    public @Nullable TermLines find(String term) {
        return terms.find(term);
    }
}

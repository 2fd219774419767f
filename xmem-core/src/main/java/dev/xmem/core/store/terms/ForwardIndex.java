package dev.xmem.core.store.terms;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The terms of the entries of a segment, entry by entry, from which {@link #invert} makes the posting lists all at
 * once. For a segment that is written and not searched meanwhile; {@link MemoryTextIndex} is for one that is. One
 * thread only. Decision: docs/adr/0106-segments-from-a-forward-index.md.
 */
public final class ForwardIndex {
    private static final int NO_ENTRY = -1;
    private static final int SHIFT = 12;
    private static final int BLOCK = 1 << SHIFT;
    /** A posting has its weight in the lowest byte and its line in the others. */
    private static final int MOST_LINES = 1 << Integer.SIZE - Byte.SIZE;

    private final TermTable table = new TermTable();
    private final DocumentTerms document = new DocumentTerms(table);
    /** The number of words of each line. */
    private final int[] words;
    /** Where the terms of each line end. */
    private final int[] ends;
    /** The terms of all lines in blocks, so that growing copies none; and their weights as unsigned bytes. */
    private int[][] terms = new int[16][];

    private byte[][] weights = new byte[16][];
    private int size;
    private int end;

    /** An index of a segment with this many lines. */
    public ForwardIndex(int lines) {
        if (lines > MOST_LINES) {
            throw new IllegalArgumentException(lines + " lines; an index has at most " + MOST_LINES);
        }
        this.words = new int[lines];
        this.ends = new int[lines];
        Arrays.fill(words, NO_ENTRY);
    }

    /**
     * Adds an entry. Lines that are passed over are no entries.
     *
     * @param fields called once; passes the entry's texts to its argument
     */
    public void add(int line, Consumer<? super MemoryTextIndex.Fields> fields) {
        if (line < end) {
            throw new IllegalArgumentException("line " + line + " after " + (end - 1));
        }
        document.read(fields);
        Arrays.fill(ends, end, line, size);
        int count = document.count();
        Math.addExact(size, count);
        for (int i = 0; i < count; i++, size++) {
            int at = size & BLOCK - 1;
            if (at == 0) {
                addBlock(size / BLOCK);
            }
            terms[size / BLOCK][at] = document.term(i);
            weights[size / BLOCK][at] = (byte) document.weight(i);
        }
        words[line] = document.words();
        ends[line] = size;
        end = line + 1;
    }

    private void addBlock(int block) {
        if (block == terms.length) {
            terms = Arrays.copyOf(terms, 2 * block);
            weights = Arrays.copyOf(weights, 2 * block);
        }
        terms[block] = new int[BLOCK];
        weights[block] = new byte[BLOCK];
    }

    /** The number of lines. */
    public int lines() {
        return words.length;
    }

    /** Whether a line is an entry. */
    public boolean isEntry(int line) {
        return words[line] != NO_ENTRY;
    }

    /** The number of words of a line. */
    public int words(int line) {
        return Math.max(0, words[line]);
    }

    /** Takes the terms of an index, each with its postings. */
    @FunctionalInterface
    public interface TermVisitor {
        /** One term. */
        void term(Term term);
    }

    /**
     * A term and its postings.
     *
     * @param terms an array that has its characters, as {@link CompactTerm} encodes them
     * @param start where they begin
     * @param end where they end
     * @param count how many postings it has
     * @param postings an array that has them until the next term is passed on, encoded as
     *     {@link PostingsIterator#over} reads them
     * @param from where they begin
     * @param to where they end
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Term(byte[] terms, int start, int end, int count, byte[] postings, int from, int to) {}

    /**
     * Passes on every term that has postings, in no particular order. The index has no use after that. Postings are
     * sorted as numbers, and encoded one term after the other: to encode them where they end up costs more, because
     * the terms of a line are far apart.
     */
    public void invert(TermVisitor visitor) {
        int[] next = new int[table.size()];
        for (int i = 0; i < size; i++) {
            next[terms[i >>> SHIFT][i & BLOCK - 1]]++;
        }
        for (int term = 0, before = 0; term < next.length; term++) {
            int count = next[term];
            next[term] = before;
            before += count;
        }
        int[] sorted = new int[size]; // by term, and those of a term by line
        for (int line = 0, i = 0; line < end; line++) {
            for (; i < ends[line]; i++) {
                int weight = weights[i >>> SHIFT][i & BLOCK - 1] & 0xFF;
                sorted[next[terms[i >>> SHIFT][i & BLOCK - 1]]++] = line << Byte.SIZE | weight;
            }
        }
        terms = new int[0][]; // what the visitor copies takes their place in memory
        weights = new byte[0][];
        byte[] postings = {};
        for (int term = 0, from = 0; term < next.length; from = next[term++]) {
            int count = next[term] - from;
            if (count > 0) {
                int most = Math.multiplyExact(count, PostingList.LONGEST_POSTING);
                postings = postings.length < most ? new byte[Math.max(most, 2 * postings.length)] : postings;
                int to = 0;
                for (int i = from, last = 0; i < next[term]; i++) {
                    int line = sorted[i] >>> Byte.SIZE;
                    to = PostingList.put(postings, to, line - last, sorted[i] & 0xFF);
                    last = line;
                }
                visitor.term(new Term(table.bytes(), table.start(term), table.end(term), count, postings, 0, to));
            }
        }
    }
}

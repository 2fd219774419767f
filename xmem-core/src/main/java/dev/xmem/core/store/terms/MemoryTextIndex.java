package dev.xmem.core.store.terms;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The text index of the newest entries of a log, in memory.
 *
 * <p>One thread at a time adds; any number of threads search concurrently without a lock. {@link #end()} is the commit
 * point: an entry is visible once it has moved past its ordinal, completely or not at all. A search names a
 * {@linkplain LogSlice cutoff} up to such an end and sees exactly the entries below it, with statistics of just these,
 * whatever is added in the meantime. So a page can be ranked again later as it was.
 */
public final class MemoryTextIndex implements TextIndex {
    private final TermTable terms = new TermTable();
    private final DocumentTerms document = new DocumentTerms(terms);
    /** The postings of each term by its number. */
    private volatile AtomicReferenceArray<@Nullable PostingList> postings = new AtomicReferenceArray<>(1 << 10);
    /** At i: the number of words in all entries below i. A running sum is exact at any cutoff. */
    private volatile long[] words = new long[64];
    /** At i: the number of entries below i. */
    private volatile int[] entries = new int[64];
    /** Written last in {@link #add}: publishes everything below it. */
    private volatile int end;

    /** Takes the texts of one entry. */
    @FunctionalInterface
    public interface Fields {
        /** One text, as a range of an array. A field may have several. */
        void text(FieldBoost field, char[] in, int from, int length);

        /** One text. */
        default void text(FieldBoost field, String text) {
            text(field, text.toCharArray(), 0, text.length());
        }
    }

    /** An empty index. */
    public MemoryTextIndex() {}

    /**
     * Adds an entry. If {@code fields} throws, nothing is added.
     *
     * @param ordinal at least {@link #end()}; a gap costs twelve bytes an ordinal
     * @param fields called once; passes the entry's texts to its argument
     */
    public void add(int ordinal, Consumer<? super Fields> fields) {
        if (ordinal < end || ordinal == Integer.MAX_VALUE) {
            throw new IllegalArgumentException("ordinal " + ordinal + " after " + (end - 1));
        }
        document.read(fields);
        for (int i = 0; i < document.count(); i++) {
            postings(document.term(i)).add(ordinal, document.weight(i));
        }
        addLength(ordinal, document.words());
        end = ordinal + 1;
    }

    private PostingList postings(int term) {
        if (term >= postings.length()) {
            AtomicReferenceArray<@Nullable PostingList> larger = new AtomicReferenceArray<>(term + (term >> 1));
            for (int i = 0; i < postings.length(); i++) {
                larger.setPlain(i, postings.getPlain(i));
            }
            postings = larger;
        }
        PostingList known = postings.getPlain(term);
        if (known == null) {
            known = new PostingList();
            postings.setRelease(term, known);
        }
        return known;
    }

    private void addLength(int ordinal, int length) {
        if (ordinal + 1 >= words.length) {
            int size = (int) Math.min(Integer.MAX_VALUE - 8, (ordinal + 2L) * 3 / 2);
            words = Arrays.copyOf(words, size);
            entries = Arrays.copyOf(entries, size);
        }
        long[] wordSums = words;
        int[] entrySums = entries;
        Arrays.fill(wordSums, end + 1, ordinal + 1, wordSums[end]);
        Arrays.fill(entrySums, end + 1, ordinal + 1, entrySums[end]);
        wordSums[ordinal + 1] = wordSums[ordinal] + length;
        entrySums[ordinal + 1] = entrySums[ordinal] + 1;
    }

    /** One past the last ordinal added: the newest cutoff. */
    @Override
    public int end() {
        return end;
    }

    @Override
    public int entriesBelow(int cutoff) {
        return entries[cutoff];
    }

    @Override
    public long wordsBelow(int cutoff) {
        return words[cutoff];
    }

    @Override
    public int words(int line) {
        long[] below = words;
        return (int) (below[line + 1] - below[line]);
    }

    @Override
    public void norms(int from, int count, byte[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = norm(words(from + i));
        }
    }

    /** The norm of an entry with a number of words, see {@link TextIndex#norms}. */
    public static byte norm(int words) {
        return (byte) Math.min(0xFF, words);
    }

    @Override
    public @Nullable TermPostings find(String term) {
        int number = terms.find(term);
        AtomicReferenceArray<@Nullable PostingList> known = postings;
        return number < 0 || number >= known.length() ? null : known.getAcquire(number);
    }
}

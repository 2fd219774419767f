package dev.xmem.core.store.segment;

import dev.xmem.core.store.terms.PostingList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Postings in the order in which they come in, line by line; in the end they are put into the order of their terms. So memory is
 * written from one end to the other, and a term that few lines have takes few bytes. One thread only.
 */
final class PostingsBuffer {
    private static final int PAGE = 1 << 14;
    /** What is known of each term: its last line, how many postings it has, how many bytes they take. */
    private static final int SIZE = 3;

    private static final int COUNT = 1;
    private static final int BYTES = 2;

    private final List<Page> pages = new ArrayList<>();
    private Page page = new Page();
    private int[] terms = new int[SIZE << 8];
    private int line;

    /** Some postings: terms and weights. What is below 0 begins the line that is its complement. */
    private static final class Page {
        private final int[] terms = new int[PAGE];
        private final byte[] weights = new byte[PAGE];
        private int count;
    }

    /** Begins a line, above that before. */
    void line(int next) {
        line = next;
        write(~next, 0);
    }

    /** Adds a posting of a term that the line has, with a weight from 1 to 255. */
    void add(int term, int weight) {
        int at = SIZE * term;
        if (at >= terms.length) {
            terms = Arrays.copyOf(terms, SIZE * (term + (term >> 1) + 1));
        }
        int distance = line - terms[at];
        terms[at] = line;
        terms[at + COUNT]++;
        terms[at + BYTES] += PostingList.length(distance, weight);
        write(term, weight);
    }

    private void write(int term, int weight) {
        if (page.count == PAGE || pages.isEmpty()) {
            page = new Page();
            pages.add(page);
        }
        page.terms[page.count] = term;
        page.weights[page.count++] = (byte) weight;
    }

    /**
     * Of each term below one how many postings it has and the postings, as {@link PostingList} writes them; nothing of one that no
     * line has. Nothing is added any more.
     */
    ByteArrays byTerm(int end) {
        ByteArrays all = new ByteArrays();
        terms = Arrays.copyOf(terms, SIZE * end);
        int[] places = new int[end];
        for (int term = 0; term < end; term++) {
            int count = terms[SIZE * term + COUNT];
            int bytes = terms[SIZE * term + BYTES];
            places[term] = all.reserve(count == 0 ? 0 : Varints.length(count) + bytes);
        }
        for (int term = 0; term < end; term++) {
            int count = terms[SIZE * term + COUNT];
            places[term] = count == 0 ? 0 : Varints.put(all.bytes(), places[term], count);
            terms[SIZE * term] = 0;
        }
        for (Page full : pages) {
            write(full, all.bytes(), places);
        }
        return all;
    }

    private void write(Page from, byte[] into, int[] places) {
        for (int i = 0; i < from.count; i++) {
            int term = from.terms[i];
            if (term < 0) {
                line = ~term;
            } else {
                int distance = line - terms[SIZE * term];
                terms[SIZE * term] = line;
                places[term] = PostingList.put(into, places[term], distance, from.weights[i] & 0xFF);
            }
        }
    }
}

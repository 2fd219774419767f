package dev.xmem.core.store.terms;

import dev.xmem.core.text.analysis.WordChars;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The terms of one log: an open-addressed table of postings, at most half full. The writer alone adds; a slot goes from
 * empty to its term once and for ever, and a larger table is published as a whole, so readers need no lock. A reader
 * that still has the old table misses only terms that came after it took its cutoff.
 */
final class TermTable {
    private static final int SMALLEST = 1 << 10;

    private volatile AtomicReferenceArray<@Nullable PostingList> table = new AtomicReferenceArray<>(SMALLEST);
    private PostingList[] numbered = new PostingList[SMALLEST];
    private int size;

    @Nullable PostingList find(String term) {
        char[] chars = term.toCharArray();
        AtomicReferenceArray<@Nullable PostingList> slots = table;
        return slots.getAcquire(slotOf(slots, chars, chars.length, WordChars.hash(chars, chars.length)));
    }

    /** The number of a term, the next one if it is new. For the writer. */
    int number(char[] chars, int length, int hash) {
        AtomicReferenceArray<@Nullable PostingList> slots = table;
        int slot = slotOf(slots, chars, length, hash);
        PostingList found = slots.getPlain(slot);
        return found != null ? found.number() : add(new PostingList(chars, length, hash, size), slot);
    }

    private int add(PostingList postings, int slot) {
        if (size == numbered.length) {
            numbered = Arrays.copyOf(numbered, 2 * size);
        }
        numbered[size++] = postings;
        table.setRelease(slot, postings);
        if (size > table.length() / 2) {
            grow();
        }
        return postings.number();
    }

    /** Puts the characters of a term into an array; returns how many there are. For the writer. */
    int copy(int number, char[] into, int at) {
        return numbered[number].copy(into, at);
    }

    /** The term with a number. For the writer. */
    PostingList get(int number) {
        return numbered[number];
    }

    private static int slotOf(AtomicReferenceArray<@Nullable PostingList> slots, char[] chars, int length, int hash) {
        int mask = slots.length() - 1;
        int slot = hash & mask;
        for (PostingList found = slots.getAcquire(slot); found != null; found = slots.getAcquire(slot)) {
            if (found.hash() == hash && found.is(chars, length)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        AtomicReferenceArray<@Nullable PostingList> old = table;
        AtomicReferenceArray<@Nullable PostingList> larger = new AtomicReferenceArray<>(old.length() * 2);
        int mask = larger.length() - 1;
        for (int i = 0; i < old.length(); i++) {
            PostingList postings = old.getPlain(i);
            if (postings != null) {
                int slot = postings.hash() & mask;
                while (larger.getPlain(slot) != null) {
                    slot = (slot + 1) & mask;
                }
                larger.setPlain(slot, postings);
            }
        }
        table = larger;
    }

    int size() {
        return size;
    }

    /** Roughly how many bytes the terms and their postings take. Walks over all of them. */
    long memory() {
        AtomicReferenceArray<@Nullable PostingList> slots = table;
        long bytes = 4L * slots.length();
        for (int i = 0; i < slots.length(); i++) {
            PostingList postings = slots.getAcquire(i);
            bytes += postings == null ? 0 : postings.memory();
        }
        return bytes;
    }
}

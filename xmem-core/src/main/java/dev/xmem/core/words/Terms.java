package dev.xmem.core.words;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The terms of one log: an open-addressed table of postings, at most half full. The writer alone adds; a slot goes from
 * empty to its term once and for ever, and a larger table is published as a whole, so readers need no lock. A reader
 * that still has the old table misses only terms that came after it took its cutoff.
 */
final class Terms implements Numbering {
    private static final int SMALLEST = 1 << 10;

    private volatile AtomicReferenceArray<@Nullable TermPostings> table = new AtomicReferenceArray<>(SMALLEST);
    private TermPostings[] numbered = new TermPostings[SMALLEST];
    private int size;

    @Nullable TermPostings find(String term) {
        char[] chars = term.toCharArray();
        AtomicReferenceArray<@Nullable TermPostings> slots = table;
        return slots.getAcquire(slotOf(slots, chars, chars.length, Chars.hash(chars, chars.length)));
    }

    /** For the writer. */
    @Override
    public int number(char[] chars, int length, int hash) {
        AtomicReferenceArray<@Nullable TermPostings> slots = table;
        int slot = slotOf(slots, chars, length, hash);
        TermPostings found = slots.getPlain(slot);
        return found != null ? found.number() : add(new TermPostings(chars, length, hash, size), slot);
    }

    private int add(TermPostings postings, int slot) {
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

    /** For the writer. */
    @Override
    public int copy(int number, char[] into, int at) {
        return numbered[number].copy(into, at);
    }

    /** The term with a number. For the writer. */
    TermPostings get(int number) {
        return numbered[number];
    }

    private static int slotOf(AtomicReferenceArray<@Nullable TermPostings> slots, char[] chars, int length, int hash) {
        int mask = slots.length() - 1;
        int slot = hash & mask;
        for (TermPostings found = slots.getAcquire(slot); found != null; found = slots.getAcquire(slot)) {
            if (found.hash() == hash && found.is(chars, length)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        AtomicReferenceArray<@Nullable TermPostings> old = table;
        AtomicReferenceArray<@Nullable TermPostings> larger = new AtomicReferenceArray<>(old.length() * 2);
        int mask = larger.length() - 1;
        for (int i = 0; i < old.length(); i++) {
            TermPostings postings = old.getPlain(i);
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
        AtomicReferenceArray<@Nullable TermPostings> slots = table;
        long bytes = 4L * slots.length();
        for (int i = 0; i < slots.length(); i++) {
            TermPostings postings = slots.getAcquire(i);
            bytes += postings == null ? 0 : postings.memory();
        }
        return bytes;
    }
}

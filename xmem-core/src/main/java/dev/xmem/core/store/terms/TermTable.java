package dev.xmem.core.store.terms;

import dev.xmem.core.text.analysis.WordChars;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The term dictionary of an index in memory: the numbers of terms, in the order in which they are added, by an
 * open-addressed hash table that is at most half full. Only the writer adds; a slot changes from empty to its term
 * once, after the characters of the term are written, and larger arrays are published as a whole, so readers need no
 * lock. A reader with the old table misses only terms that were added after its cutoff.
 */
final class TermTable {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int INITIAL = 1 << 10;

    /** Of each slot: the hash of a term in the high half, its number plus one in the low half. */
    private volatile long[] table = new long[INITIAL];
    /** The characters of all terms, as {@link CompactTerm} has them, and where those of each end. */
    private volatile byte[] bytes = new byte[8 * INITIAL];

    private volatile int[] ends = new int[INITIAL];
    private int size;

    /** The number of a term; negative if it is not there. */
    int find(String term) {
        char[] chars = term.toCharArray();
        long[] slots = table;
        int slot = slotOf(slots, chars, chars.length, WordChars.hash(chars, chars.length));
        return (int) (long) SLOT.getAcquire(slots, slot) - 1;
    }

    /** The number of a term, the next one if it is new. Called by the writer only. */
    int number(char[] chars, int length, int hash) {
        long[] slots = table;
        int slot = slotOf(slots, chars, length, hash);
        return slots[slot] != 0 ? (int) slots[slot] - 1 : add(chars, length, hash, slot);
    }

    private int add(char[] chars, int length, int hash, int slot) {
        int from = start(size);
        int to = Math.addExact(from, CompactTerm.length(chars, length));
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, 2 * size);
        }
        if (to > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(to, Math.min(2L * bytes.length, Integer.MAX_VALUE - 16)));
        }
        CompactTerm.put(chars, length, bytes, from, to);
        ends[size++] = to;
        SLOT.setRelease(table, slot, (long) hash << Integer.SIZE | size);
        if (size > table.length / 2) {
            grow();
        }
        return size - 1;
    }

    /** How many terms there are. Called by the writer only. */
    int size() {
        return size;
    }

    /** The array that has the characters of all terms. */
    byte[] bytes() {
        return bytes;
    }

    /** Where the characters of a term begin. */
    int start(int number) {
        return number == 0 ? 0 : ends[number - 1];
    }

    /** Where they end. */
    int end(int number) {
        return ends[number];
    }

    /** Copies the characters of a term into an array and returns how many there are. */
    int copy(int number, char[] into, int at) {
        return CompactTerm.copy(bytes, start(number), end(number), into, at);
    }

    private int slotOf(long[] slots, char[] chars, int length, int hash) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        for (long found = (long) SLOT.getAcquire(slots, slot);
                found != 0;
                found = (long) SLOT.getAcquire(slots, slot)) {
            if ((int) (found >>> Integer.SIZE) == hash && is((int) found - 1, chars, length)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean is(int number, char[] chars, int length) {
        return CompactTerm.equal(bytes, start(number), end(number), chars, length);
    }

    private void grow() {
        long[] larger = new long[table.length * 2];
        int mask = larger.length - 1;
        for (long term : table) {
            int slot = (int) (term >>> Integer.SIZE) & mask;
            while (term != 0 && larger[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            if (term != 0) {
                larger[slot] = term;
            }
        }
        table = larger;
    }
}

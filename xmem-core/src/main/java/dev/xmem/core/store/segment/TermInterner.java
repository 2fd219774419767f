package dev.xmem.core.store.segment;

import dev.xmem.core.store.terms.CompactTerm;
import dev.xmem.core.store.terms.TermIds;
import java.util.Arrays;

/** Terms that are numbered, in an open-addressed table that is at most half full. One thread only. */
public final class TermInterner implements TermIds {
    private final ByteArrays terms = new ByteArrays();
    private int[] table = new int[1 << 10];
    private int[] hashes = new int[1 << 9];

    @Override
    public int number(char[] chars, int length, int hash) {
        int slot = hash & (table.length - 1);
        for (; table[slot] != 0; slot = (slot + 1) & (table.length - 1)) {
            int term = table[slot] - 1;
            if (hashes[term] == hash && is(term, chars, length)) {
                return term;
            }
        }
        byte[] bytes = CompactTerm.of(chars, length);
        int term = terms.add(bytes, 0, bytes.length);
        table[slot] = term + 1;
        hashes[term] = hash;
        if (terms.count() == hashes.length) {
            grow();
        }
        return term;
    }

    private boolean is(int term, char[] chars, int length) {
        return CompactTerm.equal(terms.bytes(), terms.start(term), terms.end(term), chars, length);
    }

    private void grow() {
        hashes = Arrays.copyOf(hashes, table.length);
        table = new int[2 * table.length];
        for (int term = 0; term < terms.count(); term++) {
            int slot = hashes[term] & (table.length - 1);
            while (table[slot] != 0) {
                slot = (slot + 1) & (table.length - 1);
            }
            table[slot] = term + 1;
        }
    }

    @Override
    public int copy(int term, char[] into, int at) {
        return CompactTerm.copy(terms.bytes(), terms.start(term), terms.end(term), into, at);
    }

    /** All of them as bytes, under their numbers. */
    ByteArrays terms() {
        return terms;
    }
}

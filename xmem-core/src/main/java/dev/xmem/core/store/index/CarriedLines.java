package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.CarriedFacts;
import java.util.BitSet;

/**
 * The lines of a log that are in the file that replaces it.
 *
 * @param map for each line of the log from the first on: its ordinal in the new file, or what
 *     {@link CarriedFacts} says of another one
 * @param offsets the offset of each line in the new file, and where the last one ends, without its line end
 * @param parsed the ordinals in the new file of lines that replace others, ascending
 * @param lengths their lengths in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
public record CarriedLines(int[] map, long[] offsets, int[] parsed, int[] lengths) {
    int count() {
        return offsets.length - 1;
    }

    /** The parsed lines to which the hasher in use gives the hash of the lines that they replace. */
    BitSet hashed() {
        BitSet hashed = new BitSet();
        for (int mapped : map) {
            if (mapped < CarriedFacts.GONE) {
                hashed.set(CarriedFacts.lineOf(mapped));
            }
        }
        return hashed;
    }
}

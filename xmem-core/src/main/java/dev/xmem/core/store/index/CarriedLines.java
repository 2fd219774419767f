package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.LineMapping;
import java.util.List;

/**
 * The lines of a log that are in the file that replaces it.
 *
 * @param mapping where each line of the log is in the new file
 * @param offsets the offset of each line in the new file, and where the last one ends, without its line end
 * @param replaced the lines of the new file that replace others, in their order
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
public record CarriedLines(LineMapping mapping, long[] offsets, List<Replaced> replaced) {
    /**
     * A line of the new file that replaces one of the log.
     *
     * @param line its ordinal
     * @param length its length in bytes
     * @param digest its digest
     * @param occurrences how often it happened, if it has the facts of the line that it replaces, of those that became
     *     part of it, and no others; 0 if it has to be parsed
     */
    public record Replaced(int line, int length, long digest, long occurrences) {
        boolean isParsed() {
            return occurrences == 0;
        }
    }

    int count() {
        return offsets.length - 1;
    }
}

package dev.xmem.core.store.segment;

import java.util.Arrays;

/**
 * Where the lines of a log are in the file that replaces it, by their ordinals.
 *
 * @param map for each line of the log from the first on: its ordinal in the new file, {@link #GONE}, or
 *     {@link #hashedAs}; ascending
 * @param joined for each of these lines: the line of the new file that it became part of, or {@link #GONE}; that line
 *     has its sessions, tags, answered and covered lines too, and covers its id
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
public record LineMapping(int[] map, int[] joined) {
    /** The line is left out. */
    public static final int GONE = -1;

    /** A mapping of lines that do not become part of others. */
    static LineMapping of(int[] map) {
        int[] none = new int[map.length];
        Arrays.fill(none, GONE);
        return new LineMapping(map, none);
    }

    /** In a map: the line is replaced by a parsed line, to which the hasher in use gives the same hash. */
    public static int hashedAs(int line) {
        return -2 - line;
    }

    /** The line of the new file that a value of a map is about; {@link #GONE} if there is none. */
    public static int lineOf(int mapped) {
        return mapped < GONE ? -2 - mapped : mapped;
    }
}

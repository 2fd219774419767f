package dev.xmem.core.text.analysis;

import java.util.Arrays;
import java.util.Objects;

/**
 * A cache from a text to some numbers: nearly every word of a log recurs, and many values of fields. A text is known by
 * the place of its record in one array, which has its characters and its numbers, because lookups are bound by memory
 * latency. A full cache is emptied. An open-addressing hash table over flat arrays, for one thread.
 */
public final class TextCache {
    /** No text. */
    public static final int NONE = 0;

    private static final int SMALLEST = 1 << 6;
    private static final int MOST = 1 << 16;
    /** Few enough that the nearest cache of a processor has most of them. */
    private static final int MOST_SEEN = 1 << 14;

    private static final int PLACE_BITS = 22;
    private static final int MOST_PLACES = 1 << PLACE_BITS;
    /** Before the characters of a record: how many there are, and how many numbers follow them. */
    private static final int HEAD = 2;
    /** The characters that a number takes. */
    private static final int SIZE = 2;

    private final int mostChars;
    /** Of each slot: the highest bits of the hash of a text, and the place of its record. */
    private int[] table = new int[2 * SMALLEST];

    private char[] records = new char[16 * SMALLEST];
    private int end = 1;
    private int count;
    /** The hashes of the last texts that were not found, by their low bits. */
    private int[] seen = new int[SMALLEST];

    private int misses;

    /** A cache whose records have at most this many characters, not more than {@value #MOST_PLACES}. */
    public TextCache(int mostChars) {
        this.mostChars = Objects.checkIndex(mostChars - 1, MOST_PLACES) + 1;
    }

    /** The place of the text in a range of an array; {@link #NONE} if it is not cached. */
    public int find(char[] text, int from, int to, int hash) {
        int mask = table.length - 1;
        for (int slot = hash & mask; table[slot] != 0; slot = (slot + 1) & mask) {
            int place = table[slot] & MOST_PLACES - 1;
            if ((table[slot] ^ hash) >>> PLACE_BITS == 0 && is(place, text, from, to)) {
                return place;
            }
        }
        return NONE;
    }

    private boolean is(int place, char[] text, int from, int to) {
        int begin = place + HEAD;
        return records[place] == to - from && Arrays.equals(records, begin, begin + to - from, text, from, to);
    }

    /** Where the numbers of a text begin. */
    public int begin(int place) {
        return place + HEAD + records[place];
    }

    /** Where the numbers of a text end. */
    public int end(int place) {
        return begin(place) + SIZE * records[place + 1];
    }

    /** A number; the next one is {@value #SIZE} further. */
    public int number(int at) {
        return records[at] | records[at + 1] << Character.SIZE;
    }

    /** Notes a miss; returns whether the same hash was missed recently. Values are cached from their second miss on. */
    public boolean recurs(int hash) {
        if (misses++ == seen.length && misses <= MOST_SEEN) {
            seen = new int[2 * seen.length];
        }
        int slot = hash & seen.length - 1;
        boolean again = seen[slot] == hash;
        seen[slot] = hash;
        return again;
    }

    /** Adds a text that is not there yet, unless it is too long or has too many numbers. */
    public void add(char[] text, int from, int to, int hash, int[] numbers, int size) {
        int length = to - from;
        int most = HEAD + length + SIZE * size;
        if (length > Character.MAX_VALUE || size > Character.MAX_VALUE || most > mostChars - 1) {
            return;
        }
        if (count == MOST || end + most > mostChars) {
            Arrays.fill(table, 0);
            count = 0;
            end = 1;
        }
        if (4 * (count + 1) > 3 * table.length) {
            grow();
        }
        if (end + most > records.length) {
            records = Arrays.copyOf(records, Math.max(end + most, Math.min(mostChars, 2 * records.length)));
        }
        records[end] = (char) length;
        records[end + 1] = (char) size;
        System.arraycopy(text, from, records, end + HEAD, length);
        int at = end + HEAD + length;
        for (int i = 0; i < size; i++, at += SIZE) {
            records[at] = (char) numbers[i];
            records[at + 1] = (char) (numbers[i] >>> Character.SIZE);
        }
        enter(end, hash);
        count++;
        end = at;
    }

    private void enter(int place, int hash) {
        int mask = table.length - 1;
        int slot = hash & mask;
        while (table[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        table[slot] = hash & -MOST_PLACES | place;
    }

    private void grow() {
        table = new int[2 * table.length];
        for (int place = 1; place < end; place = end(place)) {
            enter(place, WordChars.hash(records, place + HEAD, begin(place)));
        }
    }
}

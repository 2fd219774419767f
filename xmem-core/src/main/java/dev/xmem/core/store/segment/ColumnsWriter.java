package dev.xmem.core.store.segment;

import dev.xmem.Entry;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The columns of the lines of one segment, line by line, and how they are written. Not thread-safe. */
final class ColumnsWriter {
    /** The place of the id of a line without one. */
    static final int NONE = -1;

    private final long[] offsets;
    private final long[] times;
    private final long[] digests;
    private final int[] lengths;
    private final byte[] kinds;
    private final SortedMap<Integer, Long> covering = new TreeMap<>();
    /** The place of the id of each line in the dictionary of ids. */
    private final int[] ids;

    /** Columns of this many lines, all of them empty. */
    ColumnsWriter(int lines) {
        this.offsets = new long[lines];
        this.times = new long[lines];
        this.digests = new long[lines];
        this.lengths = new int[lines];
        this.kinds = new byte[lines];
        this.ids = new int[lines];
        Arrays.fill(ids, NONE);
    }

    /** The columns of the lines below a count, but the places of their ids. */
    static ColumnsWriter of(LineColumns lines, int count) {
        ColumnsWriter columns = new ColumnsWriter(count);
        for (int i = 0; i < count; i++) {
            columns.set(i, lines.offset(i), lines, i);
        }
        lines.covering(line -> {
            if (line < count) {
                columns.covers(line, lines.occurrences(line));
            }
        });
        return columns;
    }

    /** Sets the columns of a line to those of a line of another index, with an offset of its own. */
    void set(int line, long offset, LineColumns from, int fromLine) {
        offsets[line] = offset;
        times[line] = from.time(fromLine);
        digests[line] = from.digest(fromLine);
        lengths[line] = from.length(fromLine);
        kinds[line] = (byte) from.kind(fromLine).ordinal();
    }

    /** Sets the bytes of a line. */
    void bytes(int line, int length, long digest) {
        lengths[line] = length;
        digests[line] = digest;
    }

    /** Says that a line covers others. */
    void covers(int line, long occurrences) {
        covering.put(line, occurrences);
    }

    /** Sets the place of the id of a line in the dictionary of ids. */
    void id(int line, int place) {
        ids[line] = place;
    }

    int count() {
        return offsets.length;
    }

    long offset(int line) {
        return offsets[line];
    }

    int length(int line) {
        return lengths[line];
    }

    long digest(int line) {
        return digests[line];
    }

    long time(int line) {
        return times[line];
    }

    Entry.Kind kind(int line) {
        return SegmentReader.KINDS[kinds[line]];
    }

    boolean someWithoutId() {
        for (int id : ids) {
            if (id == NONE) {
                return true;
            }
        }
        return false;
    }

    /** Writes the sections. */
    void write(SectionWriter out) {
        out.section(SectionIds.COLUMNS);
        writeAll(offsets, out);
        writeAll(times, out);
        writeAll(digests, out);
        for (int length : lengths) {
            out.writeInt(length);
        }
        for (int id : ids) {
            out.writeInt(id);
        }
        out.writeBytes(kinds, 0, kinds.length);
        writeDigests(out);
        out.section(SectionIds.COVERING);
        for (Map.Entry<Integer, Long> line : covering.entrySet()) {
            out.writeLong(line.getKey());
            out.writeLong(line.getValue());
        }
    }

    private static void writeAll(long[] column, SectionWriter out) {
        for (long value : column) {
            out.writeLong(value);
        }
    }

    private void writeDigests(SectionWriter out) {
        int slots = Math.max(2, Integer.highestOneBit(Math.max(1, digests.length - 1)) * 4);
        int[] table = new int[slots];
        for (int i = 0; i < digests.length; i++) {
            int slot = (int) digests[i] & (slots - 1);
            while (table[slot] != 0) {
                slot = (slot + 1) & (slots - 1);
            }
            table[slot] = i + 1;
        }
        out.section(SectionIds.DIGESTS);
        for (int entry : table) {
            out.writeInt(entry);
        }
    }
}

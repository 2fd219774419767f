package dev.xmem.core.maintain.compact;

import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.SegmentReader;
import java.util.Arrays;

/** Notes, while a log is rewritten, where its lines are in the new file. Not thread-safe. */
final class LineMap {
    private final LineColumns lines;
    private final int[] map;
    private final long[] offsets;
    private final int[] parsed;
    private final int[] lengths;
    private int next;
    private int count;
    private int parsedCount;
    /** Where the last line ends in the new file. */
    private long end;

    LineMap(LogPlan plan) {
        this.lines = plan.index().lines();
        this.map = new int[plan.count()];
        this.offsets = new long[plan.count() + 1];
        int replaced = (int) plan.changes().stream()
                .filter(change -> change.ordinal() >= 0 && !change.leaves())
                .count();
        this.parsed = new int[replaced];
        this.lengths = new int[replaced];
    }

    /** The lines from the last change up to an offset of the log are copied, that many bytes further back or forth. */
    void copied(long to, long shift) {
        while (next < map.length && lines.offset(next) < to) {
            offsets[count] = lines.offset(next) + shift;
            end = offsets[count] + lines.length(next);
            map[next++] = count++;
        }
    }

    /** The next line is changed, and is at an offset of the new file if it stays. */
    void changed(LineChange change, long offset) {
        if (next >= map.length || change.ordinal() != next) {
            return;
        }
        Replacement line = change.line();
        map[next] = SegmentReader.Carried.GONE;
        if (!change.leaves() && line != null) {
            map[next] = line.hashedAlike() ? SegmentReader.Carried.hashedAs(count) : SegmentReader.Carried.GONE;
            parsed[parsedCount] = count;
            lengths[parsedCount++] = line.length();
            offsets[count++] = offset;
            end = offset + line.length();
        }
        next++;
    }

    /** All lines. */
    LogIndex.CarriedLines lines() {
        offsets[count] = end;
        return new LogIndex.CarriedLines(map, Arrays.copyOf(offsets, count + 1), parsed, lengths);
    }
}

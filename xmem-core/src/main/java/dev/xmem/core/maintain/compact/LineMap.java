package dev.xmem.core.maintain.compact;

import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.SegmentReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Notes, while a log is rewritten, where its lines are in the new file. Not thread-safe. */
final class LineMap {
    private final LineColumns lines;
    private final int[] map;
    /** For each line that became part of another one, the ordinal of the latter in the log; else {@code GONE}. */
    private final int[] joined;

    private final long[] offsets;
    private final List<LogIndex.CarriedLines.Replaced> replaced = new ArrayList<>();
    private int next;
    private int count;
    /** Where the last line ends in the new file. */
    private long end;

    LineMap(LogPlan plan) {
        this.lines = plan.index().lines();
        this.map = new int[plan.count()];
        this.joined = new int[plan.count()];
        this.offsets = new long[plan.count() + 1];
        Arrays.fill(joined, SegmentReader.LineMapping.GONE);
    }

    /** The lines from the last change up to an offset of the log are copied, that many bytes further back or forth. */
    void copied(long to, long shift) {
        while (next < map.length && lines.offset(next) < to) {
            offsets[count] = lines.offset(next) + shift;
            end = offsets[count] + lines.length(next);
            map[next++] = count++;
        }
    }

    /** The next line leaves the log. */
    void left(LineChange change) {
        if (isNext(change)) {
            map[next] = SegmentReader.LineMapping.GONE;
            joined[next++] = change.into();
        }
    }

    /** The next line is replaced by these bytes, which are at an offset of the new file. */
    void replaced(LineChange change, Replacement by, byte[] bytes, long offset) {
        if (isNext(change)) {
            map[next++] = by.isJoined()
                    ? count
                    : by.isHashedAlike() ? SegmentReader.LineMapping.hashedAs(count) : SegmentReader.LineMapping.GONE;
            replaced.add(new LogIndex.CarriedLines.Replaced(
                    count, bytes.length, LogIndex.digestOf(bytes), by.occurrences()));
            offsets[count++] = offset;
            end = offset + bytes.length;
        }
    }

    /** Whether a change is of the next line; one of a line that is no entry is not. */
    private boolean isNext(LineChange change) {
        return next < map.length && change.ordinal() == next;
    }

    /** All lines. */
    LogIndex.CarriedLines lines() {
        offsets[count] = end;
        for (int line = 0; line < joined.length; line++) {
            int into = joined[line];
            joined[line] = into < 0 || map[into] < 0 ? SegmentReader.LineMapping.GONE : map[into];
        }
        return new LogIndex.CarriedLines(
                new SegmentReader.LineMapping(map, joined), Arrays.copyOf(offsets, count + 1), replaced);
    }
}

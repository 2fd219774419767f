package dev.xmem.core.maintain.compact;

import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.log.LineSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the lines of one log. Immutable.
 *
 * @param index the log when it was read
 * @param count the number of indexed lines that were read
 * @param length the number of bytes that were read
 * @param changes the changes in file order; other lines stay as they are
 */
record LogPlan(LogIndex index, int count, long length, List<LineChange> changes) {
    /**
     * A line as it was read from the file.
     *
     * @param ordinal its ordinal in the index; -1 if it is not indexed: it is malformed, or repeats another line
     * @param ended whether it has a line end
     */
    @SuppressWarnings("ArrayRecordComponent") // valid during one call only
    record PlannedLine(long offset, byte[] buffer, int start, int length, int ordinal, boolean ended) {
        byte[] bytes() {
            return Arrays.copyOfRange(buffer, start, start + length);
        }

        /** This line leaves the log. */
        LineChange leaves(LineChange.Why why, String reason) {
            return new LineChange(offset, length, ordinal, why, null, false, reason);
        }
    }

    /** Decides what happens to each line. */
    interface Decision {
        /** Returns the change of a line; null if it stays as it is. */
        @Nullable LineChange of(PlannedLine line);

        /** Returns the change of a line that is too long to be read; null if it stays as it is. */
        default @Nullable LineChange ofUnreadable(long offset, long length, String reason) {
            return null;
        }
    }

    /** Reads a log from its file and asks for a decision on each line. */
    static LogPlan of(LogIndex log, Decision decision) throws IOException {
        List<LineChange> changes = new ArrayList<>();
        int[] next = {0};
        long length = log.file().scan(new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int bytes, boolean ended) {
                boolean indexed = next[0] < log.count() && log.lines().offset(next[0]) == offset;
                int ordinal = indexed ? next[0]++ : -1;
                return add(decision.of(new PlannedLine(offset, buffer, start, bytes, ordinal, ended)));
            }

            @Override
            public void malformed(long offset, long bytes, String reason) {
                add(decision.ofUnreadable(offset, bytes, reason));
            }

            private boolean add(@Nullable LineChange change) {
                return change == null || changes.add(change);
            }
        });
        return new LogPlan(log, next[0], length, List.copyOf(changes));
    }

    /** The number of entries that leave the log. */
    int leaving() {
        return (int) changes.stream().filter(LineChange::removesEntry).count();
    }

    String name() {
        return String.valueOf(index.file().path().getFileName());
    }
}

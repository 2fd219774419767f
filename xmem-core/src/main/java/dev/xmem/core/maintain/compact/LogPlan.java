package dev.xmem.core.maintain.compact;

import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.log.LineSink;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.segment.LineColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the lines of one log. Immutable.
 *
 * @param index the log when it was read
 * @param count the number of indexed lines that were read
 * @param length the number of bytes that were read
 * @param changes the changes in file order; other lines stay as they are
 * @param summary how many there are
 */
record LogPlan(LogIndex index, int count, long length, List<LineChange> changes, Summary summary) {
    /** Counts changes, so that not all have to be read again for that. Not changed once it is in a plan. */
    static final class Summary {
        private final Set<LineChange.Why> whys = EnumSet.noneOf(LineChange.Why.class);
        private int leaving;

        void add(LineChange change) {
            whys.add(change.why());
            leaving += change.removesEntry() ? 1 : 0;
        }
    }

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
            return new LineChange(offset, length, ordinal, why, null, () -> reason);
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
        return of(log, log.file().length(), decision);
    }

    private static LogPlan of(LogIndex log, long length, Decision decision) throws IOException {
        List<LineChange> changes = new ArrayList<>();
        Summary summary = new Summary();
        int[] next = {0};
        LineSink sink = new LineSink() {
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
                if (change != null) {
                    changes.add(change);
                    summary.add(change);
                }
                return true;
            }
        };
        if (length > 0) {
            log.file().scan(0, length, sink);
        }
        return new LogPlan(log, next[0], length, List.copyOf(changes), summary);
    }

    /**
     * Makes a plan of the changes of indexed lines. Asks for a decision only on what is between them: looks at the
     * bytes behind each line, and reads what is there unless it is a line end and the next line follows. If a line is
     * not where the index says, the plan is made by {@link #of}. A line that stays and has other bytes is found when
     * the new file is compared with the digests.
     *
     * @param changes the change of a line by its ordinal, or null
     */
    static LogPlan ofIndexed(
            LogIndex log,
            LogRegistry.Extent extent,
            UncachedLines bytes,
            IntFunction<@Nullable LineChange> changes,
            Decision decision)
            throws IOException {
        LineColumns lines = log.lines();
        PlannedChanges found = new PlannedChanges(changes);
        Between between = new Between(decision, found);
        long before = 0;
        long end = 0;
        for (int i = 0; i <= extent.lines(); i++) {
            long next = i == extent.lines() ? extent.bytes() : lines.offset(i);
            if (next < end) {
                return of(log, extent, changes, decision);
            }
            if (i == 0 ? next > 0 : next - before > log.file().lineBytes() || !bytes.isLineEnd(end, next)) {
                if (i > 0 && !isThere(log, i - 1) || i < extent.lines() && !isThere(log, i)) {
                    return of(log, extent, changes, decision);
                }
                between.ordinal = i - 1;
                log.file().scan(i == 0 ? 0 : lines.offset(i - 1), next, between);
            }
            if (i < extent.lines()) {
                before = next;
                end = next + lines.length(i);
                found.addIndexed(i);
            }
        }
        return new LogPlan(log, extent.lines(), extent.bytes(), found, found.summary());
    }

    /** Whether a line has the bytes that the index knows. */
    private static boolean isThere(LogIndex log, int ordinal) throws IOException {
        int length = log.lines().length(ordinal);
        if (length < 0 || length > log.file().lineBytes()) {
            return false;
        }
        byte[] line = new byte[length];
        return log.file().readRaw(log.lines().offset(ordinal), line, line.length) == length
                && LogIndex.digestOf(line) == log.lines().digest(ordinal);
    }

    private static LogPlan of(
            LogIndex log, LogRegistry.Extent extent, IntFunction<@Nullable LineChange> changes, Decision decision)
            throws IOException {
        LogPlan plan = of(log, extent.bytes(), new Decision() {
            @Override
            public @Nullable LineChange of(PlannedLine line) {
                return line.ordinal() >= 0 ? changes.apply(line.ordinal()) : decision.of(line);
            }

            @Override
            public @Nullable LineChange ofUnreadable(long offset, long length, String reason) {
                return decision.ofUnreadable(offset, length, reason);
            }
        });
        if (plan.count < extent.lines()) {
            throw new LogChangedException(log.file().path() + " was changed where it was read before");
        }
        return plan;
    }

    /** Collects the changes of what is behind an indexed line. */
    private static final class Between implements LineSink {
        private final Decision decision;
        private final PlannedChanges found;
        /** The indexed line that is read again; -1 if there is none. */
        private int ordinal;

        Between(Decision decision, PlannedChanges found) {
            this.decision = decision;
            this.found = found;
        }

        @Override
        public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
            boolean indexed = ordinal >= 0;
            ordinal = -1;
            return indexed || found.addOther(decision.of(new PlannedLine(offset, buffer, start, length, -1, ended)));
        }

        @Override
        public void malformed(long offset, long length, @Nullable String reason) {
            found.addOther(decision.ofUnreadable(offset, length, String.valueOf(reason)));
        }
    }

    /** The number of entries that leave the log. */
    int leaving() {
        return summary.leaving;
    }

    /** The changes for a reason. */
    List<LineChange> changes(LineChange.Why why) {
        return summary.whys.contains(why)
                ? changes.stream().filter(change -> change.why() == why).toList()
                : List.of();
    }

    String name() {
        return String.valueOf(index.file().path().getFileName());
    }
}

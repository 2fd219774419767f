package dev.xmem.core.answer.search;

import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Merges the filtered lines of several logs by time, the newest first. Touches only the lines that it is asked for.
 * Decision: docs/adr/0024-time.md.
 */
final class TimeOrderedIterator {
    private final List<LogIterator> logs;
    private LogIterator current;

    /** @param maxTime the time, in epoch milliseconds, that later times count as */
    TimeOrderedIterator(List<FilteredLines> lines, long maxTime) throws IOException {
        logs = new ArrayList<>(lines.size());
        for (FilteredLines log : lines) {
            logs.add(new LogIterator(logs.size(), log, maxTime));
        }
        current = logs.get(0);
    }

    /** Steps to the next line; false at the end. */
    boolean next() throws IOException {
        LogIterator newest = null;
        for (LogIterator log : logs) {
            if (log.ordinal >= 0 && (newest == null || log.time() > newest.time())) {
                newest = log;
            }
        }
        if (newest == null) {
            return false;
        }
        current = newest;
        current.take();
        return true;
    }

    int log() {
        return current.number;
    }

    int ordinal() {
        return current.taken;
    }

    /** The first of at most {@code most} consecutive lines of this log that come next and end with the current line. */
    int firstOfRun(int most) {
        return current.ascends && current.isInLeading()
                ? current.lines.firstOfRun(current.takenFrom, most)
                : current.taken;
    }

    /** Skips a number of lines right before the current one, of those that {@link #firstOfRun} spans. */
    void skip(int count) throws IOException {
        if (count > 0 && current.isInLeading()) {
            current.position = current.takenFrom - count;
            current.advance();
        }
    }

    /** One log from its newest line on. If its lines are not in the order of their times, they are sorted first. */
    private static final class LogIterator {
        private final int number;
        private final FilteredLines lines;
        private final long maxTime;
        private final boolean ascends;
        private final int[] sorted;
        private int position;
        private int ordinal;
        /** The time of the line, once it was compared. It is never compared if only one log has lines. */
        private long time;

        private boolean timed;
        private int taken;
        private int takenFrom;
        private @Nullable Postings takenOf;

        LogIterator(int number, FilteredLines lines, long maxTime) throws IOException {
            LogIndex index = lines.log().index();
            this.number = number;
            this.lines = lines;
            this.maxTime = maxTime;
            this.ascends = index.statistics().times().ascendsBelow(lines.log().count());
            this.sorted = ascends ? new int[0] : sorted();
            this.position = ascends ? lines.positions() : sorted.length;
            advance();
        }

        private int[] sorted() {
            return IntStream.range(0, lines.positions())
                    .map(lines::at)
                    .filter(lines::acceptsAtPosition)
                    .boxed()
                    .sorted((a, b) -> {
                        int byTime = Long.compare(time(a), time(b));
                        return byTime != 0 ? byTime : Integer.compare(a, b);
                    })
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        private long time(int line) {
            return Math.min(lines.time(line), maxTime);
        }

        void take() throws IOException {
            taken = ordinal;
            takenFrom = position;
            takenOf = lines.leading();
            advance();
        }

        /** Whether the positions still count along the list that the current line is in. */
        @SuppressWarnings("ReferenceEquality") // of one list
        boolean isInLeading() {
            return takenOf == lines.leading();
        }

        void advance() throws IOException {
            position--;
            while (ascends && !isAccepted() && (position >= 0 || lines.older())) {
                position = position < 0 ? lines.positions() - 1 : position - 1;
            }
            ordinal = position < 0 ? -1 : ascends ? lines.at(position) : sorted[position];
            timed = false;
        }

        long time() {
            if (!timed) {
                time = time(ordinal);
                timed = true;
            }
            return time;
        }

        private boolean isAccepted() {
            return position >= 0 && lines.acceptsAtPosition(lines.at(position));
        }
    }
}

package dev.xmem.core.answer.search;

import dev.xmem.core.store.index.LogIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Walks over selected lines of several logs in the order by time, and touches only as many as it is asked for. */
final class TimeOrderedIterator {
    private final List<Walk> walks;
    private Walk current;

    TimeOrderedIterator(List<FilteredLines> selections, long latestMillis) {
        walks = new ArrayList<>(selections.size());
        for (FilteredLines selection : selections) {
            walks.add(new Walk(walks.size(), selection, latestMillis));
        }
        current = walks.get(0);
    }

    /** Steps to the next line; false at the end. */
    boolean next() {
        Walk newest = null;
        for (Walk walk : walks) {
            if (walk.ordinal >= 0 && (newest == null || walk.time > newest.time)) {
                newest = walk;
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
        return current.log;
    }

    int ordinal() {
        return current.taken;
    }

    /** The first of at most so many lines of the same log that follow each other, end with the current one and come next. */
    int firstOfRun(int most) {
        return current.ascends ? current.selection.firstOfRun(current.takenFrom, most) : current.taken;
    }

    /** Leaves out lines of the current one's log: so many, each before the other, of those that {@link #firstOfRun} spoke of. */
    void leaveOut(int lines) {
        if (lines > 0) {
            current.leaveOut(lines);
        }
    }

    /** One log from its newest line on. Where the lines are not in the order of their times, they are sorted first. */
    private static final class Walk {
        private final int log;
        private final FilteredLines selection;
        private final LogIndex index;
        private final long latestMillis;
        private final int[] sorted;
        private final boolean ascends;
        private int place;
        private int ordinal;
        private long time;
        private int taken;
        private int takenFrom;

        Walk(int log, FilteredLines selection, long latestMillis) {
            this.log = log;
            this.selection = selection;
            this.index = selection.log().index();
            this.latestMillis = latestMillis;
            this.ascends =
                    index.statistics().times().ascendsBelow(selection.log().count());
            this.sorted = ascends ? new int[0] : sorted();
            this.place = ascends ? selection.places() : sorted.length;
            advance();
        }

        private int[] sorted() {
            return IntStream.range(0, selection.places())
                    .map(selection::at)
                    .filter(selection::acceptsAtPlace)
                    .boxed()
                    .sorted((a, b) -> {
                        int byTime = Long.compare(time(a), time(b));
                        return byTime != 0 ? byTime : Integer.compare(a, b);
                    })
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        private long time(int of) {
            return Math.min(index.lines().time(of), latestMillis);
        }

        void take() {
            taken = ordinal;
            takenFrom = place;
            advance();
        }

        void leaveOut(int lines) {
            place = takenFrom - lines;
            advance();
        }

        private void advance() {
            place--;
            while (ascends && place >= 0 && !selection.acceptsAtPlace(selection.at(place))) {
                place--;
            }
            ordinal = place < 0 ? -1 : ascends ? selection.at(place) : sorted[place];
            time = ordinal < 0 ? Long.MIN_VALUE : time(ordinal);
        }
    }
}

package dev.xmem.core.search;

import dev.xmem.core.index.LogIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Walks over selected lines of several logs in the order by time, and touches only as many as it is asked for. */
final class NewestFirst {
    private final List<Walk> walks;
    private Walk current;

    NewestFirst(List<Selection> selections, long latestMillis) {
        walks = new ArrayList<>(selections.size());
        for (Selection selection : selections) {
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

    /** One log from its newest line on. Where the lines are not in the order of their times, they are sorted first. */
    private static final class Walk {
        private final int log;
        private final Selection selection;
        private final LogIndex index;
        private final long latestMillis;
        private final int[] sorted;
        private final boolean ascends;
        private int place;
        private int ordinal;
        private long time;
        private int taken;

        Walk(int log, Selection selection, long latestMillis) {
            this.log = log;
            this.selection = selection;
            this.index = selection.log().index();
            this.latestMillis = latestMillis;
            this.ascends = index.ascendsBelow(selection.log().count());
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
            return Math.min(index.time(of), latestMillis);
        }

        void take() {
            taken = ordinal;
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

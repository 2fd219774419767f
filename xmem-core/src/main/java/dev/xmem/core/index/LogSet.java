package dev.xmem.core.index;

import dev.xmem.core.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The logs of a store at one time, and what is hidden in each: hot ones, then those of peers, then archives. The list is
 * immutable; the logs grow.
 *
 * @param logs all of them
 * @param hidden of each log the lines that are no entries of their own
 * @param hot how many are hot
 * @param near how many are hot or of peers
 */
record LogSet(List<LogIndex> logs, List<Hidden> hidden, int hot, int near) {
    /** A set with nothing hidden: logs without lines. */
    static LogSet ofHot(List<LogIndex> logs) {
        return new LogSet(logs, nothingHidden(logs.size()), logs.size(), logs.size());
    }

    private static List<Hidden> nothingHidden(int logs) {
        List<Hidden> hidden = new ArrayList<>(logs);
        for (int i = 0; i < logs; i++) {
            hidden.add(new Hidden());
        }
        return hidden;
    }

    /** A set of which the first logs are hot. */
    static LogSet of(List<LogIndex> logs, int hot) throws IOException {
        int near = hot;
        while (near < logs.size() && logs.get(near).origin().tier() == Origin.Tier.PEER) {
            near++;
        }
        List<Hidden> hidden = Overlap.isPossible(logs) ? Overlap.of(logs) : nothingHidden(logs.size());
        return new LogSet(List.copyOf(logs), hidden, hot, near);
    }

    /** The set with another log in a place. */
    LogSet with(int place, LogIndex log) throws IOException {
        List<LogIndex> changed = new ArrayList<>(logs);
        changed.set(place, log);
        return of(changed, hot);
    }

    /** Hides what new lines of a log repeat or cover, and those that are repeated or covered. */
    void settle(int place, int from) throws IOException {
        if (Overlap.isPossible(logs)) {
            Overlap.settle(logs, hidden, place, from);
        }
    }

    /** The logs, without the archives where they are not wanted. */
    List<LogIndex> upTo(boolean archives) {
        return archives ? logs : logs.subList(0, near);
    }

    /** Which further logs there are. */
    List<Part> further() {
        return parts(hot);
    }

    /** Which archives there are. */
    List<Part> archives() {
        return parts(near);
    }

    private List<Part> parts(int from) {
        List<Part> parts = new ArrayList<>();
        for (LogIndex log : logs.subList(from, logs.size())) {
            parts.add(log.part());
        }
        return parts;
    }

    @Nullable LogIndex find(Part part) {
        for (LogIndex log : logs) {
            if (log.part().equals(part)) {
                return log;
            }
        }
        return null;
    }

    Snapshot snapshot(boolean archives, boolean whole) {
        List<LogView> views = new ArrayList<>(logs.size());
        for (LogIndex log : upTo(archives)) {
            views.add(new LogView(log, log.count(), hidden.get(views.size())));
        }
        return new Snapshot(views, whole);
    }

    /** How many lines of an owner that are shown carry an id. */
    int linesWithId(String id, String replica) {
        int lines = 0;
        for (int i = 0; i < logs.size(); i++) {
            if (logs.get(i).origin().replica().equals(replica)) {
                lines += shown(logs.get(i).withId(id), hidden.get(i));
            }
        }
        return lines;
    }

    private static int shown(Postings lines, Hidden hidden) {
        int n = lines.countBelow(Integer.MAX_VALUE);
        if (hidden.isEmpty()) {
            return n;
        }
        int shown = 0;
        for (int i = 0; i < n; i++) {
            shown += hidden.has(lines.at(i)) ? 0 : 1;
        }
        return shown;
    }
}

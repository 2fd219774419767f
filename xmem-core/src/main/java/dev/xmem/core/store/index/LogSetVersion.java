package dev.xmem.core.store.index;

import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The logs of a store at one time, and the shadowed lines of each: hot logs, then those of peers, then archives. The
 * list is immutable; the logs grow.
 *
 * @param logs all logs
 * @param hidden the shadowed lines of each log
 * @param hot how many logs are hot
 * @param near how many are hot or of peers
 * @param hidesPrivate whether private lines are hidden too, because another store asks
 * @param repeatedIds the ids that several lines have
 */
record LogSetVersion(
        List<LogIndex> logs,
        List<ShadowedLines> hidden,
        int hot,
        int near,
        boolean hidesPrivate,
        RepeatedIds repeatedIds) {
    /** A set of hot logs without lines. */
    static LogSetVersion ofHot(List<LogIndex> logs, boolean hidesPrivate) {
        return new LogSetVersion(
                logs, nothingHidden(logs.size()), logs.size(), logs.size(), hidesPrivate, new RepeatedIds());
    }

    private static List<ShadowedLines> nothingHidden(int logs) {
        List<ShadowedLines> hidden = new ArrayList<>(logs);
        for (int i = 0; i < logs; i++) {
            hidden.add(new ShadowedLines());
        }
        return hidden;
    }

    /** A set of which the first logs are hot. */
    static LogSetVersion of(List<LogIndex> logs, int hot, boolean hidesPrivate) throws IOException {
        int near = hot;
        while (near < logs.size() && logs.get(near).origin().tier() == Origin.Tier.PEER) {
            near++;
        }
        List<ShadowedLines> hidden =
                ShadowedLineFinder.isPossible(logs) ? ShadowedLineFinder.of(logs) : nothingHidden(logs.size());
        LogSetVersion version =
                new LogSetVersion(List.copyOf(logs), hidden, hot, near, hidesPrivate, new RepeatedIds());
        for (int place = 0; place < logs.size(); place++) {
            version.hidePrivate(place, 0);
        }
        return version;
    }

    private void hidePrivate(int place, int from) throws IOException {
        if (hidesPrivate) {
            ShadowedLineFinder.hidePrivate(logs.get(place), hidden.get(place), from);
        }
    }

    /** The set with another log in a place. */
    LogSetVersion with(int place, LogIndex log) throws IOException {
        List<LogIndex> changed = new ArrayList<>(logs);
        changed.set(place, log);
        return of(changed, hot, hidesPrivate);
    }

    /** Finds the lines that the new lines of a log shadow, and those of them that are shadowed. */
    void settle(int place, int from) throws IOException {
        repeatedIds.added(logs.get(place), from, logs);
        if (ShadowedLineFinder.isPossible(logs)) {
            ShadowedLineFinder.settle(logs, hidden, place, from);
        }
        hidePrivate(place, from);
    }

    /** The logs, with or without archives. */
    List<LogIndex> upTo(boolean archives) {
        return archives ? logs : logs.subList(0, near);
    }

    /** All logs that are not hot. */
    List<LogDescriptor> auxiliary() {
        return parts(hot);
    }

    List<LogDescriptor> archives() {
        return parts(near);
    }

    private List<LogDescriptor> parts(int from) {
        List<LogDescriptor> parts = new ArrayList<>();
        for (LogIndex log : logs.subList(from, logs.size())) {
            parts.add(log.part());
        }
        return parts;
    }

    @Nullable LogIndex find(LogDescriptor part) {
        for (LogIndex log : logs) {
            if (log.part().equals(part)) {
                return log;
            }
        }
        return null;
    }

    StoreSnapshot snapshot(boolean archives, boolean whole) {
        List<LogSnapshot> views = new ArrayList<>(logs.size());
        for (LogIndex log : upTo(archives)) {
            views.add(new LogSnapshot(log, log.count(), hidden.get(views.size())));
        }
        return new StoreSnapshot(views, whole);
    }

    /** Whether several visible lines of an owner have an id. */
    boolean isRepeated(String id, String replica) {
        return repeatedIds.mayHave(id, replica, logs) && mayRepeat(id, replica) && linesWithId(id, replica) > 1;
    }

    /** Whether the ranges of ids leave room for a second line with an id; most ids are of one segment. */
    private boolean mayRepeat(String id, String replica) {
        int lines = 0;
        for (LogIndex log : logs) {
            if (log.origin().own() == replica.isEmpty()) {
                lines += mostLinesWith(id, log.segments());
            }
        }
        return lines > 1;
    }

    private static int mostLinesWith(String id, LineColumns lines) {
        if (lines.idsDiffer()) {
            return lines.mayHave(id) ? 1 : 0;
        }
        if (!(lines instanceof LineColumns.InParts several)) {
            return lines.postings(IndexedField.ID, id).countBelow(Integer.MAX_VALUE);
        }
        int most = 0;
        for (int part = 0; part < several.parts(); part++) {
            most += mostLinesWith(id, several.part(part));
        }
        return most;
    }

    private int linesWithId(String id, String replica) {
        int lines = 0;
        for (int i = 0; i < logs.size(); i++) {
            LogIndex log = logs.get(i);
            if (log.origin().own() == replica.isEmpty()) {
                Postings all = log.withId(id);
                Postings own = replica.isEmpty()
                        ? all
                        : log.of(all, owner -> owner.replica().equals(replica));
                lines += shown(own, hidden.get(i));
            }
        }
        return lines;
    }

    private static int shown(Postings lines, ShadowedLines hidden) {
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

package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.MergedKeys;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Finds the shadowed lines of several logs: lines that are no entries of their own, because another line is shown in
 * their place. For the thread that adds lines.
 *
 * <p><strong>Repeated lines.</strong> Identical lines are one entry wherever they are. The line in the first log is
 * shown, except that of two archives the one of the right month has it. In one log the index itself drops repetitions.
 *
 * <p><strong>Covered lines.</strong> A compaction replaces several lines by one that names their ids in {@code covers}.
 * If the old lines come back, from an archive, a backup or a merge, the covering line shadows them: the lines of the
 * same owner and kind that have its own id or an id that it names, the same context hash, and fewer occurrences. The
 * last two conditions keep a forged line from hiding all others, and two lines from hiding each other.
 *
 * <p>{@link #of} looks at whole logs when a set of logs is put together, {@link #settle} only at lines that were added.
 * Both cost nothing in the usual store, which has neither peers, archives nor covering lines: see {@link #isPossible}.
 */
final class ShadowedLineFinder {
    /** The ids of fewer new lines are looked up; of more, the dictionaries are merged. */
    private static final int MANY_LINES = 1 << 8;

    private final List<LogIndex> logs;
    private final List<ShadowedLines> hidden;

    private ShadowedLineFinder(List<LogIndex> logs, List<ShadowedLines> hidden) {
        this.logs = logs;
        this.hidden = hidden;
    }

    /** The shadowed lines of each of these logs. */
    static List<ShadowedLines> of(List<LogIndex> logs) throws IOException {
        ShadowedLineFinder finder = new ShadowedLineFinder(
                logs, Stream.generate(ShadowedLines::new).limit(logs.size()).toList());
        for (int log = 0; log < logs.size(); log++) {
            if (logs.get(log).origin().tier() != Origin.Tier.HOT) {
                finder.hideRepeated(log, 0);
            }
            finder.hideCoveredBy(logs.get(log), logs);
        }
        return finder.hidden;
    }

    /** Whether any line can be shadowed. */
    static boolean isPossible(List<LogIndex> logs) {
        for (LogIndex log : logs) {
            if (log.origin().tier() != Origin.Tier.HOT || log.covers()) {
                return true;
            }
        }
        return false;
    }

    /** Adds what the lines of a log from an ordinal on shadow, and those that are shadowed. */
    static void settle(List<LogIndex> logs, List<ShadowedLines> hidden, int log, int from) throws IOException {
        ShadowedLineFinder finder = new ShadowedLineFinder(logs, hidden);
        LogIndex grown = logs.get(log);
        finder.hideRepeated(log, from);
        if (from == 0 && grown.count() >= MANY_LINES) {
            finder.hideCoveredBy(grown, logs);
            for (int by = 0; by < logs.size(); by++) {
                if (by != log) {
                    finder.hideCoveredBy(logs.get(by), List.of(grown));
                }
            }
            return;
        }
        for (int ordinal = from; ordinal < grown.count(); ordinal++) {
            finder.hideIfCovered(log, ordinal);
            if (grown.lines().occurrences(ordinal) > 1) {
                finder.hideCoveredBy(grown, ordinal);
            }
        }
    }

    /** Hides the private lines of a log from an ordinal on. */
    static void hidePrivate(LogIndex log, ShadowedLines hidden, int from) throws IOException {
        Postings lines = log.withName(IndexedField.TAG, Entry.PRIVATE);
        for (int i = lines.countBelow(log.count()) - 1; i >= 0 && lines.at(i) >= from; i--) {
            if (!hidden.has(lines.at(i))) {
                hidden.add(lines.at(i), log.fields(lines.at(i)));
            }
        }
    }

    private void hideRepeated(int log, int from) throws IOException {
        LogIndex index = logs.get(log);
        for (int ordinal = from; ordinal < index.count(); ordinal++) {
            for (int other = 0; other < logs.size(); other++) {
                hideRepeated(log, ordinal, other);
            }
        }
    }

    private void hideRepeated(int log, int ordinal, int other) throws IOException {
        LogIndex index = logs.get(log);
        LogIndex in = logs.get(other);
        if (other == log || in.kind() != index.kind() || farApart(index, ordinal, in)) {
            return;
        }
        int same = in.lines().withDigest(index.lines().digest(ordinal));
        if (same >= 0 && Arrays.equals(in.bytes(same), index.bytes(ordinal))) {
            boolean otherHasIt = goesFirst(other, log, index.lines().time(ordinal));
            hide(otherHasIt ? log : other, otherHasIt ? ordinal : same);
        }
    }

    /** Of two archives the one of the right month, else the first log. */
    private boolean goesFirst(int log, int before, long time) {
        boolean fits = logs.get(log).part().holds(time);
        return fits == logs.get(before).part().holds(time) ? log < before : fits;
    }

    /** Archives are by month: a line in the right archive is in no other. */
    private static boolean farApart(LogIndex index, int ordinal, LogIndex other) {
        boolean archives =
                index.origin().tier() == Origin.Tier.ARCHIVE && other.origin().tier() == Origin.Tier.ARCHIVE;
        return archives && index.part().holds(index.lines().time(ordinal));
    }

    private void hideIfCovered(int log, int ordinal) throws IOException {
        String id = logs.get(log).lines().id(ordinal);
        if (id == null) {
            return;
        }
        for (LogIndex by : logs) {
            if (by.covers()) {
                hide(id, by, by.covering(id));
                hide(id, by, by.withId(id));
            }
        }
    }

    /** Hides the lines of some logs that lines of a log cover. */
    private void hideCoveredBy(LogIndex by, List<LogIndex> some) throws IOException {
        if (!by.covers() || some.stream().noneMatch(log -> mayCover(by, log))) {
            return;
        }
        // Only ids that several lines have or name need be looked up: that of a covering line is usually there once.
        MergedKeys ids = new MergedKeys();
        by.segments().addTo(ids, IndexedField.COVERED, 0, Integer.MAX_VALUE, true);
        for (LogIndex log : some) {
            if (mayCover(by, log)) {
                log.segments().addTo(ids, IndexedField.ID, 0, Integer.MAX_VALUE, true);
            }
        }
        if (!some.contains(by)) {
            by.segments().addTo(ids, IndexedField.ID, 0, Integer.MAX_VALUE, true);
        }
        ids.forEach(2, (id, lines) -> {
            hide(id, by, by.covering(id));
            hide(id, by, by.withId(id));
        });
    }

    private void hideCoveredBy(LogIndex by, int covering) throws IOException {
        List<String> ids = new ArrayList<>(by.fields(covering).covers());
        ids.add(Objects.requireNonNullElse(by.lines().id(covering), ""));
        for (String id : ids) {
            hide(id, by, covering);
        }
    }

    private void hide(String id, LogIndex by, Postings covering) throws IOException {
        int n = covering.countBelow(Integer.MAX_VALUE);
        for (int i = 0; i < n; i++) {
            hide(id, by, covering.at(i));
        }
    }

    /** Hides the lines with an id that is covered by a line. */
    private void hide(String id, LogIndex by, int covering) throws IOException {
        for (int log = 0; log < logs.size() && by.lines().occurrences(covering) > 1; log++) {
            if (!mayCover(by, logs.get(log))) {
                continue;
            }
            Postings lines = logs.get(log).withId(id);
            int n = lines.countBelow(Integer.MAX_VALUE);
            for (int i = 0; i < n; i++) {
                if (covers(by, covering, logs.get(log), lines.at(i))) {
                    hide(log, lines.at(i));
                }
            }
        }
    }

    private static boolean mayCover(LogIndex by, LogIndex log) {
        return by.kind() == log.kind() && by.origin().own() == log.origin().own();
    }

    private static boolean covers(LogIndex by, int covering, LogIndex log, int ordinal) throws IOException {
        return by.origin(covering).replica().equals(log.origin(ordinal).replica())
                && by.lines().occurrences(covering) > log.lines().occurrences(ordinal)
                && Objects.equals(
                        by.fields(covering).ctxHash(), log.fields(ordinal).ctxHash());
    }

    private void hide(int log, int ordinal) throws IOException {
        if (!hidden.get(log).has(ordinal)) {
            hidden.get(log).add(ordinal, logs.get(log).fields(ordinal));
        }
    }
}

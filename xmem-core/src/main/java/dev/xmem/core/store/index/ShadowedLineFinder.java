package dev.xmem.core.store.index;

import dev.xmem.core.base.config.Origin;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the lines of several logs that are no entries of their own. Identical lines are one entry wherever they stand: the
 * first log has it. A line that a compaction made of others covers them: those of the same owner, kind and context hash
 * with its own id or one that it names, and fewer occurrences, so that nothing can hide everything. For the thread that
 * adds lines.
 */
final class ShadowedLineFinder {
    private final List<LogIndex> logs;
    private final List<ShadowedLines> hidden;

    private ShadowedLineFinder(List<LogIndex> logs, List<ShadowedLines> hidden) {
        this.logs = logs;
        this.hidden = hidden;
    }

    /** What is hidden in each of these logs. */
    static List<ShadowedLines> of(List<LogIndex> logs) throws IOException {
        ShadowedLineFinder overlap = new ShadowedLineFinder(
                logs, Stream.generate(ShadowedLines::new).limit(logs.size()).toList());
        for (int log = 0; log < logs.size(); log++) {
            if (logs.get(log).origin().tier() != Origin.Tier.HOT) {
                overlap.hideRepeated(log, 0);
            }
            overlap.hideCoveredBy(logs.get(log));
        }
        return overlap.hidden;
    }

    /** Whether lines can be hidden at all. */
    static boolean isPossible(List<LogIndex> logs) {
        for (LogIndex log : logs) {
            if (log.origin().tier() != Origin.Tier.HOT || log.covers()) {
                return true;
            }
        }
        return false;
    }

    /** Looks at the lines of a log from an ordinal on, which are new. */
    static void settle(List<LogIndex> logs, List<ShadowedLines> hidden, int log, int from) throws IOException {
        ShadowedLineFinder overlap = new ShadowedLineFinder(logs, hidden);
        LogIndex grown = logs.get(log);
        overlap.hideRepeated(log, from);
        for (int ordinal = from; ordinal < grown.count(); ordinal++) {
            overlap.hideIfCovered(log, ordinal);
            if (grown.lines().occurrences(ordinal) > 1) {
                overlap.hideCoveredBy(grown, ordinal);
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

    /** Archives are by month, so that a line that is where it should be is in no other. */
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

    private void hideCoveredBy(LogIndex by) throws IOException {
        for (String id : by.keys(IndexedField.COVERED)) {
            hide(id, by, by.covering(id));
        }
        Set<Integer> covering = new HashSet<>();
        by.lines().covering(covering::add);
        for (int ordinal : covering) {
            String id = by.lines().id(ordinal);
            if (id != null) {
                hide(id, by, by.withId(id));
            }
        }
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

    /** Hides the lines with an id that a line covers. */
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
        return by.kind() == log.kind()
                && by.origin().replica().equals(log.origin().replica());
    }

    private static boolean covers(LogIndex by, int covering, LogIndex log, int ordinal) throws IOException {
        return by.lines().occurrences(covering) > log.lines().occurrences(ordinal)
                && Objects.equals(
                        by.fields(covering).ctxHash(), log.fields(ordinal).ctxHash());
    }

    private void hide(int log, int ordinal) throws IOException {
        if (!hidden.get(log).has(ordinal)) {
            hidden.get(log).add(ordinal, logs.get(log).fields(ordinal));
        }
    }
}

package dev.xmem.core.maintain.compact;

import dev.xmem.CompactionPlan;
import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Retention;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.SimpleMatch;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/** What a compaction would do, log by log. Immutable; entries are read when they are asked for. */
public final class Plan implements CompactionPlan {
    private final List<LogPlan> logs;
    private final LineCodec codec;
    private final Retention retention;
    private final List<Leaving> leaving = new ArrayList<>();

    private record Leaving(LogPlan log, LineChange change) {}

    Plan(List<LogPlan> logs, LineCodec codec, Retention retention) {
        this.logs = List.copyOf(logs);
        this.codec = codec;
        this.retention = retention;
        for (LogPlan log : logs) {
            for (LineChange change : log.changes()) {
                if (change.leaves() && change.ordinal() >= 0) {
                    leaving.add(new Leaving(log, change));
                }
            }
        }
    }

    List<LogPlan> logs() {
        return logs;
    }

    Retention retention() {
        return retention;
    }

    @Override
    public boolean isEmpty() {
        return logs.isEmpty();
    }

    @Override
    public List<Match> removes() {
        return new AbstractList<>() {
            @Override
            public Match get(int i) {
                Leaving gone = leaving.get(i);
                return new SimpleMatch(
                        entry(gone.log.index(), gone.change.ordinal()),
                        Match.MatchType.FILTER,
                        0,
                        gone.change.reason());
            }

            @Override
            public int size() {
                return leaving.size();
            }
        };
    }

    private Entry entry(LogIndex index, int ordinal) {
        try {
            return StoredEntries.of(codec, index.lines().kind(ordinal), index.bytes(ordinal), index.id(ordinal));
        } catch (IOException e) {
            throw new UncheckedIOException("a line of the plan cannot be read any more", e);
        }
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(
                logs.isEmpty()
                        ? "Nothing to compact.\n"
                        : "Would take " + leaving.size() + (leaving.size() == 1 ? " line" : " lines")
                                + " out of the logs: " + count(LineChange.Why.COVERED) + " become part of another, "
                                + count(LineChange.Why.ARCHIVED) + " move to an archive, " + count(LineChange.Why.STALE)
                                + " are stale. " + count(LineChange.Why.MALFORMED) + " broken and "
                                + count(LineChange.Why.REPEATED) + " repeated lines go too.\n");
        for (LogPlan log : logs) {
            for (LineChange change : log.changes()) {
                text.append("- ").append(log.name()).append(" at byte ").append(change.offset());
                if (change.ordinal() >= 0) {
                    text.append(", ").append(log.index().id(change.ordinal()));
                }
                text.append(": ").append(change.reason()).append('\n');
            }
        }
        return text.toString();
    }

    private long count(LineChange.Why why) {
        return logs.stream()
                .flatMap(log -> log.changes().stream())
                .filter(change -> change.why() == why)
                .count();
    }

    @Override
    public String toString() {
        return text();
    }
}

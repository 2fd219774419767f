package dev.xmem.core.compact;

import dev.xmem.CompactionPlan;
import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Retention;
import dev.xmem.core.index.LogIndex;
import dev.xmem.core.recall.StoredMatch;
import dev.xmem.core.record.Entries;
import dev.xmem.core.record.LineCodec;
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

    private record Leaving(LogPlan log, Change change) {}

    Plan(List<LogPlan> logs, LineCodec codec, Retention retention) {
        this.logs = List.copyOf(logs);
        this.codec = codec;
        this.retention = retention;
        for (LogPlan log : logs) {
            for (Change change : log.changes()) {
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
                return new StoredMatch(
                        entry(gone.log.index(), gone.change.ordinal()), Match.Likeness.FILTER, 0, gone.change.reason());
            }

            @Override
            public int size() {
                return leaving.size();
            }
        };
    }

    private Entry entry(LogIndex index, int ordinal) {
        try {
            return Entries.of(codec, index.kind(ordinal), index.bytes(ordinal), index.id(ordinal));
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
                                + " out of the logs: " + count(Change.Why.COVERED) + " become part of another, "
                                + count(Change.Why.ARCHIVED) + " move to an archive, " + count(Change.Why.STALE)
                                + " are stale. " + count(Change.Why.MALFORMED) + " broken and "
                                + count(Change.Why.REPEATED) + " repeated lines go too.\n");
        for (LogPlan log : logs) {
            for (Change change : log.changes()) {
                text.append("- ").append(log.name()).append(" at byte ").append(change.offset());
                if (change.ordinal() >= 0) {
                    text.append(", ").append(log.index().id(change.ordinal()));
                }
                text.append(": ").append(change.reason()).append('\n');
            }
        }
        return text.toString();
    }

    private long count(Change.Why why) {
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

package dev.xmem.core.maintain.compact;

import dev.xmem.CompactionPlan;
import dev.xmem.Entry;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.SimpleMatch;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/** What a compaction would do, log by log. Immutable; entries are read from the log on access. */
public final class Plan implements CompactionPlan {
    private final List<LogPlan> logs;
    private final LineCodec codec;
    private final List<Removal> removals = new ArrayList<>();

    private record Removal(LogIndex log, LineChange change) {}

    Plan(List<LogPlan> logs, LineCodec codec) {
        this.logs = List.copyOf(logs);
        this.codec = codec;
        for (LogPlan log : logs) {
            log.changes().stream()
                    .filter(LineChange::removesEntry)
                    .forEach(change -> removals.add(new Removal(log.index(), change)));
        }
    }

    List<LogPlan> logs() {
        return logs;
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
                Removal gone = removals.get(i);
                return new SimpleMatch(
                        entry(gone.log, gone.change.ordinal()),
                        Match.MatchType.FILTER,
                        0,
                        gone.change.reason().get(),
                        Layer.PROJECT);
            }

            @Override
            public int size() {
                return removals.size();
            }
        };
    }

    private Entry entry(LogIndex index, int ordinal) {
        try {
            return StoredEntries.of(codec, index.lines().kind(ordinal), index.bytes(ordinal), index.id(ordinal));
        } catch (IOException e) {
            throw new UncheckedIOException("a line of the plan can no longer be read", e);
        }
    }

    @Override
    public String text() {
        if (logs.isEmpty()) {
            return "Nothing to compact.\n";
        }
        StringBuilder text = new StringBuilder("Would take " + Plural.of(removals.size(), "line") + " out of the logs: "
                + count(LineChange.Why.COVERED) + " merged into another, "
                + count(LineChange.Why.ARCHIVED) + " moved to an archive, "
                + count(LineChange.Why.STALE) + " stale. Also removed: "
                + count(LineChange.Why.MALFORMED) + " broken, "
                + count(LineChange.Why.REPEATED) + " repeated.\n");
        for (LogPlan log : logs) {
            for (LineChange change : log.changes()) {
                text.append("- ").append(log.name()).append(" at byte ").append(change.offset());
                if (change.ordinal() >= 0) {
                    text.append(", ").append(TextSanitizer.id(log.index().id(change.ordinal())));
                }
                text.append(": ")
                        .append(TextSanitizer.line(change.reason().get()))
                        .append('\n');
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

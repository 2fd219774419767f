package dev.xmem.core.maintain.compact;

import dev.xmem.CompactionPlan;
import dev.xmem.Entry;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.json.SimpleMatch;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** What a compaction would do, log by log. Immutable; entries are read from the log on access. */
public final class Plan implements CompactionPlan {
    private final List<LogPlan> logs;

    /** The places of the changes that take entries out of a log. */
    @SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
    private record Removals(LogPlan log, int[] places) {
        static Removals of(LogPlan log) {
            List<LineChange> changes = log.changes();
            return new Removals(
                    log,
                    IntStream.range(0, changes.size())
                            .filter(place -> changes.get(place).removesEntry())
                            .toArray());
        }
    }

    Plan(List<LogPlan> logs) {
        this.logs = List.copyOf(logs);
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
        List<Removals> removals = logs.stream().map(Removals::of).toList();
        return new AbstractList<>() {
            @Override
            public Match get(int i) {
                int rest = Objects.checkIndex(i, size());
                int log = 0;
                while (rest >= removals.get(log).places.length) {
                    rest -= removals.get(log++).places.length;
                }
                LogPlan of = removals.get(log).log;
                LineChange gone = of.changes().get(removals.get(log).places[rest]);
                return new SimpleMatch(
                        entry(of.index(), gone.ordinal()),
                        Match.MatchType.FILTER,
                        0,
                        gone.reason().get(),
                        Layer.PROJECT);
            }

            @Override
            public int size() {
                return removed();
            }
        };
    }

    private int removed() {
        return logs.stream().mapToInt(LogPlan::leaving).sum();
    }

    private Entry entry(LogIndex index, int ordinal) {
        try {
            return StoredEntries.of(index.lines().kind(ordinal), index.bytes(ordinal), index.id(ordinal));
        } catch (IOException e) {
            throw new UncheckedIOException("a line of the plan can no longer be read", e);
        }
    }

    @Override
    public String text() {
        if (logs.isEmpty()) {
            return "Nothing to compact.\n";
        }
        StringBuilder text = new StringBuilder("Would take " + Plural.of(removed(), "line") + " out of the logs: "
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

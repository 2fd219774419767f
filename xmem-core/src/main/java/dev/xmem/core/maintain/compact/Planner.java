package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.Retention;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.DailyIdCounter;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plans a compaction of a snapshot. Reads only. Used once. */
final class Planner {
    private static final int DATE_CHARS = 10;
    /** How many groups of duplicates are found at a time, on all cores. */
    private static final int TOGETHER = 1 << 10;

    private final StoreSnapshot snapshot;
    private final Function<LogIndex, LogRegistry.Extent> extents;
    private final LineCodec codec;
    private final Retention retention;
    private final int lineBytes;
    private final long nowMillis;
    private final long coldBefore;
    /** The own logs that have amendments. */
    private final List<LogSnapshot> amended;
    /** How many bytes of merged lines the plan may keep; a line beyond is made again when it is written. */
    private long room = ResourcePool.share(64 << 20, 8);

    Planner(
            StoreSnapshot snapshot,
            Function<LogIndex, LogRegistry.Extent> extents,
            LineCodec codec,
            Retention retention,
            int lineBytes,
            long nowMillis) {
        this.snapshot = snapshot;
        this.extents = extents;
        this.codec = codec;
        this.retention = retention;
        this.lineBytes = lineBytes;
        this.nowMillis = nowMillis;
        Duration window = retention.duplicateWindow();
        Duration hot = retention.hotWindow();
        this.coldBefore = nowMillis - millis(hot.compareTo(window) < 0 ? window : hot);
        this.amended = snapshot.logs().stream()
                .filter(view -> view.index().origin().own())
                .filter(view -> view.index()
                                .lines()
                                .postings(IndexedField.TYPE, Schema.AMENDMENT.type())
                                .countBelow(view.count())
                        > 0)
                .toList();
    }

    private static long millis(Duration duration) {
        try {
            return duration.toMillis();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 2;
        }
    }

    Plan plan() throws IOException {
        List<LogPlan> logs = new ArrayList<>();
        for (LogSnapshot view : snapshot.logs()) {
            LogIndex log = view.index();
            boolean tiered = log.kind() == Entry.Kind.FAILURE || log.kind() == Entry.Kind.SUCCESS;
            if (log.origin().own() && (tiered || log.kind() == Entry.Kind.DIRECTIVE)) {
                boolean hot = log.origin().tier() == Origin.Tier.HOT;
                OfLog plan = new OfLog(view);
                if (tiered) {
                    plan.decide(hot);
                }
                if (hot || plan.isChanged()) {
                    logs.add(LogPlan.ofIndexed(log, extents.apply(log), plan::change, hot ? plan : line -> null));
                }
            }
        }
        logs.removeIf(log -> log.changes().isEmpty());
        return new Plan(logs, codec);
    }

    private static List<Integer> lines(LogSnapshot view, Postings of) {
        return IntStream.range(0, of.countBelow(view.count())).mapToObj(of::at).toList();
    }

    private static List<Integer> linesAbout(LogSnapshot view, @Nullable String id) {
        return id == null ? List.of() : lines(view, view.index().lines().postings(IndexedField.TARGET, id));
    }

    /** When a failure or success like this one was last recorded, or voted on. */
    private long lastSeen(LogIndex log, int ordinal) throws IOException {
        Map<String, Object> fields = DuplicateFinder.fields(codec, log, log.bytes(ordinal));
        String hash = EntryMerger.text(fields, "ctx_hash");
        long last = log.lines().time(ordinal);
        for (LogSnapshot view : snapshot.logs()) {
            LogIndex own = view.index();
            if (!own.origin().own()) {
                continue;
            }
            for (int vote : linesAbout(view, log.lines().id(ordinal))) {
                last = Math.max(last, own.lines().time(vote));
            }
            List<Integer> same = hash == null || own.kind() != log.kind() ? List.of() : lines(view, own.withHash(hash));
            for (int other : same) {
                if (own.lines().time(other) > last && DuplicateFinder.sameSubject(codec, fields, own, other)) {
                    last = own.lines().time(other);
                }
            }
        }
        return last;
    }

    /** Whether an entry was pinned, dismissed, replaced or tagged: then it stays as it is. */
    private boolean isAmended(@Nullable String id) {
        for (LogSnapshot view : amended) {
            Postings amendments = view.index().lines().postings(IndexedField.TYPE, Schema.AMENDMENT.type());
            if (linesAbout(view, id).stream().anyMatch(amendments::contains)) {
                return true;
            }
        }
        return false;
    }

    /** The changes of one log, by ordinal. */
    private final class OfLog implements LogPlan.Decision {
        private final LogSnapshot view;
        private final LogIndex log;
        private final @Nullable LineChange[] changes;

        OfLog(LogSnapshot view) {
            this.view = view;
            this.log = view.index();
            this.changes = new @Nullable LineChange[view.count()];
        }

        @Nullable LineChange change(int ordinal) {
            return ordinal < changes.length ? changes[ordinal] : null;
        }

        boolean isChanged() {
            return Stream.of(changes).anyMatch(Objects::nonNull);
        }

        private void put(int ordinal, LineChange.Why why, @Nullable Replacement line, Supplier<String> reason) {
            long offset = log.lines().offset(ordinal);
            changes[ordinal] = new LineChange(offset, log.lines().length(ordinal), ordinal, why, line, reason);
        }

        /** In a hot log lines that are not indexed go too. */
        @Override
        public @Nullable LineChange of(LogPlan.PlannedLine line) {
            try {
                codec.indexedFields(log.kind(), line.buffer(), line.start(), line.length());
                return line.ended() ? line.leaves(LineChange.Why.REPEATED, "the same line stands before it") : null;
            } catch (MalformedLineException e) {
                return line.ended() ? ofUnreadable(line.offset(), line.length(), String.valueOf(e.getMessage())) : null;
            }
        }

        @Override
        public LineChange ofUnreadable(long offset, long length, String reason) {
            int known = (int) Math.min(Integer.MAX_VALUE, length);
            String moved = "it " + reason + ": to quarantine";
            return new LineChange(offset, known, -1, LineChange.Why.MALFORMED, null, () -> moved);
        }

        void decide(boolean hot) throws IOException {
            prune();
            if (hot) {
                for (int ordinal = 0; ordinal < view.count(); ordinal++) {
                    if (!view.shows(ordinal)) {
                        put(ordinal, LineChange.Why.COVERED, null, () -> "another line covers it");
                    }
                }
                merge();
                archive();
            }
        }

        /** Whether a line is an entry of its log's kind that a compaction may touch. */
        private boolean isPlain(int ordinal) {
            return view.shows(ordinal)
                    && log.lines().kind(ordinal) == log.kind()
                    && log.lines().time(ordinal) > 0;
        }

        private void prune() throws IOException {
            Duration after = retention.pruneAfter();
            if (after == null) {
                return;
            }
            long before = nowMillis - millis(after);
            String reason = "nothing happened to it for " + Plural.of(after.toDays(), "day");
            for (int ordinal = 0; ordinal < view.count(); ordinal++) {
                boolean old = isPlain(ordinal) && log.lines().time(ordinal) < before;
                if (old && !isAmended(log.lines().id(ordinal)) && lastSeen(log, ordinal) < before) {
                    put(ordinal, LineChange.Why.STALE, null, () -> reason);
                }
            }
            for (LineChange change : changes.clone()) {
                String id = change == null ? null : log.lines().id(change.ordinal());
                for (int ordinal : linesAbout(view, id)) {
                    put(ordinal, LineChange.Why.STALE, null, () -> "its target is " + id + ", which is stale");
                }
            }
        }

        private void merge() throws IOException {
            List<String> hashes = log.repeatedHashes(view.count());
            for (int from = 0; from < hashes.size(); from += TOGETHER) {
                merge(hashes.subList(from, Math.min(hashes.size(), from + TOGETHER)));
            }
        }

        /** Finds the duplicates of several hashes at a time. A line may have two hashes: the first one merges it. */
        private void merge(List<String> hashes) throws IOException {
            List<List<Integer>> candidates = new ArrayList<>();
            for (String hash : hashes) {
                candidates.add(candidates(lines(view, log.withHash(hash))));
            }
            List<List<DuplicateFinder.Group>> groups =
                    ResourcePool.all(hashes.size(), hashes.size() == TOGETHER, i -> finder().groups(candidates.get(i)));
            for (int i = 0; i < hashes.size(); i++) {
                List<Integer> left = candidates(candidates.get(i));
                boolean same = left.size() == candidates.get(i).size();
                for (DuplicateFinder.Group group : same ? groups.get(i) : finder().groups(left)) {
                    put(group);
                }
            }
        }

        private DuplicateFinder finder() {
            return new DuplicateFinder(log, codec, millis(retention.duplicateWindow()), lineBytes);
        }

        private List<Integer> candidates(List<Integer> some) {
            return some.stream()
                    .filter(ordinal -> changes[ordinal] == null && canMerge(ordinal))
                    .toList();
        }

        /** What the changes capture must not reach the bytes of the line, which the plan may have no room for. */
        private void put(DuplicateFinder.Group group) {
            int kept = group.kept();
            int[] covered = group.covered().stream().mapToInt(Integer::intValue).toArray();
            room -= group.line().length;
            Replacement line = room >= 0
                    ? new Replacement(group.line(), group.hashedAlike())
                    : Replacement.notKept(group.line(), group.hashedAlike(), () -> finder().merged(kept, covered));
            Supplier<String> covers = () -> "it covers " + Plural.of(covered.length, "other");
            put(kept, LineChange.Why.MERGED, line, covers);
            Supplier<String> reason = () -> "the same as "
                    + TextSanitizer.id(view.index().id(kept))
                    + " within " + Plural.of(retention.duplicateWindow().toDays(), "day")
                    + ", and becomes part of it";
            group.covered().forEach(other -> put(other, LineChange.Why.COVERED, null, reason));
        }

        private boolean canMerge(int ordinal) {
            String id = log.lines().id(ordinal);
            return isPlain(ordinal)
                    && id != null
                    && DailyIdCounter.isId(id)
                    && id.equals(view.index().id(ordinal))
                    && !isAmended(id);
        }

        private void archive() {
            String coldDay =
                    Instant.ofEpochMilli(Math.max(0, coldBefore)).toString().substring(0, DATE_CHARS);
            for (int ordinal = 0; ordinal < view.count(); ordinal++) {
                LineChange merged = changes[ordinal];
                if ((merged == null || merged.why() == LineChange.Why.MERGED) && isCold(ordinal, coldDay)) {
                    YearMonth month = month(log.lines().time(ordinal));
                    Replacement line = merged == null ? null : merged.line();
                    put(ordinal, LineChange.Why.ARCHIVED, line, () -> "it is old and moves to the archive of " + month);
                }
            }
        }

        private boolean isCold(int ordinal, String coldDay) {
            if (log.lines().time(ordinal) >= coldBefore || !isPlain(ordinal)) {
                return false;
            }
            String id = log.lines().id(ordinal);
            return id != null && DailyIdCounter.isId(id) && id.compareTo(coldDay) < 0;
        }
    }

    /** The month whose archive takes an entry of this time. */
    static YearMonth month(long millis) {
        return YearMonth.from(Instant.ofEpochMilli(millis).atZone(ZoneOffset.UTC));
    }
}

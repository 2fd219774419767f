package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.Retention;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.LineFields;
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
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plans a compaction of a snapshot. Reads only. Used once. */
final class Planner {
    private static final int DATE_CHARS = 10;
    /** How many groups of duplicates are found at a time, on all cores. */
    private static final int TOGETHER = 1 << 10;
    /** How many hashes one thread takes at a time. */
    private static final int OF_ONE_TASK = 1 << 6;

    private final StoreSnapshot snapshot;
    private final Function<LogIndex, LogRegistry.Extent> extents;
    private final Retention retention;
    private final int lineBytes;
    private final long nowMillis;
    private final long coldBefore;
    /** The day of that time, as ids begin. */
    private final String coldDay;

    private final List<LogIndex> ownLogs;
    /** The own logs that have amendments. */
    private final List<LogSnapshot> amended;
    /** How many bytes of merged lines the plan may keep; lines beyond are made when they are written. */
    private long room = ResourcePool.share(64 << 20, 8);

    Planner(
            StoreSnapshot snapshot,
            Function<LogIndex, LogRegistry.Extent> extents,
            Retention retention,
            int lineBytes,
            long nowMillis) {
        this.snapshot = snapshot;
        this.extents = extents;
        this.retention = retention;
        this.lineBytes = lineBytes;
        this.nowMillis = nowMillis;
        Duration window = retention.duplicateWindow();
        Duration hot = retention.hotWindow();
        this.coldBefore = nowMillis - millis(hot.compareTo(window) < 0 ? window : hot);
        this.coldDay = Instant.ofEpochMilli(Math.max(0, coldBefore)).toString().substring(0, DATE_CHARS);
        this.ownLogs = snapshot.logs().stream()
                .map(LogSnapshot::index)
                .filter(log -> log.origin().own())
                .toList();
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

    /** Why the store should be compacted in this way; null if it need not be. */
    @Nullable String due() throws IOException {
        return new CompactionEstimate(this, millis(retention.duplicateWindow()), coldBefore).due(snapshot);
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
                    plan.prune();
                }
                if (hot || plan.isChanged()) {
                    UncachedLines bytes = new UncachedLines(log);
                    if (hot && tiered) {
                        plan.merge(bytes);
                    }
                    LogPlan.Decision ofOthers = hot ? plan : line -> null;
                    logs.add(LogPlan.ofIndexed(log, extents.apply(log), bytes, plan::change, ofOthers));
                }
            }
        }
        logs.removeIf(log -> log.changes().isEmpty());
        return new Plan(logs);
    }

    private static List<Integer> lines(LogSnapshot view, Postings of) {
        return IntStream.range(0, of.countBelow(view.count())).mapToObj(of::at).toList();
    }

    private static List<Integer> linesAbout(LogSnapshot view, @Nullable String id) {
        return id == null ? List.of() : lines(view, view.index().lines().postings(IndexedField.TARGET, id));
    }

    /** When a failure or success like this one was last recorded, or voted on. */
    private long lastSeen(LogIndex log, int ordinal) throws IOException {
        LineFields fields = DuplicateFinder.fields(log, log.bytes(ordinal));
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
                if (own.lines().time(other) > last && DuplicateFinder.sameSubject(fields, own, other)) {
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

    /** Whether a line is an entry of its log's kind that a compaction may touch. */
    private static boolean isPlain(LogSnapshot view, int ordinal) {
        LogIndex log = view.index();
        return view.shows(ordinal)
                && log.lines().kind(ordinal) == log.kind()
                && log.lines().time(ordinal) > 0;
    }

    /** Whether a line may be merged, unless its id has another form. */
    boolean canMerge(LogSnapshot view, int ordinal) {
        if (!isPlain(view, ordinal)) {
            return false;
        }
        String id = view.index().lines().id(ordinal);
        return id != null && view.index().isShownAs(ordinal, id) && !isAmended(id);
    }

    boolean isCold(LogSnapshot view, int ordinal) {
        if (view.index().lines().time(ordinal) >= coldBefore || !isPlain(view, ordinal)) {
            return false;
        }
        String id = view.index().lines().id(ordinal);
        return id != null && DailyIdCounter.isId(id) && id.compareTo(coldDay) < 0;
    }

    DuplicateFinder finder(LogIndex log, UncachedLines bytes, boolean keepsLines) {
        long window = millis(retention.duplicateWindow());
        return new DuplicateFinder(log, bytes, window, lineBytes, keepsLines);
    }

    /** The changes of one log, by ordinal: what {@link #change} makes a change of. */
    private final class OfLog implements LogPlan.Decision {
        private final LogSnapshot view;
        private final LogIndex log;
        private final LineChange.@Nullable Why[] whys;
        /** For each line that becomes part of another one, the latter; else -1. */
        private final int[] mergedInto;

        private final @Nullable Replacement[] merged;
        /** The ids of the stale entries that stale events are about. */
        private final Map<Integer, String> staleTargets = new HashMap<>();

        OfLog(LogSnapshot view) {
            this.view = view;
            this.log = view.index();
            this.whys = new LineChange.@Nullable Why[view.count()];
            this.mergedInto = new int[view.count()];
            this.merged = new @Nullable Replacement[view.count()];
            Arrays.fill(mergedInto, -1);
        }

        @Nullable LineChange change(int ordinal) {
            LineChange.Why why = ordinal < whys.length ? whys[ordinal] : null;
            return why == null
                    ? null
                    : new LineChange(
                            log.lines().offset(ordinal),
                            log.lines().length(ordinal),
                            ordinal,
                            why,
                            merged[ordinal],
                            mergedInto[ordinal],
                            () -> reason(ordinal, why));
        }

        private String reason(int ordinal, LineChange.Why why) {
            int kept = mergedInto[ordinal];
            Replacement line = merged[ordinal];
            String target = staleTargets.get(ordinal);
            return switch (why) {
                case COVERED ->
                    kept < 0
                            ? "another line covers it"
                            : "the same as " + TextSanitizer.id(log.id(kept)) + " within "
                                    + Plural.of(retention.duplicateWindow().toDays(), "day")
                                    + ", and becomes part of it";
                case MERGED -> "it covers " + Plural.of(line == null ? 0 : line.others(), "other");
                case ARCHIVED ->
                    "it is old and moves to the archive of " + month(log.lines().time(ordinal));
                default -> target != null ? "its target is " + target + ", which is stale" : staleReason();
            };
        }

        private String staleReason() {
            Duration after = Objects.requireNonNullElse(retention.pruneAfter(), Duration.ZERO);
            return "nothing happened to it for " + Plural.of(after.toDays(), "day");
        }

        boolean isChanged() {
            return Stream.of(whys).anyMatch(Objects::nonNull);
        }

        /** In a hot log lines that are not indexed go too. */
        @Override
        public @Nullable LineChange of(LogPlan.PlannedLine line) {
            try {
                LineCodec.indexedFields(log.kind(), line.buffer(), line.start(), line.length());
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

        /** Merges duplicates and moves old lines to archives. */
        void merge(UncachedLines bytes) throws IOException {
            for (int ordinal = 0; ordinal < view.count(); ordinal++) {
                if (!view.shows(ordinal)) {
                    whys[ordinal] = LineChange.Why.COVERED;
                }
            }
            List<int[]> same = new ArrayList<>();
            view.repeatedHashes(true, same::add);
            BitSet repeatedIds = same.isEmpty() ? new BitSet() : view.repeatedIds(ownLogs);
            for (int from = 0; from < same.size(); from += TOGETHER) {
                merge(same.subList(from, Math.min(same.size(), from + TOGETHER)), repeatedIds, bytes);
            }
            archive();
        }

        void prune() throws IOException {
            Duration after = retention.pruneAfter();
            if (after == null) {
                return;
            }
            long before = nowMillis - millis(after);
            for (int ordinal = 0; ordinal < view.count(); ordinal++) {
                boolean old = isPlain(view, ordinal) && log.lines().time(ordinal) < before;
                if (old && !isAmended(log.lines().id(ordinal)) && lastSeen(log, ordinal) < before) {
                    whys[ordinal] = LineChange.Why.STALE;
                }
            }
            LineChange.@Nullable Why[] stale = whys.clone();
            for (int entry = 0; entry < stale.length; entry++) {
                String id = stale[entry] == null ? null : log.lines().id(entry);
                for (int ordinal : linesAbout(view, id)) {
                    whys[ordinal] = LineChange.Why.STALE;
                    staleTargets.put(ordinal, String.valueOf(id));
                }
            }
        }

        /** Finds the duplicates of several hashes at a time. A line may have two hashes: the first one merges it. */
        private void merge(List<int[]> same, BitSet repeatedIds, UncachedLines bytes) throws IOException {
            List<int[]> candidates = new ArrayList<>();
            for (int[] lines : same) {
                candidates.add(undecided(lines, line -> canMerge(line, repeatedIds)));
            }
            int tasks = (same.size() + OF_ONE_TASK - 1) / OF_ONE_TASK;
            List<List<DuplicateFinder.Group>> groups = new ArrayList<>(same.size());
            ResourcePool.all(tasks, same.size() == TOGETHER, i -> {
                        int from = i * OF_ONE_TASK;
                        return groups(candidates.subList(from, Math.min(same.size(), from + OF_ONE_TASK)), bytes);
                    })
                    .forEach(groups::addAll);
            for (int i = 0; i < same.size(); i++) {
                int[] all = candidates.get(i);
                int[] left = undecided(all, line -> true);
                for (DuplicateFinder.Group group : left.length == all.length
                        ? groups.get(i)
                        : finder(log, bytes, room > 0).groups(left)) {
                    put(group);
                }
            }
        }

        /** Those of some lines that do not change yet. */
        private int[] undecided(int[] lines, IntPredicate which) {
            int[] some = new int[lines.length];
            int n = 0;
            for (int line : lines) {
                if (whys[line] == null && which.test(line)) {
                    some[n++] = line;
                }
            }
            return n == lines.length ? some : Arrays.copyOf(some, n);
        }

        private List<List<DuplicateFinder.Group>> groups(List<int[]> candidates, UncachedLines bytes)
                throws IOException {
            DuplicateFinder finder = finder(log, bytes, room > 0);
            List<List<DuplicateFinder.Group>> groups = new ArrayList<>(candidates.size());
            for (int[] lines : candidates) {
                groups.add(finder.groups(lines));
            }
            return groups;
        }

        /** What makes a line later must not reach its bytes, which the plan may have no room for. */
        private void put(DuplicateFinder.Group group) {
            int kept = group.kept();
            int[] covered = group.covered();
            byte[] line = group.line();
            room -= line == null ? 0 : line.length;
            merged[kept] = new Replacement(
                    line != null
                            ? () -> line
                            : () -> finder(log, UncachedLines.withoutTail(log), room > 0)
                                    .merged(kept, covered),
                    covered.length,
                    group.hashedAlike(),
                    group.occurrences());
            for (int other : covered) {
                whys[other] = LineChange.Why.COVERED;
                mergedInto[other] = kept;
            }
            whys[kept] = LineChange.Why.MERGED;
        }

        private boolean canMerge(int ordinal, BitSet repeatedIds) {
            return amended.isEmpty() && !repeatedIds.get(ordinal)
                    ? isPlain(view, ordinal)
                    : Planner.this.canMerge(view, ordinal);
        }

        private void archive() {
            for (int ordinal = 0; ordinal < view.count(); ordinal++) {
                LineChange.Why why = whys[ordinal];
                if ((why == null || why == LineChange.Why.MERGED) && isCold(view, ordinal)) {
                    whys[ordinal] = LineChange.Why.ARCHIVED;
                }
            }
        }
    }

    /** The month whose archive takes an entry of this time. */
    static YearMonth month(long millis) {
        return YearMonth.from(Instant.ofEpochMilli(millis).atZone(ZoneOffset.UTC));
    }
}

package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.Retention;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.store.index.DuplicateIds;
import dev.xmem.core.store.index.LogIndex;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds out what a compaction would do. Reads only. Used once. */
final class Planner {
    private static final int DATE_CHARS = 10;

    private final StoreSnapshot snapshot;
    private final LineCodec codec;
    private final Retention retention;
    private final int lineBytes;
    private final long nowMillis;
    private final long coldBefore;
    private final DuplicateIds namesakes;
    /** Own logs with words about entries. */
    private final List<LogSnapshot> amended;

    /** A planner of this snapshot of a whole store. */
    public Planner(StoreSnapshot snapshot, LineCodec codec, Retention retention, int lineBytes, long nowMillis) {
        this.snapshot = snapshot;
        this.codec = codec;
        this.retention = retention;
        this.lineBytes = lineBytes;
        this.nowMillis = nowMillis;
        Duration window = retention.duplicateWindow();
        Duration hot = retention.hotWindow();
        this.coldBefore = nowMillis - millis(hot.compareTo(window) < 0 ? window : hot);
        this.namesakes = new DuplicateIds(snapshot);
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

    /** The plan. */
    public Plan plan() throws IOException {
        List<LogPlan> logs = new ArrayList<>();
        for (LogSnapshot view : snapshot.logs()) {
            LogIndex log = view.index();
            boolean tiered = isTiered(log);
            if (log.origin().own() && (tiered || log.kind() == Entry.Kind.DIRECTIVE)) {
                boolean hot = log.origin().tier() == Origin.Tier.HOT;
                Map<Integer, LineChange> changes = tiered ? changes(view, hot) : new HashMap<>();
                logs.add(hot ? scanned(view, changes) : planned(view, changes));
            }
        }
        logs.removeIf(log -> log.changes().isEmpty());
        return new Plan(logs, codec, retention);
    }

    private static boolean isTiered(LogIndex log) {
        return log.kind() == Entry.Kind.FAILURE || log.kind() == Entry.Kind.SUCCESS;
    }

    private static LogPlan planned(LogSnapshot view, Map<Integer, LineChange> changes) {
        List<LineChange> inOrder = changes.values().stream()
                .sorted((a, b) -> Long.compare(a.offset(), b.offset()))
                .toList();
        return new LogPlan(view.index(), view.count(), view.index().file().length(), inOrder);
    }

    /** With the lines that are in no index: broken ones, and repetitions. */
    private LogPlan scanned(LogSnapshot view, Map<Integer, LineChange> changes) throws IOException {
        LogScan scan = new LogScan(view, codec);
        List<LineChange> all = new ArrayList<>(changes.values());
        long length = scan.addTo(all);
        all.sort((a, b) -> Long.compare(a.offset(), b.offset()));
        return new LogPlan(view.index(), scan.count(), length, List.copyOf(all));
    }

    private Map<Integer, LineChange> changes(LogSnapshot view, boolean hot) throws IOException {
        Map<Integer, LineChange> changes = new HashMap<>();
        stale(view, changes);
        if (hot) {
            for (int ordinal = 0; ordinal < view.count(); ordinal++) {
                if (!view.shows(ordinal)) {
                    put(changes, view, ordinal, LineChange.Why.COVERED, null, "another line covers it");
                }
            }
            merged(view, changes);
            archived(view, changes);
        }
        return changes;
    }

    private static void put(
            Map<Integer, LineChange> changes,
            LogSnapshot view,
            int ordinal,
            LineChange.Why why,
            byte @Nullable [] line,
            String reason) {
        LogIndex log = view.index();
        changes.put(
                ordinal,
                new LineChange(log.lines().offset(ordinal), log.lines().length(ordinal), ordinal, why, line, reason));
    }

    /** Whether a line is an entry of its log's kind that a compaction may touch. */
    private static boolean isPlain(LogSnapshot view, int ordinal) {
        LogIndex log = view.index();
        return view.shows(ordinal)
                && log.lines().kind(ordinal) == log.kind()
                && log.lines().time(ordinal) > 0;
    }

    private void stale(LogSnapshot view, Map<Integer, LineChange> changes) throws IOException {
        Duration after = retention.pruneAfter();
        if (after == null) {
            return;
        }
        long before = nowMillis - millis(after);
        LogIndex log = view.index();
        for (int ordinal = 0; ordinal < view.count(); ordinal++) {
            boolean old = isPlain(view, ordinal) && log.lines().time(ordinal) < before;
            if (old && !isAmended(log.lines().id(ordinal)) && lastSeen(log, ordinal) < before) {
                put(
                        changes,
                        view,
                        ordinal,
                        LineChange.Why.STALE,
                        null,
                        "nothing happened to it for " + after.toDays() + " days");
            }
        }
        orphans(view, changes);
    }

    /** What was said of entries that go goes with them. */
    private static void orphans(LogSnapshot view, Map<Integer, LineChange> changes) {
        for (LineChange change : List.copyOf(changes.values())) {
            String id = view.index().lines().id(change.ordinal());
            for (int ordinal : lines(view, view.index().lines().postings(IndexedField.TARGET, id == null ? "" : id))) {
                put(changes, view, ordinal, LineChange.Why.STALE, null, "it speaks of " + id + ", which is stale");
            }
        }
    }

    private static List<Integer> lines(LogSnapshot view, Postings of) {
        return IntStream.range(0, of.countBelow(view.count())).mapToObj(of::at).toList();
    }

    /** When the family of a line was last met with, or one of it voted on. */
    private long lastSeen(LogIndex log, int ordinal) throws IOException {
        Map<String, Object> fields = DuplicateFinder.fields(codec, log, log.bytes(ordinal));
        String hash = EntryMerger.text(fields, "ctx_hash");
        long last = Math.max(log.lines().time(ordinal), lastVote(log.lines().id(ordinal)));
        if (hash == null) {
            return last;
        }
        for (LogSnapshot view : snapshot.logs()) {
            boolean same =
                    view.index().kind() == log.kind() && view.index().origin().own();
            for (int other : same ? lines(view, view.index().withHash(hash)) : List.<Integer>of()) {
                if (view.index().lines().time(other) > last
                        && DuplicateFinder.sameSubject(codec, fields, view.index(), other)) {
                    last = view.index().lines().time(other);
                }
            }
        }
        return last;
    }

    private long lastVote(@Nullable String id) {
        long last = 0;
        for (LogSnapshot view : snapshot.logs()) {
            for (int ordinal : id == null || !view.index().origin().own()
                    ? List.<Integer>of()
                    : lines(view, view.index().lines().postings(IndexedField.TARGET, id))) {
                last = Math.max(last, view.index().lines().time(ordinal));
            }
        }
        return last;
    }

    /** Whether somebody pinned, dismissed, replaced or tagged an entry: then it stays as it is. */
    private boolean isAmended(@Nullable String id) {
        if (id == null) {
            return false;
        }
        for (LogSnapshot view : amended) {
            Postings amendments = view.index().lines().postings(IndexedField.TYPE, Schema.AMENDMENT.type());
            for (int ordinal : lines(view, view.index().lines().postings(IndexedField.TARGET, id))) {
                if (amendments.contains(ordinal)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void merged(LogSnapshot view, Map<Integer, LineChange> changes) throws IOException {
        LogIndex log = view.index();
        DuplicateFinder families = new DuplicateFinder(log, codec, millis(retention.duplicateWindow()), lineBytes);
        List<List<Integer>> wanted = new ArrayList<>();
        long bytes = 0;
        for (String hash : log.repeatedHashes(view.count())) {
            List<Integer> candidates = candidates(view, log.withHash(hash), changes);
            if (candidates.size() > 1) {
                wanted.add(candidates);
                bytes += bytes(log, candidates);
            }
            if (bytes > LineReadAhead.BYTES) {
                merged(view, families, wanted, changes);
                wanted.clear();
                bytes = 0;
            }
        }
        merged(view, families, wanted, changes);
    }

    private List<Integer> candidates(LogSnapshot view, Postings lines, Map<Integer, LineChange> changes) {
        int n = lines.countBelow(view.count());
        List<Integer> candidates = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            int ordinal = lines.at(i);
            if (!changes.containsKey(ordinal) && canMerge(view, ordinal)) {
                candidates.add(ordinal);
            }
        }
        return candidates;
    }

    private static long bytes(LogIndex log, List<Integer> lines) {
        long bytes = 0;
        for (int ordinal : lines) {
            bytes += log.lines().length(ordinal);
        }
        return bytes;
    }

    /** Makes one line of those that say the same, of several families whose lines are read together. */
    private void merged(
            LogSnapshot view, DuplicateFinder families, List<List<Integer>> wanted, Map<Integer, LineChange> changes)
            throws IOException {
        LogIndex log = view.index();
        int[] all = wanted.stream()
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .distinct()
                .toArray();
        LineReadAhead batch = new LineReadAhead(log, all);
        for (List<Integer> candidates : wanted) {
            candidates.removeIf(changes::containsKey);
            for (DuplicateFinder.Group group : families.groups(candidates, batch)) {
                put(
                        changes,
                        view,
                        group.kept(),
                        LineChange.Why.MERGED,
                        group.line(),
                        "it covers " + group.covered().size() + " others");
                String reason = "the same as " + namesakes.shownId(view, group.kept()) + " within "
                        + retention.duplicateWindow().toDays() + " days, and becomes part of it";
                for (int covered : group.covered()) {
                    put(changes, view, covered, LineChange.Why.COVERED, null, reason);
                }
            }
        }
    }

    private boolean canMerge(LogSnapshot view, int ordinal) {
        String id = view.index().lines().id(ordinal);
        return isPlain(view, ordinal)
                && id != null
                && DailyIdCounter.isId(id)
                && id.equals(namesakes.shownId(view, ordinal))
                && !isAmended(id);
    }

    private void archived(LogSnapshot view, Map<Integer, LineChange> changes) {
        LogIndex log = view.index();
        String coldDay =
                Instant.ofEpochMilli(Math.max(0, coldBefore)).toString().substring(0, DATE_CHARS);
        for (int ordinal = 0; ordinal < view.count(); ordinal++) {
            LineChange merged = changes.get(ordinal);
            String id = log.lines().id(ordinal);
            boolean cold = isPlain(view, ordinal)
                    && log.lines().time(ordinal) < coldBefore
                    && id != null
                    && DailyIdCounter.isId(id)
                    && id.compareTo(coldDay) < 0;
            if (cold && (merged == null || merged.why() == LineChange.Why.MERGED)) {
                String month = YearMonth.from(
                                Instant.ofEpochMilli(log.lines().time(ordinal)).atZone(ZoneOffset.UTC))
                        .toString();
                put(
                        changes,
                        view,
                        ordinal,
                        LineChange.Why.ARCHIVED,
                        merged == null ? null : merged.line(),
                        "it is old and moves to the archive of " + month);
            }
        }
    }
}

package dev.xmem.core.answer.search;

import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.core.answer.outcome.AmendmentIndex;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one log that pass a query's filters, as a conjunction of posting lists and predicates: the shortest list
 * leads, each of its lines is tested against the others. A position counts along the leading list, or along all lines
 * if there is none.
 */
final class FilteredLines {
    private static final Set<Entry.Kind> ALL_KINDS = Set.of(Entry.Kind.values());

    private final LogSnapshot log;
    private final AmendmentIndex amendments;
    private @Nullable Postings leading;
    /** Gives the lines of older segments after those at the positions; null if the positions have all lines. */
    private final LogIndex.@Nullable Candidates older;

    private final List<Postings> others;
    private final IntPredicate shown;
    private final Set<Entry.Kind> kinds;
    private final long from;
    private final long to;
    /** Whether the line at every position passes. */
    private final boolean all;

    /**
     * The lines that pass a query's filters.
     *
     * @param candidates the lines that may have the query's literal or regex; null if it has none
     * @param shown which lines of the log searches show at all
     */
    FilteredLines(
            LogSnapshot log,
            Query query,
            AmendmentIndex amendments,
            LogIndex.@Nullable Candidates candidates,
            IntPredicate shown)
            throws IOException {
        List<Postings> lists = lists(log, query, amendments);
        boolean bySegment = candidates != null
                && lists.isEmpty()
                && log.index().statistics().times().ascendsBelow(log.count());
        if (candidates != null && !lists.contains(Postings.EMPTY)) {
            add(lists, bySegment ? candidates.older() : candidates.all());
        }
        this.older = bySegment ? candidates : null;
        if (lists.size() > 1) {
            lists.sort(Comparator.comparingInt(list -> list.countBelow(log.count())));
        }
        this.log = log;
        this.amendments = amendments;
        this.shown = shown;
        this.leading = lists.isEmpty() ? null : lists.remove(0);
        this.others = lists;
        this.kinds = query.kinds();
        this.from = millis(query.from(), Long.MIN_VALUE);
        this.to = millis(query.to(), Long.MAX_VALUE);
        this.all = log.isUniform()
                && log.index().kind() != Entry.Kind.DIRECTIVE
                && amendments.isEmpty()
                && others.isEmpty()
                && from == Long.MIN_VALUE
                && to == Long.MAX_VALUE
                && (kinds.isEmpty() || kinds.contains(log.index().kind()));
    }

    /** The lines that pass each filter that has posting lists; an empty list where no line is of a wanted kind. */
    private static List<Postings> lists(LogSnapshot log, Query query, AmendmentIndex amendments) {
        LogIndex index = log.index();
        List<Postings> lists = new ArrayList<>();
        if (!query.kinds().isEmpty() && !hasSome(index, query.kinds())) {
            lists.add(Postings.EMPTY);
            return lists;
        }
        add(lists, query.tool() == null ? null : index.withName(IndexedField.TOOL, query.tool()));
        add(lists, query.tag() == null ? null : amendments.withTag(log, query.tag()));
        add(lists, query.ctxHash() == null ? null : index.withHash(query.ctxHash()));
        add(lists, query.session() == null ? null : index.lines().postings(IndexedField.SESSION, query.session()));
        add(lists, query.type() == null ? null : index.lines().postings(IndexedField.TYPE, query.type()));
        return lists;
    }

    /** Whether a line of the log is of one of these kinds. A line is counted before a snapshot can have it. */
    private static boolean hasSome(LogIndex log, Set<Entry.Kind> kinds) {
        for (Entry.Kind kind : kinds) {
            if (log.statistics().logStatistics().of(kind) > 0) {
                return true;
            }
        }
        return false;
    }

    private static void add(List<Postings> lists, @Nullable Postings list) {
        if (list != null) {
            lists.add(list);
        }
    }

    /** The first whole millisecond that is not before a time: the index has times in milliseconds. */
    private static long millis(@Nullable Instant time, long otherwise) {
        if (time == null) {
            return otherwise;
        }
        try {
            return time.toEpochMilli() + (time.getNano() % 1_000_000 == 0 ? 0 : 1);
        } catch (ArithmeticException e) {
            return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    LogSnapshot log() {
        return log;
    }

    /** The time of a line, in epoch milliseconds. */
    long time(int ordinal) {
        return log.index().lines().time(ordinal);
    }

    /**
     * Goes on to the lines of an older segment: the positions then count along these. False if there are no more. Only
     * for a log whose times ascend.
     */
    boolean older() throws IOException {
        Postings next = older == null ? null : older.older();
        if (next == null) {
            return false;
        }
        leading = next;
        return true;
    }

    /** The lines along which positions count; another object after {@link #older}. */
    @Nullable Postings leading() {
        return leading;
    }

    /** The number of positions; the line at a position need not pass. */
    int positions() {
        return leading == null ? log.count() : leading.countBelow(log.count());
    }

    /** The line at a position. */
    int at(int position) {
        return leading == null ? position : leading.at(position);
    }

    /** The first line of a run of at most {@code most} consecutive lines at the positions up to this one. */
    int firstOfRun(int position, int most) {
        int last = at(position);
        int before = Math.min(most - 1, position);
        while (before > 0 && at(position - before) != last - before) {
            before /= 2;
        }
        return last - before;
    }

    /** Whether every line of the log passes. */
    boolean acceptsAll() {
        return all && leading == null;
    }

    /** Whether a line passes all filters. */
    boolean accepts(int ordinal) {
        return (leading == null || leading.contains(ordinal)) && acceptsAtPosition(ordinal);
    }

    /** Whether a line that is at a position passes the filters other than the leading list. */
    boolean acceptsAtPosition(int ordinal) {
        if (all) {
            return true;
        }
        if (!shown.test(ordinal)) {
            return false;
        }
        if (!kinds.isEmpty() && !kinds.contains(log.index().lines().kind(ordinal))) {
            return false;
        }
        long time = time(ordinal);
        if (time < from || time >= to) {
            return false;
        }
        for (Postings other : others) {
            if (!other.contains(ordinal)) {
                return false;
            }
        }
        return true;
    }

    /** The number of lines that pass. */
    int count() {
        if (all) {
            return positions();
        }
        BitSet hidden = mayBeHidden();
        if (hidden != null) {
            return log.entries(wantedKinds()) - countHidden(hidden);
        }
        int count = 0;
        for (int position = positions() - 1; position >= 0; position--) {
            count += acceptsAtPosition(at(position)) ? 1 : 0;
        }
        return count;
    }

    private Set<Entry.Kind> wantedKinds() {
        return kinds.isEmpty() ? ALL_KINDS : kinds;
    }

    /**
     * The lines that may be hidden, where a line passes by its kind unless it is hidden; null where each line has to be
     * looked at.
     */
    private @Nullable BitSet mayBeHidden() {
        boolean directives = hasSome(log.index(), Set.of(Entry.Kind.DIRECTIVE));
        return leading == null
                        && from == Long.MIN_VALUE
                        && to == Long.MAX_VALUE
                        && !(directives && wantedKinds().contains(Entry.Kind.DIRECTIVE))
                ? amendments.mayHide(log)
                : null;
    }

    /** How many of these lines are entries of the wanted kinds that are not shown. */
    private int countHidden(BitSet hidden) {
        LogIndex index = log.index();
        int count = 0;
        for (int line = hidden.nextSetBit(0); line >= 0 && line < log.count(); line = hidden.nextSetBit(line + 1)) {
            boolean isEntry = wantedKinds().contains(index.lines().kind(line)) && !index.isEvent(line);
            count += isEntry && !shown.test(line) ? 1 : 0;
        }
        return count;
    }
}

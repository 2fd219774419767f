package dev.xmem.core.answer.search;

import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.core.answer.outcome.AmendmentIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The lines of one log that pass a query's filters: the shortest list leads, the others are asked. */
final class FilteredLines {
    private final LogSnapshot log;
    private final @Nullable Postings leading;
    private final List<Postings> others;
    private final IntPredicate shown;
    private final Set<Entry.Kind> kinds;
    private final long from;
    private final long to;
    /** Whether every line at a place passes. */
    private final boolean all;

    private FilteredLines(LogSnapshot log, List<Postings> lists, Query query, boolean all, IntPredicate shown) {
        this.log = log;
        this.shown = shown;
        this.leading = lists.isEmpty() ? null : lists.get(0);
        this.others = lists.isEmpty() ? List.of() : List.copyOf(lists.subList(1, lists.size()));
        this.kinds = query.kinds();
        this.from = millis(query.from(), Long.MIN_VALUE);
        this.to = millis(query.to(), Long.MAX_VALUE);
        this.all = all
                && others.isEmpty()
                && from == Long.MIN_VALUE
                && to == Long.MAX_VALUE
                && (kinds.isEmpty() || kinds.contains(log.index().kind()));
    }

    /**
     * The lines that pass a query's filters.
     *
     * @param candidates lines outside of which none has the query's text; null if nothing is known of it
     * @param shown which lines of the log are shown at all
     */
    static FilteredLines of(
            LogSnapshot log, Query query, AmendmentIndex ledger, @Nullable Postings candidates, IntPredicate shown) {
        List<Postings> lists = new ArrayList<>();
        add(lists, candidates);
        add(lists, query.tool() == null ? null : log.index().withName(IndexedField.TOOL, query.tool()));
        add(lists, query.tag() == null ? null : ledger.withTag(log, query.tag()));
        add(lists, query.ctxHash() == null ? null : log.index().withHash(query.ctxHash()));
        add(
                lists,
                query.session() == null ? null : log.index().lines().postings(IndexedField.SESSION, query.session()));
        add(lists, query.type() == null ? null : log.index().lines().postings(IndexedField.TYPE, query.type()));
        if (lists.size() > 1) {
            lists.sort(Comparator.comparingInt(list -> list.countBelow(log.count())));
        }
        boolean all = log.isUniform() && log.index().kind() != Entry.Kind.DIRECTIVE && ledger.isEmpty();
        return new FilteredLines(log, lists, query, all, shown);
    }

    private static void add(List<Postings> lists, @Nullable Postings list) {
        if (list != null) {
            lists.add(list);
        }
    }

    /** The first whole millisecond that is not before the time; lines are known by theirs. */
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

    /** How many places there are; not every line at a place passes. */
    int places() {
        return leading == null ? log.count() : leading.countBelow(log.count());
    }

    /** The line at a place. */
    int at(int place) {
        return leading == null ? place : leading.at(place);
    }

    /** The first of at most so many lines that follow each other and stand at the places up to this one. */
    int firstOfRun(int place, int most) {
        int last = at(place);
        int before = Math.min(most - 1, place);
        while (before > 0 && at(place - before) != last - before) {
            before /= 2;
        }
        return last - before;
    }

    /** Whether every line passes. */
    boolean acceptsAll() {
        return all && leading == null;
    }

    /** Whether a line passes all filters. */
    boolean accepts(int ordinal) {
        return (leading == null || leading.contains(ordinal)) && acceptsAtPlace(ordinal);
    }

    /** Whether a line that stands at a place passes the filters that the place says nothing of. */
    boolean acceptsAtPlace(int ordinal) {
        if (all) {
            return true;
        }
        if (!shown.test(ordinal)) {
            return false;
        }
        if (!kinds.isEmpty() && !kinds.contains(log.index().lines().kind(ordinal))) {
            return false;
        }
        long time = log.index().lines().time(ordinal);
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

    /** How many lines pass. */
    int count() {
        if (all) {
            return places();
        }
        int count = 0;
        for (int place = places() - 1; place >= 0; place--) {
            count += acceptsAtPlace(at(place)) ? 1 : 0;
        }
        return count;
    }
}

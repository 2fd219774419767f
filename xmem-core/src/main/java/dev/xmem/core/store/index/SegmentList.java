package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.MergedKeys;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * All lines of a log: full segments, which have equally many lines or are merged of such, then the active one. A line
 * is numbered by its ordinal in the log. Immutable, but the active segment grows; when it is full, or segments are
 * merged, the list is replaced.
 *
 * @param full the segments to which nothing is added any more
 * @param byPlace the same, each as often as it has parts
 * @param active the newest segment
 * @param shift a full segment has two to the power of this many lines
 */
record SegmentList(List<Segment> full, List<Segment> byPlace, ActiveSegment active, int shift)
        implements LineColumns.InParts {
    /** The segments of a log without lines. */
    static SegmentList empty(int shift) {
        return of(List.of(), new ActiveSegment(0), shift);
    }

    static SegmentList of(List<Segment> full, ActiveSegment active, int shift) {
        List<Segment> byPlace = new ArrayList<>();
        for (Segment segment : full) {
            for (int part = 0; part < Math.max(1, segment.lines().count() >> shift); part++) {
                byPlace.add(segment);
            }
        }
        return new SegmentList(List.copyOf(full), List.copyOf(byPlace), active, shift);
    }

    /** The segments when the active one is full and ends at an offset of the log. */
    SegmentList rolledOver(long to) {
        List<Segment> more = new ArrayList<>(full);
        more.add(new Segment(byPlace.size(), active, to));
        return of(more, new ActiveSegment(to), shift);
    }

    /** The segments with a merged one in place of those that it was merged of. */
    SegmentList merged(Segment merged) {
        List<Segment> less = new ArrayList<>();
        for (Segment segment : full) {
            if (segment.number() == merged.number()) {
                less.add(merged);
            } else if (segment.from() < merged.from() || segment.from() >= merged.to()) {
                less.add(segment);
            }
        }
        return of(less, active, shift);
    }

    /** How many full segments there are, or were before they were merged. */
    int places() {
        return byPlace.size();
    }

    /** The lines of a place; the last one is that of the active segment. */
    LineColumns place(int place) {
        return place < byPlace.size() ? byPlace.get(place).part(place) : active;
    }

    /** The ordinal of the first line of a place. */
    int placeBase(int place) {
        return place << shift;
    }

    /** The full segments from a place up to another; empty if there are none there, or another one reaches in. */
    List<Segment> between(int place, int end) {
        if (end > byPlace.size()) {
            return List.of();
        }
        Set<Segment> some = new LinkedHashSet<>(byPlace.subList(place, end));
        int lines = 0;
        for (Segment segment : some) {
            lines += segment.lines().count();
        }
        return lines == end - place << shift ? List.copyOf(some) : List.of();
    }

    /** As {@link #between}, if they are several and have files. */
    List<Segment> mergeable(int place, int end) {
        List<Segment> some = between(place, end);
        boolean written = some.stream().allMatch(segment -> segment.name() != null && segment.hasText());
        return some.size() > 1 && written ? some : List.of();
    }

    /** As {@link #sealable()}, without the first ones. */
    List<Segment> sealable(int from) {
        List<Segment> all = sealable();
        return all.subList(Math.min(from, all.size()), all.size());
    }

    /** All segments that have a file, or should have one. */
    List<Segment> sealable() {
        Segment head = active.head();
        if (head == null) {
            return full;
        }
        List<Segment> all = new ArrayList<>(full);
        all.add(head);
        return all;
    }

    /** The ordinal of the first line of the active segment. */
    int activeBase() {
        return byPlace.size() << shift;
    }

    @Override
    public LineColumns of(int ordinal) {
        int place = ordinal >> shift;
        return place < byPlace.size() ? byPlace.get(place).part(place) : active.of(inSegment(ordinal));
    }

    @Override
    public int in(int ordinal) {
        int line = inSegment(ordinal);
        return ordinal >> shift < byPlace.size() ? line : active.in(line);
    }

    private int inSegment(int ordinal) {
        return ordinal & (1 << shift) - 1;
    }

    @Override
    public int parts() {
        return full.size() + 1;
    }

    @Override
    public LineColumns part(int number) {
        return number < full.size() ? full.get(number).lines() : active;
    }

    @Override
    public int base(int part) {
        return part < full.size() ? full.get(part).number() << shift : activeBase();
    }

    @Override
    public int count() {
        return activeBase() + active.count();
    }

    /** The number of lines of some kinds below a cutoff; statistics say it of whole segments. */
    int count(Set<Entry.Kind> kinds, int cutoff) {
        int lines = 0;
        int counted = 0;
        for (Segment segment : sealable()) {
            int end = counted + segment.lines().count();
            if (end > cutoff) {
                break;
            }
            for (Entry.Kind kind : kinds) {
                lines += (int) segment.statistics().logStatistics().of(kind);
            }
            counted = end;
        }
        for (int line = counted; line < cutoff; line++) {
            lines += kinds.contains(kind(line)) ? 1 : 0;
        }
        return lines;
    }

    /** Passes on the keys of one segment after the other, of each until {@code each} returns false. */
    @Override
    public void keys(IndexedField field, String prefix, Predicate<String> each) {
        for (int i = 0; i < parts(); i++) {
            part(i).keys(field, prefix, each);
        }
    }

    /** Adds a field of the lines below a count; the first one has the ordinal {@code first}. */
    void addTo(MergedKeys keys, IndexedField field, int first, int cutoff, boolean counts)
            throws CorruptSegmentException {
        for (int i = 0; i < parts(); i++) {
            int count = Math.max(0, Math.min(part(i).count(), cutoff - base(i)));
            keys.add(part(i), field, first + base(i), count, counts);
        }
    }

    /** The rolling digest of the lines below this one. */
    long rollingDigest(int cutoff) {
        long digest = 0;
        int rest = cutoff;
        for (Segment segment : full) {
            int count = Math.min(rest, segment.lines().count());
            long own = count < segment.lines().count()
                    ? DigestTable.rolling(segment.lines(), count)
                    : segment.rollingDigest();
            digest = DigestTable.joined(digest, count, own);
            rest -= count;
        }
        return DigestTable.joined(digest, rest, active.rollingDigest(rest));
    }
}

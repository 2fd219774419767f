package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All lines of a log: full segments of equal length, then the active one. A line is numbered by its ordinal in the log.
 * Immutable, but the active segment grows; when it is full, the list is replaced.
 *
 * @param full the segments to which nothing is added any more
 * @param active the newest segment
 * @param shift a full segment has two to the power of this many lines
 */
record SegmentList(List<Segment> full, ActiveSegment active, int shift) implements SegmentedLines {
    /** The segments of a log without lines. */
    static SegmentList empty(int shift) {
        return new SegmentList(List.of(), new ActiveSegment(0), shift);
    }

    /** The segments when the active one is full and ends at an offset of the log. */
    SegmentList rolledOver(long to) {
        List<Segment> more = new ArrayList<>(full);
        more.add(new Segment(full.size(), active, to));
        return new SegmentList(Collections.unmodifiableList(more), new ActiveSegment(to), shift);
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
        return full.size() << shift;
    }

    @Override
    public LineColumns of(int ordinal) {
        int segment = ordinal >> shift;
        return segment < full.size() ? full.get(segment).lines() : active.of(inSegment(ordinal));
    }

    @Override
    public int in(int ordinal) {
        int line = inSegment(ordinal);
        return ordinal >> shift < full.size() ? line : active.in(line);
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
        return part << shift;
    }

    @Override
    public int count() {
        return activeBase() + active.count();
    }

    /** Passes on the keys of one segment after the other, of each until {@code each} returns false. */
    @Override
    public void keys(IndexedField field, String prefix, Predicate<String> each) {
        for (int i = 0; i < parts(); i++) {
            part(i).keys(field, prefix, each);
        }
    }

    /** The keys of a field that several of the lines below a count have, in their order. */
    SortedSet<String> repeated(IndexedField field, int cutoff) {
        Set<String> seen = new HashSet<>();
        SortedSet<String> repeated = new TreeSet<>();
        for (int i = 0; i < parts(); i++) {
            LineColumns lines = part(i);
            int below = cutoff - base(i);
            lines.keys(field, "", key -> {
                int n = lines.postings(field, key).countBelow(below);
                if (n > 1 || n == 1 && !seen.add(key)) {
                    repeated.add(key);
                }
                return true;
            });
        }
        return repeated;
    }

    /**
     * As {@link #withDigest(long)} of a line with this id, or without one: segments that have no such line are skipped.
     */
    int withDigest(long digest, @Nullable String id) {
        for (int i = 0; i < parts(); i++) {
            LineColumns lines = part(i);
            int line = lines.mayHave(id) ? lines.withDigest(digest) : -1;
            if (line >= 0) {
                return base(i) + line;
            }
        }
        return -1;
    }

    /** The rolling digest of the lines below this one. */
    long rollingDigest(int cutoff) {
        long digest = 0;
        int rest = cutoff;
        for (Segment segment : full) {
            int count = Math.min(rest, 1 << shift);
            long own = count < 1 << shift ? DigestTable.rolling(segment.lines(), count) : segment.rollingDigest();
            digest = DigestTable.joined(digest, count, own);
            rest -= count;
        }
        return DigestTable.joined(digest, rest, active.rollingDigest(rest));
    }
}

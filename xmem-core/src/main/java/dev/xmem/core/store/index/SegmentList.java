package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.ConcatenatedPostings;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.Postings;
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
 * The lines of a log at one time: stretches of equal length that are full, and the one that grows.
 *
 * @param full those to which nothing is added any more
 * @param growing the newest
 * @param shift a full one has two to the power of this many lines
 */
record SegmentList(List<Segment> full, ActiveSegment growing, int shift) {
    /** Those of a log without lines. */
    static SegmentList none(int shift) {
        return new SegmentList(List.of(), new ActiveSegment(0), shift);
    }

    /** The same when the one that grows is full, and the next begins here in the log. */
    SegmentList closed(long to) {
        List<Segment> more = new ArrayList<>(full);
        more.add(new Segment(full.size(), growing, to));
        return new SegmentList(Collections.unmodifiableList(more), new ActiveSegment(to), shift);
    }

    /** All that segments tell of, or should. */
    List<Segment> sealable() {
        Segment head = growing.head();
        if (head == null) {
            return full;
        }
        List<Segment> all = new ArrayList<>(full);
        all.add(head);
        return all;
    }

    /** How many lines there are before those of the one that grows. */
    int growingBase() {
        return full.size() << shift;
    }

    /** How many lines there are. */
    int count() {
        return growingBase() + growing.count();
    }

    /** The lines among which this one is: at {@link #in} of it. */
    LineColumns of(int ordinal) {
        int stretch = ordinal >> shift;
        return stretch < full.size() ? full.get(stretch).lines() : growing;
    }

    /** The number of a line in its stretch. */
    int in(int ordinal) {
        return ordinal & (1 << shift) - 1;
    }

    /** Whether a field has any key. */
    boolean has(IndexedField field) {
        for (Segment stretch : full) {
            if (stretch.lines().has(field)) {
                return true;
            }
        }
        return growing.has(field);
    }

    /** The lines with a key. */
    Postings postings(IndexedField field, String key) {
        if (full.isEmpty()) {
            return growing.lines(field, key);
        }
        ConcatenatedPostings.Builder all = new ConcatenatedPostings.Builder();
        for (Segment stretch : full) {
            all.add(stretch.number() << shift, stretch.lines().lines(field, key));
        }
        all.add(growingBase(), growing.lines(field, key));
        return all.build();
    }

    /** Hands over the keys of a field that begin with a text, stretch by stretch, of each until the taker says false. */
    void keys(IndexedField field, String prefix, Predicate<String> each) {
        full.forEach(stretch -> stretch.lines().keys(field, prefix, each));
        growing.keys(field, prefix, each);
    }

    /** The keys of a field that several of the lines below a count have, in their order. */
    SortedSet<String> repeated(IndexedField field, int cutoff) {
        Set<String> seen = new HashSet<>();
        SortedSet<String> repeated = new TreeSet<>();
        for (Segment stretch : full) {
            addRepeated(stretch.lines(), field, cutoff - (stretch.number() << shift), seen, repeated);
        }
        addRepeated(growing, field, cutoff - growingBase(), seen, repeated);
        return repeated;
    }

    private static void addRepeated(
            LineColumns lines, IndexedField field, int cutoff, Set<String> seen, SortedSet<String> repeated) {
        lines.keys(field, "", key -> {
            int n = lines.lines(field, key).countBelow(cutoff);
            if (n > 1 || n == 1 && !seen.add(key)) {
                repeated.add(key);
            }
            return true;
        });
    }

    /** The first line with a digest; -1 if there is none. */
    int withDigest(long digest) {
        for (Segment stretch : full) {
            int line = stretch.lines().withDigest(digest);
            if (line >= 0) {
                return (stretch.number() << shift) + line;
            }
        }
        return inGrowing(digest);
    }

    /** The same of a line whose id is known, which spares a look at most stretches. */
    int withDigest(long digest, @Nullable String id) {
        int line = withDigest(digest, id, full.size());
        return line >= 0 ? line : inGrowing(digest);
    }

    /** The same among the first full stretches. */
    int withDigest(long digest, @Nullable String id, int stretches) {
        for (int i = 0; i < stretches; i++) {
            LineColumns lines = full.get(i).lines();
            int line = lines.mayHave(id) ? lines.withDigest(digest) : -1;
            if (line >= 0) {
                return (i << shift) + line;
            }
        }
        return -1;
    }

    private int inGrowing(long digest) {
        int line = growing.withDigest(digest);
        return line < 0 ? -1 : growingBase() + line;
    }

    /** A number made from the bytes of all lines below this one, in their order. */
    long rollingDigest(int cutoff) {
        long chain = 0;
        int rest = cutoff;
        for (Segment stretch : full) {
            int count = 1 << shift;
            if (rest < count) {
                return rest == 0
                        ? chain
                        : ColumnStore.joined(chain, rest, Segment.rollingDigest(stretch.lines(), rest));
            }
            chain = ColumnStore.joined(chain, count, stretch.rollingDigest());
            rest -= count;
        }
        return ColumnStore.joined(chain, rest, growing.rollingDigest(rest));
    }

    /** Every line that covers others. */
    Set<Integer> covering() {
        Set<Integer> covering = new HashSet<>();
        for (Segment stretch : full) {
            stretch.lines().covering(line -> covering.add((stretch.number() << shift) + line));
        }
        growing.covering(line -> covering.add(growingBase() + line));
        return covering;
    }
}

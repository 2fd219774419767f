package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.store.segment.ConcatenatedPostings;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.NgramFilter;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.segment.SegmentStatistics;
import dev.xmem.core.store.terms.MemoryTextIndex;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest stretch of a log: the lines that a segment tells of, where an earlier store was closed in its midst, then those
 * in memory. One writer, many readers: see the package.
 */
final class ActiveSegment implements LineColumns {
    private final long from;
    private final @Nullable Segment head;
    private final int headCount;
    private final Memtable tail = new Memtable();
    private final SegmentStatistics totals = new SegmentStatistics();
    private volatile @Nullable MemoryTextIndex words;
    private volatile NgramFilter.@Nullable Builder grams;
    private volatile int gramsEnd;

    /** A stretch without lines that begins here in its log. */
    ActiveSegment(long from) {
        this.from = from;
        this.head = null;
        this.headCount = 0;
    }

    /** Goes on with what is known of the beginning of a stretch. */
    ActiveSegment(Segment head) {
        this.from = head.from();
        this.head = head;
        this.headCount = head.lines().count();
        totals.add(head.totals(), 0);
    }

    /** Where the stretch begins in its log. */
    long from() {
        return from;
    }

    /** What a segment tells of; null if there is none. */
    @Nullable Segment head() {
        return head;
    }

    /** What its lines add up to. For the thread that adds, and for any when nothing is added any more. */
    SegmentStatistics totals() {
        return totals;
    }

    /** How many lines a segment tells of. */
    int headCount() {
        return headCount;
    }

    /** How many other lines there are. */
    int unsealed() {
        return tail.count();
    }

    /** The words of the other lines, counted from 0, as far as somebody asked for them; null if nobody did. */
    @Nullable MemoryTextIndex words() {
        return words;
    }

    void words(MemoryTextIndex known) {
        words = known;
    }

    /** What their characters tell, as far as somebody asked for it: of the lines below {@link #gramsEnd}. */
    NgramFilter.@Nullable Builder grams() {
        return grams;
    }

    int gramsEnd() {
        return gramsEnd;
    }

    void grams(NgramFilter.Builder known, int end) {
        grams = known;
        gramsEnd = end;
    }

    /** Adds a line that is not there yet. */
    void add(IndexedFields facts, long offset, int length, long digest, @Nullable String currentHash) {
        totals.add(facts, count());
        tail.add(facts, offset, length, digest, currentHash);
    }

    /** The chain of numbers made from the bytes of the lines below this one. */
    long rollingDigest(int cutoff) {
        if (head == null) {
            return tail.rollingDigest(cutoff);
        }
        if (cutoff >= headCount) {
            return ColumnStore.joined(head.rollingDigest(), cutoff - headCount, tail.rollingDigest(cutoff - headCount));
        }
        return Segment.rollingDigest(head.lines(), cutoff);
    }

    private LineColumns of(int line) {
        return head == null || line >= headCount ? tail : head.lines();
    }

    private int in(int line) {
        return line < headCount ? line : line - headCount;
    }

    @Override
    public int count() {
        return headCount + tail.count();
    }

    @Override
    public long offset(int line) {
        return of(line).offset(in(line));
    }

    @Override
    public int length(int line) {
        return of(line).length(in(line));
    }

    @Override
    public long time(int line) {
        return of(line).time(in(line));
    }

    @Override
    public Entry.Kind kind(int line) {
        return of(line).kind(in(line));
    }

    @Override
    public long digest(int line) {
        return of(line).digest(in(line));
    }

    @Override
    public @Nullable String id(int line) {
        return of(line).id(in(line));
    }

    @Override
    public boolean mayHave(@Nullable String id) {
        return tail.mayHave(id) || head != null && head.lines().mayHave(id);
    }

    @Override
    public int withDigest(long digest) {
        int line = head == null ? -1 : head.lines().withDigest(digest);
        int newer = line >= 0 ? -1 : tail.withDigest(digest);
        return newer < 0 ? line : headCount + newer;
    }

    @Override
    public Postings lines(IndexedField field, String key) {
        if (head == null) {
            return tail.lines(field, key);
        }
        ConcatenatedPostings.Builder all = new ConcatenatedPostings.Builder();
        all.add(0, head.lines().lines(field, key));
        all.add(headCount, tail.lines(field, key));
        return all.build();
    }

    @Override
    public void keys(IndexedField field, String prefix, Predicate<String> each) {
        if (head == null) {
            tail.keys(field, prefix, each);
            return;
        }
        LineColumns before = head.lines();
        before.keys(field, prefix, each);
        tail.keys(field, prefix, key -> before.lines(field, key) != Postings.EMPTY || each.test(key));
    }

    @Override
    public boolean has(IndexedField field) {
        return tail.has(field) || head != null && head.lines().has(field);
    }

    @Override
    public long occurrences(int line) {
        return of(line).occurrences(in(line));
    }

    @Override
    public void covering(Consumer<Integer> each) {
        if (head != null) {
            head.lines().covering(each);
        }
        tail.covering(line -> each.accept(headCount + line));
    }
}

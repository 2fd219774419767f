package dev.xmem.core.store.index;

import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.NgramFilter;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.segment.SegmentStatistics;
import dev.xmem.core.store.terms.MemoryTextIndex;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest segment of a log, to which lines are added: a {@link Memtable}, behind a sealed <em>head</em> where an
 * earlier store was closed in the middle of the segment. One writer, many readers: see the package.
 *
 * <p>Its words and n-grams are not indexed when a line is added, but when a search first needs them.
 */
final class ActiveSegment implements LineColumns.InParts {
    private final long from;
    private final @Nullable Segment head;
    private final int headCount;
    private final SegmentStatistics statistics = new SegmentStatistics();
    private final Memtable memtable;
    private volatile @Nullable MemoryTextIndex words;
    private volatile NgramFilter.@Nullable Builder grams;
    private volatile int gramsEnd;

    /** One without lines that begins at an offset of its log. */
    ActiveSegment(long from) {
        this.from = from;
        this.head = null;
        this.headCount = 0;
        this.memtable = new Memtable(statistics, 0);
    }

    /** One that begins with the lines of a sealed segment. */
    ActiveSegment(Segment head) {
        this.from = head.from();
        this.head = head;
        this.headCount = head.lines().count();
        statistics.add(head.statistics(), 0);
        this.memtable = new Memtable(statistics, headCount);
    }

    /** The offset at which the segment begins in its log. */
    long from() {
        return from;
    }

    /** The sealed lines at its beginning; null if there are none. */
    @Nullable Segment head() {
        return head;
    }

    int headCount() {
        return headCount;
    }

    /** How many lines are in memory. */
    int unsealed() {
        return memtable.count();
    }

    /** The statistics of all its lines. For the writer, and for any thread once nothing is added any more. */
    SegmentStatistics statistics() {
        memtable.index();
        return statistics;
    }

    /** The words of the lines in memory, numbered from 0, as far as they are indexed; null if none are. */
    @Nullable MemoryTextIndex words() {
        return words;
    }

    void words(MemoryTextIndex indexed) {
        words = indexed;
    }

    /** The n-grams of the lines in memory below {@link #gramsEnd}; null if none are indexed. */
    NgramFilter.@Nullable Builder grams() {
        return grams;
    }

    int gramsEnd() {
        return gramsEnd;
    }

    void grams(NgramFilter.Builder indexed, int end) {
        grams = indexed;
        gramsEnd = end;
    }

    /** Adds a line that is not there yet. */
    void add(IndexedFields fields, long offset, int length, long digest, @Nullable String currentHash) {
        memtable.add(fields, offset, length, digest, currentHash);
    }

    /** The rolling digest of the lines below this one. */
    long rollingDigest(int cutoff) {
        if (head == null) {
            return memtable.rollingDigest(cutoff);
        }
        int inMemory = cutoff - headCount;
        return inMemory < 0
                ? DigestTable.rolling(head.lines(), cutoff)
                : DigestTable.joined(head.rollingDigest(), inMemory, memtable.rollingDigest(inMemory));
    }

    @Override
    public LineColumns of(int line) {
        return head == null || line >= headCount ? memtable : head.lines();
    }

    @Override
    public int in(int line) {
        return line < headCount ? line : line - headCount;
    }

    @Override
    public int parts() {
        return head == null ? 1 : 2;
    }

    @Override
    public LineColumns part(int number) {
        return head == null || number > 0 ? memtable : head.lines();
    }

    @Override
    public int base(int part) {
        return part == 0 ? 0 : headCount;
    }

    @Override
    public int count() {
        return headCount + memtable.count();
    }

    /** Passes on each key once, although both parts may have it: a segment is written from these. */
    @Override
    public void keys(IndexedField field, String prefix, Predicate<String> each) {
        if (head == null) {
            memtable.keys(field, prefix, each);
            return;
        }
        LineColumns sealed = head.lines();
        sealed.keys(field, prefix, each);
        memtable.keys(field, prefix, key -> sealed.postings(field, key) != Postings.EMPTY || each.test(key));
    }
}

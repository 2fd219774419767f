package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.SegmentStatistics;
import dev.xmem.core.store.segment.SegmentText;
import dev.xmem.core.store.terms.RequiredTerms;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a log to which nothing is added any more, or the beginning of one. What is known of it lies in memory at
 * first, then in segments. Thread-safe; changed by one thread at a time.
 */
final class Segment {
    private final int number;
    private final long from;
    private final long to;
    private final SegmentStatistics totals;
    private final long rollingDigest;
    private volatile LineColumns lines;
    private volatile @Nullable Supplier<LineColumns> log;
    private volatile @Nullable String name;
    private volatile @Nullable SegmentText text;
    private volatile boolean hasTextFile;
    private volatile @Nullable BitSet longLines;

    /** What grew until its log was so long. */
    Segment(int number, ActiveSegment grown, long to) {
        this.number = number;
        this.from = grown.from();
        this.to = to;
        this.totals = grown.totals();
        this.rollingDigest = grown.rollingDigest(grown.count());
        this.lines = grown;
    }

    /** A stretch that was sealed before. */
    Segment(SegmentStore.Header header, String name, LineColumns lines, SegmentStatistics totals, boolean hasTextFile) {
        this.number = header.number();
        this.from = header.from();
        this.to = header.to();
        this.totals = totals;
        this.rollingDigest = header.rollingDigest();
        this.lines = lines;
        this.name = name;
        this.hasTextFile = hasTextFile;
    }

    /** Its place among the stretches of its log. */
    int number() {
        return number;
    }

    /** Where it begins in its log. */
    long from() {
        return from;
    }

    /** Where it ends in its log. */
    long to() {
        return to;
    }

    /** The chain of numbers made from the bytes of its lines. */
    long rollingDigest() {
        return rollingDigest;
    }

    /** The chain of the lines below this one. */
    static long rollingDigest(LineColumns lines, int cutoff) {
        long chain = 0;
        for (int line = 0; line < cutoff; line++) {
            chain = ColumnStore.next(chain, lines.digest(line));
        }
        return chain;
    }

    SegmentStatistics totals() {
        return totals;
    }

    LineColumns lines() {
        return lines;
    }

    /** What its segments are called; null as long as there are none of use. */
    @Nullable String name() {
        return lines instanceof RepairingSegment mended && mended.isDamaged() ? null : name;
    }

    /** The lines that may have more words than are analysed. Not to be changed. */
    BitSet longLines() {
        BitSet known = longLines;
        if (known == null) {
            known = new BitSet();
            for (int line = 0; line < lines.count(); line++) {
                if (lines.length(line) >= RequiredTerms.WHOLLY_ANALYSED_BYTES) {
                    known.set(line);
                }
            }
            longLines = known;
        }
        return known;
    }

    @Nullable SegmentText text() {
        return text;
    }

    /** Whether its texts need not be read again. */
    boolean hasText() {
        return text != null || hasTextFile;
    }

    /** Where a segment of its lines turns out to be damaged, they are read from the log. */
    void mendedBy(Supplier<LineColumns> source) {
        log = source;
        if (name != null) {
            lines = new RepairingSegment(lines, source);
        }
    }

    void sealed(LineColumns sealedLines, String sealedName) {
        Supplier<LineColumns> source = log;
        lines = source == null ? sealedLines : new RepairingSegment(sealedLines, source);
        name = sealedName;
    }

    void text(SegmentText known) {
        text = known;
        hasTextFile = false;
    }

    /** There is a file with its texts, which are read from there. */
    void withTextFile() {
        text = null;
        hasTextFile = true;
    }

    /** The file with its texts is of no use. */
    void withoutTextFile() {
        text = null;
        hasTextFile = false;
    }
}

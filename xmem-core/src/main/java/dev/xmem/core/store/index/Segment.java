package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.MergedSegmentReader;
import dev.xmem.core.store.segment.SegmentHeader;
import dev.xmem.core.store.segment.SegmentStatistics;
import dev.xmem.core.store.segment.SegmentText;
import dev.xmem.core.store.terms.RequiredTerms;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive lines of a log to which nothing is added any more: a full segment, several that were merged, or the
 * sealed head of the active one. Its columns and its text are in memory first, each until its file is written.
 * Thread-safe; changed by one thread at a time.
 */
final class Segment {
    private final int number;
    private final long from;
    private final long to;
    private final SegmentStatistics statistics;
    private final long rollingDigest;
    private volatile LineColumns lines;
    private volatile @Nullable String name;
    private volatile @Nullable SegmentText text;
    private volatile boolean hasTextFile;
    private volatile @Nullable BitSet longLines;
    private final ReentrantLock makingText = new ReentrantLock();

    /** The lines of the active segment, which ends at an offset of the log. */
    Segment(int number, ActiveSegment active, long to) {
        this.number = number;
        this.from = active.from();
        this.to = to;
        this.statistics = active.statistics();
        this.rollingDigest = active.rollingDigest(active.count());
        this.lines = active.parts() == 1 ? active.part(0) : active;
    }

    /** A segment that was sealed before; one without a name is in memory. */
    Segment(
            SegmentHeader header,
            @Nullable String name,
            LineColumns lines,
            SegmentStatistics statistics,
            boolean hasTextFile) {
        this.number = header.number();
        this.from = header.from();
        this.to = header.to();
        this.statistics = statistics;
        this.rollingDigest = header.rollingDigest();
        this.lines = lines;
        this.name = name;
        this.hasTextFile = hasTextFile;
    }

    /** Whether it was merged of others; then its text is in the same file, and is not made again. */
    boolean isMerged() {
        return lines instanceof MergedSegmentReader;
    }

    /** The lines of a segment that it was merged of, by the place of this one; all if it was not merged. */
    LineColumns part(int place) {
        LineColumns all = lines;
        return all instanceof MergedSegmentReader merged ? merged.part(place - number) : all;
    }

    /** The place among the segments of its log, from 0; of a merged one, the place of the first. */
    int number() {
        return number;
    }

    /** The offset at which it begins in its log. */
    long from() {
        return from;
    }

    /** The offset at which it ends in its log. */
    long to() {
        return to;
    }

    long rollingDigest() {
        return rollingDigest;
    }

    SegmentStatistics statistics() {
        return statistics;
    }

    LineColumns lines() {
        return lines;
    }

    /** The name of its files, without the ending; null if it is not sealed. */
    @Nullable String name() {
        return name;
    }

    /** The columns are in a file from now on. */
    void sealed(LineColumns inFile, String fileName) {
        lines = inFile;
        name = fileName;
    }

    /** The lines that may have more words than the analyzer takes. Not to be changed. */
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

    /** Held by the thread that makes its text index. */
    ReentrantLock makingText() {
        return makingText;
    }

    /** Its text index, if it was opened or made. */
    @Nullable SegmentText text() {
        return text;
    }

    /** Whether its text index need not be made. */
    boolean hasText() {
        return text != null || hasTextFile;
    }

    void text(SegmentText opened) {
        text = opened;
        hasTextFile = false;
    }

    /** Forgets an opened text index; says whether there is a file that can be opened. */
    void textFile(boolean usable) {
        if (!isMerged()) {
            text = null;
            hasTextFile = usable;
        }
    }
}

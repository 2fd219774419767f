package dev.xmem.core.store.index;

import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.MergedSegmentReader;
import dev.xmem.core.store.segment.NgramFilter;
import dev.xmem.core.store.segment.SegmentHeader;
import dev.xmem.core.store.segment.SegmentReader;
import dev.xmem.core.store.segment.SegmentText;
import dev.xmem.core.store.terms.ForwardIndex;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the segments of one log, as long as its index is the one in use: one at a time, and none once {@link #retire}
 * has returned. Thread-safe.
 */
final class SegmentSealing {
    /** Reading fewer lines from the log takes less time than writing a segment of them. */
    private static final int LEAST_LINES = 64;

    private final LogFile file;
    private final ReentrantLock sealing = new ReentrantLock();
    private final SegmentMerging merging;
    private volatile SegmentStore store;

    SegmentSealing(LogFile file, SegmentStore store) {
        this.file = file;
        this.store = store;
        this.merging = new SegmentMerging(file, store);
    }

    /** Whether both files of a segment are written, as far as this store writes any. */
    boolean isDone(Segment segment) {
        return !store.writes() || segment.name() != null && segment.hasText();
    }

    /** Writes the facts of a segment. */
    void seal(Segment segment) throws IOException {
        sealing.lock();
        try {
            store.seal(file, segment);
        } finally {
            sealing.unlock();
        }
    }

    /** As {@link #seal}, but a segment that cannot be written stays in memory. */
    void sealIfThereIsRoom(Segment segment) {
        try {
            seal(segment);
        } catch (IOException e) {
            // derived data: a later attempt writes it
        }
    }

    /** Writes carried facts as a segment, and opens it. */
    Segment carried(SegmentReader.Carried facts, int segment, SegmentHeader header) throws IOException {
        return store.carried(facts, segment, file, header);
    }

    /** The header of a segment of the log. */
    SegmentHeader header(int number, long from, long to, int crc, long rollingDigest) throws IOException {
        return store.header(file, number, from, to, crc, rollingDigest);
    }

    /** How many lines a segment has at least that is not full. */
    static int leastLines(int segmentLines) {
        return Math.max(1, Math.min(LEAST_LINES, segmentLines / 4));
    }

    /** Writes the facts of the active segment, for the next opening. Nothing is added meanwhile. */
    void sealActive(SegmentList lines) throws IOException {
        ActiveSegment active = lines.active();
        long end = file.end();
        int least = leastLines(1 << lines.shift());
        if (store.writes() && (end > 0 || !lines.full().isEmpty())) {
            file.save();
        }
        if (active.unsealed() >= least && end >= 0 && store.writes()) {
            seal(new Segment(lines.places(), active, end));
        }
    }

    /** The merging of the same segments. */
    SegmentMerging merging() {
        return merging;
    }

    /** Opens the text index of a segment; null if there is no usable file. */
    @Nullable SegmentText text(Segment segment) throws IOException {
        return store.text(segment);
    }

    /** Writes the text index of a segment and opens it. */
    SegmentText text(Segment segment, ForwardIndex words, NgramFilter.Builder grams) throws IOException {
        sealing.lock();
        try {
            return store.text(file, segment, words, grams);
        } finally {
            sealing.unlock();
        }
    }

    /** Opens the segments of the log and removes files that are of no use. */
    List<Segment> restore() throws IOException {
        List<Segment> sealed = store.restore(file);
        try {
            store.sweep(file, sealed);
        } catch (IOException e) {
            // another process still reads them, or this one may not remove them: they do no harm
        }
        return sealed;
    }

    /** Removes the files of segments that are not among these. */
    void sweep(List<Segment> segments) throws IOException {
        store.sweep(file, segments);
    }

    /**
     * Whether all segments were made of the bytes that the log has: those of a log that was edited in place were not.
     */
    boolean covers(List<Segment> segments, BooleanSupplier stopped) throws IOException {
        for (Segment segment : segments) {
            if (!stopped.getAsBoolean() && !store.covers(file, segment, stopped)) {
                return false;
            }
        }
        return true;
    }

    /** A number made of the names, identities, lengths and times of the files of segments. */
    long digest(List<Segment> segments) throws IOException {
        return store.digest(segments);
    }

    /** Whether the facts of a segment are undamaged. */
    static boolean isWhole(Segment segment) {
        try {
            if (segment.lines() instanceof SegmentReader sealed) {
                sealed.check();
            } else if (segment.lines() instanceof MergedSegmentReader merged) {
                merged.check();
            }
            return true;
        } catch (CorruptSegmentException e) {
            return false;
        }
    }

    /** Whether the text index of a segment, if there is one, is undamaged; else it is not used any more. */
    boolean isTextWhole(Segment segment) throws IOException {
        SegmentText text = segment.text() != null ? segment.text() : store.text(segment);
        boolean whole = text == null || segment.isMerged() || text.check();
        if (!whole) {
            segment.textFile(false);
        }
        return whole;
    }

    /** Another index took over: once this returns, no segment is written any more. */
    void retire() {
        sealing.lock();
        try {
            store = store.unwritten();
        } finally {
            sealing.unlock();
        }
        merging.retire();
    }

    /** As {@link #retire}, and removes all segments of the log: they cannot be relied on. */
    void disown() throws IOException {
        SegmentStore before = store;
        retire();
        before.removeAll(file);
    }
}

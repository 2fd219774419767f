package dev.xmem.core.store.index;

import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.NgramFilter;
import dev.xmem.core.store.segment.SegmentText;
import dev.xmem.core.store.segment.TextIndexWriter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Writes the segments of one log, as long as its index is the one in use. Thread-safe. */
final class SegmentSealing {
    /** Fewer lines are read from the log sooner than a segment of them is written. */
    private static final int LEAST_LINES = 256;

    private final LogFile file;
    private final ReentrantLock sealing = new ReentrantLock();
    private volatile SegmentStore segments;

    SegmentSealing(LogFile file, SegmentStore segments) {
        this.file = file;
        this.segments = segments;
    }

    /** Whether a stretch is as it should be on the disk. */
    boolean isDone(Segment stretch) {
        return !segments.writes() || stretch.name() != null && stretch.hasText();
    }

    /** Writes what is known of the lines of a stretch that is full. */
    void seal(Segment stretch) throws IOException {
        sealing.lock();
        try {
            segments.seal(file, stretch);
        } finally {
            sealing.unlock();
        }
    }

    /** The same; where it cannot be written, it stays in memory. */
    void sealIfThereIsRoom(Segment stretch) {
        try {
            seal(stretch);
        } catch (IOException e) {
            // derived: it will be made again
        }
    }

    /** Writes what is known of the newest lines, for the next opening. Nothing is added meanwhile. */
    void sealGrowing(SegmentList now) throws IOException {
        ActiveSegment growing = now.growing();
        Segment head = growing.head();
        long end = file.end();
        int least = Math.min(LEAST_LINES, (1 << now.shift()) / 4);
        boolean worth = growing.unsealed() >= least || head != null && head.name() == null;
        if (worth && end >= 0 && segments.writes()) {
            seal(new Segment(now.full().size(), growing, end));
        }
    }

    /** The texts of a stretch that a segment tells; null if there is none of use. */
    @Nullable SegmentText text(Segment stretch) throws IOException {
        return segments.text(stretch);
    }

    /** Makes the texts of a stretch, and writes them. */
    SegmentText text(Segment stretch, TextIndexWriter words, NgramFilter.Builder grams) throws IOException {
        sealing.lock();
        try {
            return segments.text(file, stretch, words, grams);
        } finally {
            sealing.unlock();
        }
    }

    /** What segments tell of the log; those that are of no use are removed. */
    List<Segment> restore() throws IOException {
        List<Segment> known = segments.restore(file);
        try {
            segments.sweep(file, known);
        } catch (IOException e) {
            // somebody still reads them, or may not remove them: they are of no use and do no harm
        }
        return known;
    }

    /** Removes segments that are not of these lines. */
    void sweep(SegmentList now) throws IOException {
        segments.sweep(file, now.sealable());
    }

    /** Whether all stretches are of the bytes that the log has; a log that was edited in place has others. */
    boolean covers(SegmentList now, BooleanSupplier stopped) throws IOException {
        for (Segment stretch : now.sealable()) {
            if (!stopped.getAsBoolean() && !segments.covers(file, stretch)) {
                return false;
            }
        }
        return true;
    }

    /** Looks at all segments; where one is damaged, it is of no use from now on. Returns how many are. */
    int check(SegmentList now, BooleanSupplier stopped) throws IOException {
        int damaged = 0;
        for (Segment stretch : now.sealable()) {
            if (stopped.getAsBoolean()) {
                return damaged;
            }
            boolean lines = !(stretch.lines() instanceof RepairingSegment sealed) || sealed.check();
            SegmentText text = stretch.text() != null ? stretch.text() : segments.text(stretch);
            boolean texts = text == null || text.check();
            if (!texts) {
                stretch.withoutTextFile();
            }
            damaged += lines && texts ? 0 : 1;
        }
        return damaged;
    }

    /** Another index took over: when this returns, none is written any more. */
    void retire() {
        sealing.lock();
        try {
            segments = segments.unwritten();
        } finally {
            sealing.unlock();
        }
    }

    /** What the segments tell is not so: they are removed, and none is written any more. */
    void disown() throws IOException {
        SegmentStore before = segments;
        retire();
        before.sweep(file, List.of());
    }
}

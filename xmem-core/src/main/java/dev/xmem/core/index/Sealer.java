package dev.xmem.core.index;

import dev.xmem.core.log.LogFile;
import dev.xmem.core.segment.Grams;
import dev.xmem.core.words.WordsOfLines;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Writes the segments of one log, as long as its index is the one in use. Thread-safe. */
final class Sealer {
    /** Fewer lines are read from the log sooner than a segment of them is written. */
    private static final int LEAST_LINES = 256;

    private final LogFile file;
    private final ReentrantLock sealing = new ReentrantLock();
    private volatile Segments segments;

    Sealer(LogFile file, Segments segments) {
        this.file = file;
        this.segments = segments;
    }

    /** Whether a stretch is as it should be on the disk. */
    boolean isDone(Stretch stretch) {
        return !segments.writes() || stretch.name() != null && stretch.hasText();
    }

    /** Writes what is known of the lines of a stretch that is full. */
    void seal(Stretch stretch) throws IOException {
        sealing.lock();
        try {
            segments.seal(file, stretch);
        } finally {
            sealing.unlock();
        }
    }

    /** The same; where it cannot be written, it stays in memory. */
    void sealIfThereIsRoom(Stretch stretch) {
        try {
            seal(stretch);
        } catch (IOException e) {
            // derived: it will be made again
        }
    }

    /** Writes what is known of the newest lines, for the next opening. Nothing is added meanwhile. */
    void sealGrowing(Stretches now) throws IOException {
        Growing growing = now.growing();
        Stretch head = growing.head();
        long end = file.end();
        int least = Math.min(LEAST_LINES, (1 << now.shift()) / 4);
        boolean worth = growing.unsealed() >= least || head != null && head.name() == null;
        if (worth && end >= 0 && segments.writes()) {
            seal(new Stretch(now.full().size(), growing, end));
        }
    }

    /** The texts of a stretch that a segment tells; null if there is none of use. */
    @Nullable Text text(Stretch stretch) throws IOException {
        return segments.text(stretch);
    }

    /** Makes the texts of a stretch, and writes them. */
    Text text(Stretch stretch, WordsOfLines words, Grams.Builder grams) throws IOException {
        sealing.lock();
        try {
            return segments.text(file, stretch, words, grams);
        } finally {
            sealing.unlock();
        }
    }

    /** What segments tell of the log; those that are of no use are removed. */
    List<Stretch> restore() throws IOException {
        List<Stretch> known = segments.restore(file);
        try {
            segments.sweep(file, known);
        } catch (IOException e) {
            // somebody still reads them, or may not remove them: they are of no use and do no harm
        }
        return known;
    }

    /** Removes segments that are not of these lines. */
    void sweep(Stretches now) throws IOException {
        segments.sweep(file, now.sealable());
    }

    /** Whether all stretches are of the bytes that the log has; a log that was edited in place has others. */
    boolean covers(Stretches now, BooleanSupplier stopped) throws IOException {
        for (Stretch stretch : now.sealable()) {
            if (!stopped.getAsBoolean() && !segments.covers(file, stretch)) {
                return false;
            }
        }
        return true;
    }

    /** Looks at all segments; where one is damaged, it is of no use from now on. Returns how many are. */
    int check(Stretches now, BooleanSupplier stopped) throws IOException {
        int damaged = 0;
        for (Stretch stretch : now.sealable()) {
            if (stopped.getAsBoolean()) {
                return damaged;
            }
            boolean lines = !(stretch.lines() instanceof Mended sealed) || sealed.check();
            Text text = stretch.text() != null ? stretch.text() : segments.text(stretch);
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
        Segments before = segments;
        retire();
        before.sweep(file, List.of());
    }
}

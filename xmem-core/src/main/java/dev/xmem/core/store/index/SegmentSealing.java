package dev.xmem.core.store.index;

import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.MergedSegmentReader;
import dev.xmem.core.store.segment.NgramFilter;
import dev.xmem.core.store.segment.SectionFile;
import dev.xmem.core.store.segment.SectionWriter;
import dev.xmem.core.store.segment.SegmentHeader;
import dev.xmem.core.store.segment.SegmentReader;
import dev.xmem.core.store.segment.SegmentText;
import dev.xmem.core.store.segment.SegmentTextIndex;
import dev.xmem.core.store.terms.ForwardIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the segments of one log, as long as its index is the one in use: one at a time, and none once {@link #retire}
 * has returned. Thread-safe.
 */
final class SegmentSealing {
    /** Reading fewer lines from the log takes less time than writing a segment of them. */
    private static final int LEAST_LINES = 64;

    private static final int CRC_CHARS = 8;

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

    /** What opens the segments that this log has. */
    private SegmentOpener opener() {
        return new SegmentOpener(store, file);
    }

    /**
     * Writes the facts of a segment, which reads them from the file from now on. A store that does not write uses the
     * file that another process wrote of the same lines, if there is one.
     */
    void seal(Segment segment) throws IOException {
        sealing.lock();
        try {
            if (segment.name() == null && file.key() != null) {
                write(segment);
            }
        } finally {
            sealing.unlock();
        }
    }

    private void write(Segment segment) throws IOException {
        SegmentHeader header = opener().header(segment);
        String ofNumber = store.begin(file, segment.number());
        String name = ofNumber + SegmentStore.hex(header.crc());
        if (!store.writes()) {
            opener().adopt(segment, name);
            return;
        }
        file.save();
        try {
            Consumer<SectionWriter> content = out -> {
                header.write(out);
                SegmentReader.write(segment.lines(), out);
                segment.statistics().write(out);
            };
            SectionFile sections = store.write(name + SegmentStore.FACTS, to -> SectionWriter.write(content, to));
            segment.sealed(new SegmentReader(sections), name);
        } catch (NoSuchFileException e) {
            return; // another process has merged the lines and removed the file: they stay in memory
        }
        store.sweep(
                other -> !other.startsWith(ofNumber) || other.startsWith(name) || other.endsWith(SegmentStore.MERGED));
    }

    /** As {@link #seal}, but a segment that cannot be written stays in memory. */
    void sealIfThereIsRoom(Segment segment) {
        try {
            seal(segment);
        } catch (IOException e) {
            // derived data: a later attempt writes it
        }
    }

    /**
     * Writes carried facts of a file that will be renamed to the log, and opens them; they stay in memory where they
     * cannot be written. The files of the segments that the log has until then stay.
     */
    Segment carried(SegmentReader.Carried facts, int segment, SegmentHeader header) throws IOException {
        Consumer<SectionWriter> content = out -> {
            header.write(out);
            facts.write(segment, out);
        };
        String name = store.begin(file, header.number()) + SegmentStore.hex(header.crc());
        try {
            if (store.writes()) {
                SegmentReader lines = new SegmentReader(
                        store.write(name + SegmentStore.FACTS, to -> SectionWriter.write(content, to)));
                boolean hasTextFile = store.exists(name + SegmentStore.TEXT); // of the same bytes
                return new Segment(header, name, lines, facts.statistics(segment), hasTextFile);
            }
        } catch (IOException e) {
            // derived data: it can stay in memory
        }
        SegmentReader lines = new SegmentReader(SectionFile.of(ByteBuffer.wrap(SectionWriter.bytes(content))));
        return new Segment(header, null, lines, facts.statistics(segment), false);
    }

    /** The header of a segment of the log. */
    SegmentHeader header(int number, long from, long to, int crc, long rollingDigest) throws IOException {
        return opener().header(number, from, to, crc, rollingDigest);
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
        return opener().text(segment);
    }

    /** Writes the text index of a segment and opens it; it stays in memory where it cannot be written. */
    SegmentText text(Segment segment, ForwardIndex words, NgramFilter.Builder grams) throws IOException {
        sealing.lock();
        try {
            int lines = segment.lines().count();
            String name = segment.name();
            SectionWriter out = new SectionWriter();
            if (name != null) {
                // the checksum of the facts, in place of reading the log once more: the check finds what changed since
                int crc = HexFormat.fromHexDigits(name, name.length() - CRC_CHARS, name.length());
                header(segment.number(), segment.from(), segment.to(), crc, segment.rollingDigest())
                        .write(out);
            }
            SegmentTextIndex.write(words, out);
            grams.write(out);
            byte[] bytes = out.finish();
            if (store.writes() && name != null) {
                try {
                    return new SegmentText(store.write(name + SegmentStore.TEXT, to -> to.write(bytes)), lines);
                } catch (IOException e) {
                    // derived data: it can stay in memory
                }
            }
            return new SegmentText(SectionFile.of(ByteBuffer.wrap(bytes)), lines);
        } finally {
            sealing.unlock();
        }
    }

    /** Opens the segments of the log and removes files that are of no use. */
    List<Segment> restore() throws IOException {
        List<Segment> sealed = opener().restore();
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
            if (!stopped.getAsBoolean() && !opener().covers(segment, stopped)) {
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
        SegmentText text = segment.text() != null ? segment.text() : text(segment);
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
        before.sweep(name -> !name.startsWith(before.prefix(file)));
    }
}

package dev.xmem.core.store.index;

import static dev.xmem.core.store.index.SegmentStore.FACTS;
import static dev.xmem.core.store.index.SegmentStore.MERGED;
import static dev.xmem.core.store.index.SegmentStore.TEXT;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.MergedSegmentReader;
import dev.xmem.core.store.segment.SectionFile;
import dev.xmem.core.store.segment.SegmentHeader;
import dev.xmem.core.store.segment.SegmentReader;
import dev.xmem.core.store.segment.SegmentStatistics;
import dev.xmem.core.store.segment.SegmentText;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Opens the segments of one log that were made of the bytes that it has. Thread-safe. */
record SegmentOpener(SegmentStore store, LogFile log) {
    /** To be raised with every change of what fields, words or trigrams are found in a line: searches rely on them. */
    private static final int ANALYSIS = 1;

    private static final int COMPARED_BYTES = 4096;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int TRIES = 3;

    /**
     * Opens the segments of a log that were made of the bytes it has, from its beginning up to the first that is
     * missing. The last may have fewer lines.
     */
    List<Segment> restore() throws IOException {
        for (int i = 1; i < TRIES; i++) {
            try {
                return restoreListed();
            } catch (NoSuchFileException e) {
                // another process merged segments after the files were listed
            }
        }
        return restoreListed();
    }

    private List<Segment> restoreListed() throws IOException {
        FileSystem.Stat stat = log.status();
        List<Segment> segments = new ArrayList<>();
        if (stat == null) {
            return segments;
        }
        Set<String> names = new HashSet<>(store.names(store.prefix(log)));
        long end = 0;
        for (int number = 0; ; ) {
            String begin = store.begin(log, number);
            Segment longest = null;
            for (String name : names) {
                if (name.startsWith(begin) && (name.endsWith(FACTS) || name.endsWith(MERGED))) {
                    Segment next = restore(name, number, end, stat, names.contains(base(name) + TEXT));
                    longest = longest == null || next != null && next.to() > longest.to() ? next : longest;
                }
            }
            if (longest == null) {
                return segments;
            }
            segments.add(longest);
            if (longest.lines().count() < store.segmentLines()) {
                return segments;
            }
            end = longest.to();
            number += longest.lines().count() / store.segmentLines();
        }
    }

    private static String base(String file) {
        return file.substring(0, file.lastIndexOf('.'));
    }

    /**
     * Opens a segment; null if it is of other lines, if the file is damaged, which is removed then, or cannot be read.
     *
     * @param file the name of its facts file, or of the only file of a merged one
     */
    @Nullable Segment restore(String file, int number, long from, FileSystem.Stat stat, boolean hasTextFile) throws IOException {
        try {
            SectionFile sections = store.open(file);
            boolean merged = file.endsWith(MERGED);
            LineColumns lines = merged ? new MergedSegmentReader(sections) : new SegmentReader(sections);
            boolean complete = lines instanceof MergedSegmentReader several
                    ? lines.count() == several.parts() * store.segmentLines()
                    : lines.count() <= store.segmentLines();
            SegmentHeader header = SegmentHeader.read(sections);
            if (!complete || !fits(header, number, from, stat)) {
                return null;
            }
            SegmentStatistics statistics = SegmentStatistics.read(sections);
            Segment restored = new Segment(header, base(file), lines, statistics, hasTextFile);
            // The text is opened now: its file may be removed when the segment is merged.
            SegmentText text = merged ? new SegmentText(sections, lines.count()) : text(restored);
            if (text != null) {
                restored.text(text);
            } else if (hasTextFile && !store.exists(base(file) + TEXT)) {
                throw new NoSuchFileException(base(file) + TEXT);
            }
            return restored;
        } catch (CorruptSegmentException | IndexOutOfBoundsException | BufferUnderflowException e) {
            store.discard(file);
            return null;
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            return null; // the log is read instead
        }
    }

    private boolean fits(SegmentHeader header, int number, long from, FileSystem.Stat stat) throws IOException {
        return header.log().equals(store.pathOf(log))
                && header.analysis() == ANALYSIS
                && header.lineBytes() == log.lineBytes()
                && header.number() == number
                && header.from() == from
                && header.to() >= from
                && header.to() <= stat.length()
                && covers(header, stat);
    }

    /** A log that is the same file and ends the same is taken for unchanged; any other one is read. */
    private boolean covers(SegmentHeader header, FileSystem.Stat stat) throws IOException {
        return endCrc(header.from(), header.to()) == header.endCrc()
                && (header.key().equals(stat.key().toString()) || crc(header.from(), header.to()) == header.crc());
    }

    /** Whether a log still has the bytes that a segment was made of, as far as it was read before it was stopped. */
    boolean covers(Segment segment, BooleanSupplier stopped) throws IOException {
        String name = segment.name();
        if (name == null) {
            return true;
        }
        int crc = crc(segment.from(), segment.to(), stopped);
        return stopped.getAsBoolean() || name.endsWith(SegmentStore.hex(crc));
    }

    int endCrc(long from, long to) throws IOException {
        return crc(Math.max(from, to - COMPARED_BYTES), to);
    }

    private int crc(long from, long to) throws IOException {
        return crc(from, to, null);
    }

    private int crc(long from, long to, @Nullable BooleanSupplier stopped) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, to - from)];
        for (long at = from; at < to && (stopped == null || !stopped.getAsBoolean()); ) {
            int length = log.readRaw(at, chunk, (int) Math.min(chunk.length, to - at));
            if (length <= 0) {
                return 0;
            }
            crc.update(chunk, 0, length);
            at += length;
        }
        return (int) crc.getValue();
    }

    /** Opens what another process merged of segments of this log; null if there is no such file. */
    @Nullable Segment adoptMerged(Segment first, long to, long rollingDigest) {
        try {
            FileSystem.Stat stat = log.status();
            if (stat == null) {
                return null;
            }
            for (String name : store.names(store.begin(log, first.number()))) {
                Segment merged =
                        name.endsWith(MERGED) ? restore(name, first.number(), first.from(), stat, false) : null;
                if (merged != null && merged.to() == to && merged.rollingDigest() == rollingDigest) {
                    return merged;
                }
            }
        } catch (IOException e) {
            // derived data: its lines stay in memory
        }
        return null;
    }

    /** Uses the files of a segment that another process wrote, if there are any. */
    void adopt(Segment segment, String name) throws IOException {
        FileSystem.Stat stat = log.status();
        if (stat == null || !store.exists(name + FACTS)) {
            return;
        }
        boolean hasTextFile = store.exists(name + TEXT);
        Segment other;
        try {
            other = restore(name + FACTS, segment.number(), segment.from(), stat, hasTextFile);
        } catch (NoSuchFileException e) {
            return; // another process merged it
        }
        if (other != null
                && other.to() == segment.to()
                && other.rollingDigest() == segment.rollingDigest()
                && other.lines().count() == segment.lines().count()) {
            segment.sealed(other.lines(), name);
            if (other.text() != null) {
                segment.text(other.text());
            }
        }
    }

    /** The header of lines of the log as it is now. */
    SegmentHeader header(Segment segment) throws IOException {
        int crc = crc(segment.from(), segment.to());
        return header(segment.number(), segment.from(), segment.to(), crc, segment.rollingDigest());
    }

    SegmentHeader header(int number, long from, long to, int crc, long rollingDigest) throws IOException {
        String key = String.valueOf(log.key());
        return new SegmentHeader(
                store.pathOf(log),
                ANALYSIS,
                log.lineBytes(),
                number,
                from,
                to,
                crc,
                endCrc(from, to),
                key,
                rollingDigest);
    }

    /** Opens the text index of a segment; null if there is no usable file. */
    @Nullable SegmentText text(Segment segment) throws IOException {
        String name = segment.name();
        if (name == null || !segment.hasText() || segment.isMerged()) {
            return segment.text();
        }
        try {
            SectionFile sections = store.open(name + TEXT);
            SegmentHeader header = SegmentHeader.read(sections);
            if (header.analysis() == ANALYSIS
                    && header.from() == segment.from()
                    && header.to() == segment.to()
                    && name.endsWith(SegmentStore.hex(header.crc()))) {
                return new SegmentText(sections, segment.lines().count());
            }
        } catch (CorruptSegmentException | IndexOutOfBoundsException | BufferUnderflowException e) {
            store.discard(name + TEXT);
        } catch (IOException e) {
            // removed since, or not readable: it is made again
        }
        segment.textFile(false);
        return null;
    }
}

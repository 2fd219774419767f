package dev.xmem.core.store.index;

import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.log.LineSink;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.SegmentStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds the lines of one log to its {@link SegmentList}: first those of the segments that earlier processes sealed, then
 * those that are read or appended. A line with the bytes of an earlier one is counted, not added. One thread at a time
 * writes; any thread reads {@link #lines}: see the package.
 *
 * <p><strong>The life of a segment.</strong> A line is added to the {@link Memtable} of the {@link ActiveSegment}. When
 * that is full, {@link #rollOver} makes it a {@link Segment} in memory and begins the next one. In the background, or
 * here if too many wait, {@link SegmentSealing} writes its facts; the segment then reads its columns from the file, and
 * the memtable is garbage. Its text index is written separately, by the background task or by the first search that
 * needs it, see {@link TextIndexes}. A store that closes seals the lines of the active segment, too, and so does one
 * that reads many for the first time; they are the head of its active segment from then on, or that of the next
 * process, and the file is replaced when the segment is sealed with more lines. A file that is missing, damaged, or of
 * other bytes than the log has is ignored, and the log is read instead.
 */
final class LogIndexer implements LineSink {
    /** How many full segments wait to be sealed; a small heap has no room for any. */
    private static final int MOST_UNSEALED = (int) ResourcePool.share(2, 64 << 20);

    /** The words of fewer lines are indexed in memory, which costs less than a file. */
    private static final int MANY_LINES = 4096;

    private static final byte[] NONE = {};

    private final LogFile file;
    private final LogDescriptor log;
    private final AlternateHash alternateHash;
    private final int segmentLines;
    private final SegmentSealing sealing;
    private final SegmentStatistics statistics = new SegmentStatistics();
    private volatile SegmentList lines;

    LogIndexer(LogFile file, LogDescriptor log, SegmentStore store, SegmentSealing sealing) {
        this.file = file;
        this.log = log;
        this.alternateHash = store.alternateHash();
        this.segmentLines = store.segmentLines();
        this.sealing = sealing;
        this.lines = SegmentList.empty(Integer.numberOfTrailingZeros(segmentLines));
    }

    /** The lines that were added until now. */
    SegmentList lines() {
        return lines;
    }

    /** The statistics of all of them. */
    SegmentStatistics statistics() {
        return statistics;
    }

    /** Adds the lines of segments that were sealed before; the log is read from their end on. */
    void restore() throws IOException {
        restore(sealing.restore());
    }

    /** Adds the lines of segments; only the last may have fewer lines than the others. */
    void restore(List<Segment> sealed) throws IOException {
        if (sealed.isEmpty()) {
            return;
        }
        for (Segment segment : sealed) {
            statistics.add(segment.statistics(), segment.number() * segmentLines);
            if (statistics.times().isBeyond(segment.statistics().times().newest())) {
                statistics.times().seeNewest(segment.lines());
            }
        }
        List<Segment> full = new ArrayList<>(sealed);
        Segment last = sealed.get(sealed.size() - 1);
        ActiveSegment active = new ActiveSegment(last.to());
        if (last.lines().count() < segmentLines) {
            full.remove(last);
            active = new ActiveSegment(last);
        }
        file.seek(last.to());
        lines = SegmentList.of(full, active, lines.shift());
    }

    /**
     * Seals the lines of the active segment if they are many: they become its head, whose words a file has. So a log
     * that is read from its beginning has hardly more in memory than one whose segments were sealed before.
     */
    void sealHead() {
        ActiveSegment active = lines.active();
        long end = file.end();
        if (active.unsealed() < MANY_LINES || end < 0) {
            return;
        }
        Segment head = new Segment(lines.places(), active, end);
        sealing.sealIfThereIsRoom(head);
        if (head.name() != null) {
            lines = SegmentList.of(lines.full(), new ActiveSegment(head), lines.shift());
        }
    }

    /** Uses a merged segment in place of those that it was merged of. Called by the one thread that writes. */
    void merged(Segment segment) {
        lines = lines.merged(segment);
    }

    /** What a line says: its fields, or why they cannot be read, its digest, and the hash of the hasher in use. */
    record ParsedLine(
            @Nullable IndexedFields fields,
            @Nullable String malformed,
            long digest,
            @Nullable String currentHash) {
        static final ParsedLine NOT_READ = new ParsedLine(null, null, 0, null);
    }

    /** Parses a line. Any thread may. */
    ParsedLine parse(byte[] buffer, int start, int length) {
        try {
            IndexedFields read = LineCodec.indexedFields(log.kind(), buffer, start, length);
            IndexedFields fields = log.origin().own() ? read : read.ofPeer();
            String hash = currentHash(fields, buffer, start, length);
            return new ParsedLine(fields, null, DigestTable.of(buffer, start, length), hash);
        } catch (MalformedLineException e) {
            return new ParsedLine(null, String.valueOf(e.getMessage()), 0, null);
        }
    }

    @Override
    public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
        return line(parse(buffer, start, length), offset, buffer, start, length, ended);
    }

    /** Adds a parsed line. */
    boolean line(ParsedLine line, long offset, byte[] buffer, int start, int length, boolean ended) {
        IndexedFields fields = line.fields();
        if (fields != null) {
            add(fields, line.digest(), line.currentHash(), offset, buffer, start, length, false);
        } else if (ended) {
            malformed(offset, length, line.malformed());
        }
        return fields != null;
    }

    /** The hash that the hasher in use gives; null if it is the one in the line. */
    @Nullable String currentHash(IndexedFields fields, byte[] buffer, int start, int length) {
        byte[] line = alternateHash.hasher() == null ? NONE : Arrays.copyOfRange(buffer, start, start + length);
        String hash = alternateHash.of(fields.kind(), line);
        return hash == null || hash.equals(fields.ctxHash()) ? null : hash;
    }

    @Override
    public void malformed(long offset, long length, @Nullable String reason) {
        SegmentStatistics.Malformed line =
                new SegmentStatistics.Malformed(offset, length, reason == null ? "cannot be read" : reason);
        statistics.malformed(line);
        lines.active().statistics().malformed(line);
    }

    /** Adds a line that the hasher in use hashed; returns false if the same line is already there. */
    boolean add(IndexedFields fields, long offset, byte[] buffer, int start, int length, boolean minted) {
        return add(fields, DigestTable.of(buffer, start, length), null, offset, buffer, start, length, minted);
    }

    private boolean add(
            IndexedFields fields,
            long digest,
            @Nullable String currentHash,
            long offset,
            byte[] buffer,
            int start,
            int length,
            boolean minted) {
        int same = minted ? -1 : lines.withDigest(digest, fields.id());
        if (same >= 0 && hasBytes(same, buffer, start, length)) {
            file.repeated(lines.offset(same), offset);
            statistics.repeated();
            lines.active().statistics().repeated();
            return false;
        }
        if (lines.active().count() == segmentLines) {
            rollOver(offset);
        }
        statistics.add(fields, lines.count());
        lines.active().add(fields, offset, length, digest, currentHash);
        return true;
    }

    private boolean hasBytes(int ordinal, byte[] buffer, int start, int length) {
        if (lines.length(ordinal) != length) {
            return false;
        }
        try {
            byte[] line = file.readLine(lines.offset(ordinal), length);
            return Arrays.equals(line, 0, length, buffer, start, start + length);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Begins a segment with the line at an offset. Seals one here if many lines come at once, so that memory stays
     * small.
     */
    private void rollOver(long offset) {
        lines = lines.rolledOver(offset);
        List<Segment> unsealed =
                lines.full().stream().filter(segment -> segment.name() == null).toList();
        if (unsealed.size() > MOST_UNSEALED) {
            Segment oldest = unsealed.get(0);
            sealing.sealIfThereIsRoom(oldest);
            Segment merged = oldest.name() == null ? sealing.merging().adopt(lines, oldest) : null;
            if (merged != null) {
                merged(merged);
            }
        }
    }
}

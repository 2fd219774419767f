package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.log.LineSink;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.SegmentStatistics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes in the lines of one log: those that segments tell of, then those that are read or appended. A line that is already
 * there is counted, not added. Fed by one thread at a time; what came in is read by any: see the package.
 */
final class LogIndexer implements LineSink {
    private static final int MOST_UNSEALED = 2;
    private static final byte[] NONE = {};

    private final LogFile file;
    private final Entry.Kind kind;
    private final LineCodec codec;
    private final AlternateHash rehash;
    private final int stretchLines;
    private final SegmentSealing sealer;
    private final SegmentStatistics totals = new SegmentStatistics();
    private volatile SegmentList lines;

    LogIndexer(LogFile file, Entry.Kind kind, LineCodec codec, SegmentStore segments, SegmentSealing sealer) {
        this.file = file;
        this.kind = kind;
        this.codec = codec;
        this.rehash = segments.rehash();
        this.stretchLines = segments.stretchLines();
        this.sealer = sealer;
        this.lines = SegmentList.none(Integer.numberOfTrailingZeros(stretchLines));
    }

    /** What came in until now. */
    SegmentList lines() {
        return lines;
    }

    /** What it adds up to. */
    SegmentStatistics totals() {
        return totals;
    }

    /** Takes in what segments tell of the log. */
    void restore() throws IOException {
        List<Segment> known = sealer.restore();
        if (known.isEmpty()) {
            return;
        }
        List<Segment> full = new ArrayList<>(known);
        for (Segment stretch : known) {
            stretch.mendedBy(() -> again(stretch));
            totals.add(stretch.totals(), stretch.number() * stretchLines);
            if (totals.times().isBeyond(stretch.totals().times().newest())) {
                totals.times().seeNewest(stretch.lines());
            }
        }
        Segment last = known.get(known.size() - 1);
        ActiveSegment growing = new ActiveSegment(last.to());
        if (last.lines().count() < stretchLines) {
            full.remove(last);
            growing = new ActiveSegment(last);
        }
        file.seek(last.to());
        lines = new SegmentList(Collections.unmodifiableList(full), growing, lines.shift());
    }

    /** Reads the lines of a stretch from the log again. */
    private LineColumns again(Segment stretch) {
        Memtable again = new Memtable();
        LineSink sink = new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                try {
                    IndexedFields facts = codec.facts(kind, buffer, start, length);
                    long digest = DigestTable.of(buffer, start, length);
                    int before = lines.withDigest(digest, facts.id(), stretch.number());
                    int same = again.withDigest(digest);
                    boolean repeated =
                            before >= 0 && sameBytes(lines.of(before), lines.in(before), buffer, start, length)
                                    || same >= 0 && sameBytes(again, same, buffer, start, length);
                    if (!repeated) {
                        String hash = currentHash(facts, buffer, start, length);
                        again.add(facts, offset, length, digest, hash);
                    }
                } catch (MalformedLineException e) {
                    return true;
                }
                return true;
            }

            @Override
            public void malformed(long offset, long length, String reason) {
                // is counted among the totals
            }
        };
        try {
            file.scan(stretch.from(), stretch.to(), sink);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (again.count() != stretch.lines().count()) {
            throw new UncheckedIOException(new LogChangedException(
                    file.path() + " was changed where it was read before; close the store and open it again"));
        }
        return again;
    }

    @Override
    public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
        try {
            IndexedFields facts = codec.facts(kind, buffer, start, length);
            add(facts, currentHash(facts, buffer, start, length), offset, buffer, start, length);
            return true;
        } catch (MalformedLineException e) {
            if (ended) {
                malformed(offset, length, e.getMessage());
            }
            return false;
        }
    }

    /** The hash that the hasher in use gives, where that is another than the line's. */
    private @Nullable String currentHash(IndexedFields facts, byte[] buffer, int start, int length) {
        byte[] line = rehash.hasher() == null ? NONE : Arrays.copyOfRange(buffer, start, start + length);
        String hash = rehash.of(facts.kind(), line);
        return hash == null || hash.equals(facts.ctxHash()) ? null : hash;
    }

    @Override
    public void malformed(long offset, long length, @Nullable String reason) {
        SegmentStatistics.Malformed line =
                new SegmentStatistics.Malformed(offset, length, reason == null ? "cannot be read" : reason);
        totals.malformed(line);
        lines.growing().totals().malformed(line);
    }

    /** Adds a line whose facts are known, and that the hasher in use hashed; false if the same line is already there. */
    boolean add(IndexedFields facts, long offset, byte[] buffer, int start, int length) {
        return add(facts, null, offset, buffer, start, length);
    }

    private boolean add(
            IndexedFields facts, @Nullable String currentHash, long offset, byte[] buffer, int start, int length) {
        long digest = DigestTable.of(buffer, start, length);
        int same = lines.withDigest(digest, facts.id());
        if (same >= 0 && sameBytes(lines.of(same), lines.in(same), buffer, start, length)) {
            totals.repeated();
            lines.growing().totals().repeated();
            return false;
        }
        if (lines.growing().count() == stretchLines) {
            close(offset);
        }
        totals.add(facts, lines.count());
        lines.growing().add(facts, offset, length, digest, currentHash);
        return true;
    }

    private boolean sameBytes(LineColumns in, int line, byte[] buffer, int start, int length) {
        if (in.length(line) != length) {
            return false;
        }
        try {
            byte[] known = file.readLine(in.offset(line), length);
            return Arrays.equals(known, 0, length, buffer, start, start + length);
        } catch (IOException e) {
            return false;
        }
    }

    /** Begins a new stretch with the line at an offset. Where many lines come at once, memory is not filled with old ones. */
    private void close(long offset) {
        SegmentList next = lines.closed(offset);
        Segment closed = next.full().get(next.full().size() - 1);
        closed.mendedBy(() -> again(closed));
        lines = next;
        List<Segment> unsealed =
                lines.full().stream().filter(stretch -> stretch.name() == null).toList();
        if (unsealed.size() > MOST_UNSEALED) {
            sealer.sealIfThereIsRoom(unsealed.get(0));
        }
    }
}

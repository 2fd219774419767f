package dev.xmem.core.index;

import dev.xmem.Entry;
import dev.xmem.core.log.ChangedLogException;
import dev.xmem.core.log.LineSink;
import dev.xmem.core.log.LogFile;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.LineFacts;
import dev.xmem.core.record.MalformedLineException;
import dev.xmem.core.segment.Lines;
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
final class Intake implements LineSink {
    private static final int MOST_UNSEALED = 2;
    private static final byte[] NONE = {};

    private final LogFile file;
    private final Entry.Kind kind;
    private final LineCodec codec;
    private final Rehash rehash;
    private final int stretchLines;
    private final Sealer sealer;
    private final Totals totals = new Totals();
    private volatile Stretches lines;

    Intake(LogFile file, Entry.Kind kind, LineCodec codec, Segments segments, Sealer sealer) {
        this.file = file;
        this.kind = kind;
        this.codec = codec;
        this.rehash = segments.rehash();
        this.stretchLines = segments.stretchLines();
        this.sealer = sealer;
        this.lines = Stretches.none(Integer.numberOfTrailingZeros(stretchLines));
    }

    /** What came in until now. */
    Stretches lines() {
        return lines;
    }

    /** What it adds up to. */
    Totals totals() {
        return totals;
    }

    /** Takes in what segments tell of the log. */
    void restore() throws IOException {
        List<Stretch> known = sealer.restore();
        if (known.isEmpty()) {
            return;
        }
        List<Stretch> full = new ArrayList<>(known);
        for (Stretch stretch : known) {
            stretch.mendedBy(() -> again(stretch));
            totals.add(stretch.totals(), stretch.number() * stretchLines);
            if (totals.times().isBeyond(stretch.totals().times().newest())) {
                totals.times().seeNewest(stretch.lines());
            }
        }
        Stretch last = known.get(known.size() - 1);
        Growing growing = new Growing(last.to());
        if (last.lines().count() < stretchLines) {
            full.remove(last);
            growing = new Growing(last);
        }
        file.resume(last.to());
        lines = new Stretches(Collections.unmodifiableList(full), growing, lines.shift());
    }

    /** Reads the lines of a stretch from the log again. */
    private Lines again(Stretch stretch) {
        Tail again = new Tail();
        LineSink sink = new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                try {
                    LineFacts facts = codec.facts(kind, buffer, start, length);
                    long digest = Digests.of(buffer, start, length);
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
            throw new UncheckedIOException(new ChangedLogException(
                    file.path() + " was changed where it was read before; close the store and open it again"));
        }
        return again;
    }

    @Override
    public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
        try {
            LineFacts facts = codec.facts(kind, buffer, start, length);
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
    private @Nullable String currentHash(LineFacts facts, byte[] buffer, int start, int length) {
        byte[] line = rehash.hasher() == null ? NONE : Arrays.copyOfRange(buffer, start, start + length);
        String hash = rehash.of(facts.kind(), line);
        return hash == null || hash.equals(facts.ctxHash()) ? null : hash;
    }

    @Override
    public void malformed(long offset, long length, @Nullable String reason) {
        LogIndex.Malformed line = new LogIndex.Malformed(offset, length, reason == null ? "cannot be read" : reason);
        totals.malformed(line);
        lines.growing().totals().malformed(line);
    }

    /** Adds a line whose facts are known, and that the hasher in use hashed; false if the same line is already there. */
    boolean add(LineFacts facts, long offset, byte[] buffer, int start, int length) {
        return add(facts, null, offset, buffer, start, length);
    }

    private boolean add(
            LineFacts facts, @Nullable String currentHash, long offset, byte[] buffer, int start, int length) {
        long digest = Digests.of(buffer, start, length);
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

    private boolean sameBytes(Lines in, int line, byte[] buffer, int start, int length) {
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
        Stretches next = lines.closed(offset);
        Stretch closed = next.full().get(next.full().size() - 1);
        closed.mendedBy(() -> again(closed));
        lines = next;
        List<Stretch> unsealed =
                lines.full().stream().filter(stretch -> stretch.name() == null).toList();
        if (unsealed.size() > MOST_UNSEALED) {
            sealer.sealIfThereIsRoom(unsealed.get(0));
        }
    }
}

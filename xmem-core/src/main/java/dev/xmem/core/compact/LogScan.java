package dev.xmem.core.compact;

import dev.xmem.core.index.LogIndex;
import dev.xmem.core.index.LogView;
import dev.xmem.core.log.LineSink;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.MalformedLineException;
import java.io.IOException;
import java.util.List;

/** Finds the lines of a log that are in no index: broken ones, and repetitions. Used once. */
final class LogScan implements LineSink {
    private final LogView view;
    private final LineCodec codec;
    private List<Change> changes = List.of();
    private int next;

    LogScan(LogView view, LineCodec codec) {
        this.view = view;
        this.codec = codec;
    }

    /** Adds what happens to them; returns how far was read. */
    long addTo(List<Change> all) throws IOException {
        changes = all;
        return view.index().file().scan(this);
    }

    /** How many lines of the index were passed. */
    int count() {
        return next;
    }

    @Override
    public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
        LogIndex log = view.index();
        if (next < log.count() && log.offset(next) == offset) {
            next++;
            return true;
        }
        try {
            codec.facts(log.kind(), buffer, start, length);
            if (ended) {
                changes.add(
                        new Change(offset, length, -1, Change.Why.REPEATED, null, "the same line stands before it"));
            }
            return true;
        } catch (MalformedLineException e) {
            if (ended) {
                malformed(offset, length, String.valueOf(e.getMessage()));
            }
            return false;
        }
    }

    @Override
    public void malformed(long offset, long length, String reason) {
        int known = (int) Math.min(Integer.MAX_VALUE, length);
        changes.add(new Change(offset, known, -1, Change.Why.MALFORMED, null, "it " + reason + ": to quarantine"));
    }
}

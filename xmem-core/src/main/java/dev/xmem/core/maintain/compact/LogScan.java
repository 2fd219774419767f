package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.log.LineSink;
import java.io.IOException;
import java.util.List;

/** Finds the lines of a log that are in no index: broken ones, and repetitions. Used once. */
final class LogScan implements LineSink {
    private final LogSnapshot view;
    private final LineCodec codec;
    private List<LineChange> changes = List.of();
    private int next;

    LogScan(LogSnapshot view, LineCodec codec) {
        this.view = view;
        this.codec = codec;
    }

    /** Adds what happens to them; returns how far was read. */
    long addTo(List<LineChange> all) throws IOException {
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
        if (next < log.count() && log.lines().offset(next) == offset) {
            next++;
            return true;
        }
        try {
            codec.facts(log.kind(), buffer, start, length);
            if (ended) {
                changes.add(new LineChange(
                        offset, length, -1, LineChange.Why.REPEATED, null, "the same line stands before it"));
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
        changes.add(
                new LineChange(offset, known, -1, LineChange.Why.MALFORMED, null, "it " + reason + ": to quarantine"));
    }
}

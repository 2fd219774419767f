package dev.xmem.core.search;

import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.core.index.LogView;
import dev.xmem.core.index.Snapshot;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A place in a ranking, and how far into each log that ranking looked. A log that was rewritten since ends it: then the
 * lines that the ranking saw are others.
 *
 * @param offset how many entries of the ranking were shown
 * @param nowMillis the time the ranking was made at
 * @param counts how many lines of each log it saw
 */
public record Cursor(int offset, long nowMillis, List<Integer> counts) {
    private static final byte VERSION = 1;

    /** The place after so many entries. */
    public static String text(Query query, int offset, long nowMillis, Snapshot snapshot) {
        int logs = snapshot.logs().size();
        ByteBuffer out = ByteBuffer.allocate(1 + 4 + 4 + 8 + 8 * logs);
        out.put(VERSION).putInt(fingerprint(query)).putInt(offset).putLong(nowMillis);
        for (LogView log : snapshot.logs()) {
            out.putInt(log.count()).putInt(lines(log, log.count()));
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }

    /**
     * Reads a cursor back.
     *
     * @throws XMemException.Syntax if it is none, belongs to another query, or a log was rewritten since
     */
    public static Cursor parse(String text, Query query, Snapshot snapshot) {
        try {
            ByteBuffer in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (in.get() != VERSION) {
                throw new XMemException.Syntax("the cursor is of another version of xmem; ask from the beginning", 0);
            }
            if (in.getInt() != fingerprint(query)) {
                throw new XMemException.Syntax(
                        "the cursor belongs to another query; repeat that one or leave it out", 0);
            }
            int offset = in.getInt();
            long now = in.getLong();
            List<Integer> counts = new ArrayList<>();
            for (LogView log : snapshot.logs()) {
                counts.add(count(log, in.getInt(), in.getInt()));
            }
            return new Cursor(Math.max(0, offset), now, List.copyOf(counts));
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            throw new XMemException.Syntax("the cursor is not one; use it as the page gave it", 0);
        }
    }

    /** The snapshot as it was. */
    public Snapshot of(Snapshot now) {
        List<LogView> logs = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            logs.add(new LogView(now.logs().get(i).index(), counts.get(i)));
        }
        return new Snapshot(logs);
    }

    private static int count(LogView log, int count, int lines) {
        if (count < 0 || count > log.count() || lines != lines(log, count)) {
            throw new XMemException.Syntax(
                    "the cursor has expired: the store was compacted or rewritten. Ask again", 0);
        }
        return count;
    }

    /** A number made from all lines below a count, in their order. */
    private static int lines(LogView log, int count) {
        long lines = 0;
        for (int ordinal = 0; ordinal < count; ordinal++) {
            lines = 31 * lines + log.index().digest(ordinal);
        }
        return Long.hashCode(lines);
    }

    private static int fingerprint(Query query) {
        return query.limit(Query.MAX_ENTRIES).toString().hashCode();
    }
}

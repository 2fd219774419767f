package dev.xmem.core.answer.search;

import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A place in a ranking, and how far into each log that ranking looked. A log that was rewritten since ends it: then the
 * lines that the ranking saw are others.
 *
 * @param offset how many entries of the ranking were shown
 * @param nowMillis the time the ranking was made at
 * @param counts how many lines of each log it saw
 */
record Cursor(int offset, long nowMillis, List<Integer> counts) {
    private static final byte VERSION = 3;
    private static final int HEADER_BYTES = 1 + 4 + 4 + 8 + 4;
    private static final int LOG_BYTES = 4 + 5;

    /** The place after so many entries. */
    public static String text(Query query, int offset, long nowMillis, StoreSnapshot snapshot) {
        ByteBuffer out =
                ByteBuffer.allocate(HEADER_BYTES + LOG_BYTES * snapshot.logs().size());
        out.put(VERSION).putInt(fingerprint(query)).putInt(offset).putLong(nowMillis);
        out.putInt(lines(snapshot.logs()));
        for (LogSnapshot log : snapshot.logs()) {
            out.putInt(key(log));
            putSmall(out, log.count());
        }
        byte[] bytes = Arrays.copyOf(out.array(), out.position());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Reads a cursor back.
     *
     * @throws XMemException.Syntax if it is none, belongs to another query, or a log was rewritten since
     */
    public static Cursor parse(String text, Query query, StoreSnapshot snapshot) {
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
            int lines = in.getInt();
            Map<Integer, Integer> counts = new HashMap<>();
            while (in.hasRemaining()) {
                counts.put(in.getInt(), small(in));
            }
            return new Cursor(Math.max(0, offset), now, counts(snapshot, counts, lines));
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            throw new XMemException.Syntax("the cursor is not one; use it as the page gave it", 0);
        }
    }

    /** How far into each log the ranking looked: not into those of peers that came since. */
    private static List<Integer> counts(StoreSnapshot snapshot, Map<Integer, Integer> known, int lines) {
        List<Integer> counts = new ArrayList<>();
        List<LogSnapshot> seen = new ArrayList<>();
        for (LogSnapshot log : snapshot.logs()) {
            int count = known.getOrDefault(key(log), 0);
            if (count < 0 || count > log.count()) {
                throw expired();
            }
            counts.add(count);
            if (known.containsKey(key(log))) {
                seen.add(log.upTo(count));
            }
        }
        if (seen.size() < known.size() || lines(seen) != lines) {
            throw expired();
        }
        return List.copyOf(counts);
    }

    private static XMemException expired() {
        return new XMemException.Syntax("the cursor has expired: the store was compacted or rewritten. Ask again", 0);
    }

    /** The snapshot as it was. */
    public StoreSnapshot of(StoreSnapshot now) {
        List<LogSnapshot> logs = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            logs.add(now.logs().get(i).upTo(counts.get(i)));
        }
        return new StoreSnapshot(logs, now.whole());
    }

    /** A number made from all lines of these logs, in their order. */
    private static int lines(List<LogSnapshot> logs) {
        long lines = 0;
        for (LogSnapshot log : logs) {
            lines = 31 * (31 * lines + key(log)) + log.index().rollingDigest(log.count());
        }
        return Long.hashCode(lines);
    }

    /** A number made from what a log is called. */
    private static int key(LogSnapshot log) {
        LogDescriptor part = log.index().part();
        return Objects.hash(
                part.origin().tier().name(),
                part.origin().replica(),
                part.kind().name(),
                String.valueOf(part.file().getFileName()));
    }

    private static void putSmall(ByteBuffer out, int number) {
        int rest = number;
        for (; rest >= 0x80; rest >>>= 7) {
            out.put((byte) (rest | 0x80));
        }
        out.put((byte) rest);
    }

    private static int small(ByteBuffer in) {
        int number = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte next = in.get();
            number |= (next & 0x7F) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number is too long");
    }

    private static int fingerprint(Query query) {
        return query.limit(Query.MAX_ENTRIES).toString().hashCode();
    }
}

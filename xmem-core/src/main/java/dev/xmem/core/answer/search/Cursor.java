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
 * A position in a ranking, with the snapshot of the store that was ranked: the next page continues this ranking while
 * others append. A cursor expires when a log is rewritten, because the ranked lines are then gone.
 *
 * <p>The text is the Base64 of a version byte, a hash of the query, offset and time, a digest of all lines of the
 * snapshot, and for each log a hash of its name and the number of its lines.
 *
 * @param offset the number of entries of the ranking that were shown
 * @param nowMillis the time of the ranking, in epoch milliseconds
 * @param counts the number of lines of each log of the current snapshot that were ranked
 */
record Cursor(int offset, long nowMillis, List<Integer> counts) {
    private static final byte VERSION = 3;
    private static final int HEADER_BYTES = 1 + 4 + 4 + 8 + 4;
    private static final int LOG_BYTES = 4 + 5;

    /** The text of the cursor at an offset. */
    static String text(Query query, int offset, long nowMillis, StoreSnapshot snapshot) {
        ByteBuffer out =
                ByteBuffer.allocate(HEADER_BYTES + LOG_BYTES * snapshot.logs().size());
        out.put(VERSION).putInt(fingerprint(query)).putInt(offset).putLong(nowMillis);
        out.putInt(digest(snapshot.logs()));
        for (LogSnapshot log : snapshot.logs()) {
            out.putInt(key(log));
            putVarint(out, log.count());
        }
        byte[] bytes = Arrays.copyOf(out.array(), out.position());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Parses a cursor.
     *
     * @throws XMemException.Syntax if the text is not a cursor, belongs to another query, or has expired
     */
    static Cursor parse(String text, Query query, StoreSnapshot snapshot) {
        try {
            ByteBuffer in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (in.get() != VERSION) {
                throw new XMemException.Syntax(
                        "the text is not a cursor of this version of xmem; start from the first page", 0);
            }
            if (in.getInt() != fingerprint(query)) {
                throw new XMemException.Syntax(
                        "the cursor belongs to another query; repeat that query or omit the cursor", 0);
            }
            int offset = in.getInt();
            long now = in.getLong();
            int digest = in.getInt();
            Map<Integer, Integer> counts = new HashMap<>();
            while (in.hasRemaining()) {
                counts.put(in.getInt(), varint(in));
            }
            return new Cursor(Math.max(0, offset), now, counts(snapshot, counts, digest));
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            throw new XMemException.Syntax("not a cursor; pass it exactly as the page gave it", 0);
        }
    }

    /** The ranked lines of each log: none of a log that was added later. */
    private static List<Integer> counts(StoreSnapshot snapshot, Map<Integer, Integer> known, int digest) {
        List<Integer> counts = new ArrayList<>();
        List<LogSnapshot> ranked = new ArrayList<>();
        for (LogSnapshot log : snapshot.logs()) {
            int count = known.getOrDefault(key(log), 0);
            if (count < 0 || count > log.count()) {
                throw expired();
            }
            counts.add(count);
            if (known.containsKey(key(log))) {
                ranked.add(log.upTo(count));
            }
        }
        if (ranked.size() < known.size() || digest(ranked) != digest) {
            throw expired();
        }
        return List.copyOf(counts);
    }

    private static XMemException expired() {
        return new XMemException.Syntax("the cursor has expired: the store was compacted or rewritten. Ask again", 0);
    }

    /** The snapshot that was ranked. */
    StoreSnapshot snapshot(StoreSnapshot current) {
        List<LogSnapshot> logs = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            logs.add(current.logs().get(i).upTo(counts.get(i)));
        }
        return new StoreSnapshot(logs, current.whole());
    }

    /** A digest of all lines of these logs, in order. */
    private static int digest(List<LogSnapshot> logs) {
        long digest = 0;
        for (LogSnapshot log : logs) {
            digest = 31 * (31 * digest + key(log)) + log.index().rollingDigest(log.count());
        }
        return Long.hashCode(digest);
    }

    /** A hash of the name of a log. */
    private static int key(LogSnapshot log) {
        LogDescriptor part = log.index().part();
        return Objects.hash(
                part.origin().tier().name(),
                part.origin().replica(),
                part.kind().name(),
                String.valueOf(part.file().getFileName()));
    }

    private static void putVarint(ByteBuffer out, int number) {
        int rest = number;
        for (; rest >= 0x80; rest >>>= 7) {
            out.put((byte) (rest | 0x80));
        }
        out.put((byte) rest);
    }

    private static int varint(ByteBuffer in) {
        int number = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte next = in.get();
            number |= (next & 0x7F) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a varint has more than five bytes");
    }

    private static int fingerprint(Query query) {
        Query same = query.limit() == Query.MAX_ENTRIES ? query : query.limit(Query.MAX_ENTRIES);
        return same.toString().hashCode();
    }
}

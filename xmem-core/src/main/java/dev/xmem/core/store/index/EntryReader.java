package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.log.ReadStats;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads entries by their ordinals, through a cache. Thread-safe. */
public final class EntryReader {
    private static final int PARSED_OVERHEAD = 3;

    private final LineCodec codec;
    private final ByteCache cache;
    private final ReadStats reads;

    public EntryReader(LineCodec codec, ByteCache cache, ReadStats reads) {
        this.codec = codec;
        this.cache = cache;
        this.reads = reads;
    }

    private record Key(Object log, int ordinal) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && key.log == log && key.ordinal == ordinal;
        }

        @Override
        public int hashCode() {
            return 31 * System.identityHashCode(log) + ordinal;
        }
    }

    /** The entry of a line. */
    public Entry entry(LogIndex log, int ordinal) throws IOException {
        Key key = new Key(log.identity(), ordinal);
        Entry cached = (Entry) cache.get(key);
        String id = log.id(ordinal);
        boolean usable = cached != null && cached.id().equals(id);
        reads.entry(usable);
        if (usable) {
            return Objects.requireNonNull(cached);
        }
        byte[] line = log.bytes(ordinal);
        Entry entry = StoredEntries.of(codec, log.lines().kind(ordinal), line, id);
        cache.put(key, entry, PARSED_OVERHEAD * line.length + 256);
        return entry;
    }
}

package dev.xmem.core.base.io;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A cache bounded by weight: blocks of logs, families of entries, pages. The first {@value #PUT_BEFORE} values are in a
 * plain map, because a short-lived program should not load the classes of a cache that evicts. Thread-safe; runs no
 * thread.
 */
public final class ByteCache {
    private static final int PUT_BEFORE = 500;

    private final long bytes;
    private final AtomicInteger puts = new AtomicInteger();
    /** The values before the cache is open. */
    private final Map<Object, Weighed> first = new ConcurrentHashMap<>();

    private long firstBytes;
    private volatile @Nullable Cache<Object, Weighed> cache;

    private record Weighed(Object value, int bytes) {}

    /**
     * A key that is equal to one of the same owner with an equal name.
     *
     * @param owner must not refer to logs, which a cache must not keep alive
     */
    public record Key(Object owner, String name) {
        /** Written by hand: the generated method is linked on first use, which takes 20 ms. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && owner == key.owner && name.equals(key.name);
        }

        @Override
        public int hashCode() {
            return 31 * System.identityHashCode(owner) + name.hashCode();
        }
    }

    /** Creates a cache of at most {@code bytes} bytes. */
    public ByteCache(long bytes) {
        this.bytes = bytes;
    }

    /** The value of a key; null if it is not cached. */
    public @Nullable Object get(Object key) {
        Cache<Object, Weighed> open = cache;
        Weighed hit = open == null ? first.get(key) : open.getIfPresent(key);
        return hit == null ? null : hit.value;
    }

    /** Caches a value in place of the one with this key; evicts it or others if the bound is exceeded. */
    public void put(Object key, Object value, int weight) {
        Weighed weighed = new Weighed(value, weight);
        if (keeps()) {
            Cache<Object, Weighed> known = cache;
            (known == null ? open() : known).put(key, weighed);
            return;
        }
        synchronized (puts) {
            Weighed old = first.get(key);
            long kept = firstBytes + weight - (old == null ? 0 : old.bytes);
            if (cache == null && kept <= bytes) {
                firstBytes = kept;
                first.put(key, weighed);
            } else if (cache == null && old != null) {
                firstBytes -= old.bytes;
                first.remove(key);
            }
        }
    }

    /** Whether the next value will be cached, however large it is. Each call counts as a value. */
    public boolean keeps() {
        return cache != null || puts.incrementAndGet() > PUT_BEFORE;
    }

    private Cache<Object, Weighed> open() {
        synchronized (puts) {
            Cache<Object, Weighed> open = cache;
            if (open == null) {
                open = Caffeine.newBuilder()
                        .maximumWeight(bytes)
                        .<Object, Weighed>weigher((key, value) -> value.bytes)
                        .executor(Runnable::run)
                        .build();
                open.asMap().putAll(first);
                cache = open;
                first.clear();
            }
            return open;
        }
    }
}

package dev.xmem.core.base.io;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A cache bounded by weight: blocks of logs, parsed entries, pages. It keeps nothing before the {@value #PUT_BEFORE}th
 * value, because a short-lived program gains nothing from a cache and should not load its classes. Thread-safe; runs no
 * thread.
 */
public final class ByteCache {
    private static final int PUT_BEFORE = 500;

    private final long bytes;
    private final AtomicInteger puts = new AtomicInteger();
    private volatile @Nullable Cache<Object, Weighed> cache;

    private record Weighed(Object value, int bytes) {}

    /** Creates a cache of at most {@code bytes} bytes. */
    public ByteCache(long bytes) {
        this.bytes = bytes;
    }

    /** The value of a key; null if it is not cached. */
    public @Nullable Object get(Object key) {
        Cache<Object, Weighed> open = cache;
        Weighed hit = open == null ? null : open.getIfPresent(key);
        return hit == null ? null : hit.value;
    }

    /** Caches a value; evicts others if the bound is exceeded. */
    public void put(Object key, Object value, int weight) {
        if (keeps()) {
            Cache<Object, Weighed> known = cache;
            (known == null ? open() : known).put(key, new Weighed(value, weight));
        }
    }

    /** Whether the next value will be cached. Each call counts as a value. */
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
                cache = open;
            }
            return open;
        }
    }
}

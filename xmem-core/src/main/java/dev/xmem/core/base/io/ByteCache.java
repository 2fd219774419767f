package dev.xmem.core.base.io;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What was read before, bounded by weight: older parts of logs, and parsed entries. Nothing is kept until there were
 * {@value #PUT_BEFORE} such things: a program that asks a few times and ends has no use for a cache, and loads none of its
 * classes. Thread-safe; has no thread.
 */
public final class ByteCache {
    private static final int PUT_BEFORE = 500;

    private final long bytes;
    private final AtomicInteger puts = new AtomicInteger();
    private volatile @Nullable Cache<Object, Weighed> cache;

    private record Weighed(Object value, int bytes) {}

    /** A cache of at most so many bytes. */
    public ByteCache(long bytes) {
        this.bytes = bytes;
    }

    /** What was put under a key; null if it is not there any more. */
    public @Nullable Object get(Object key) {
        Cache<Object, Weighed> open = cache;
        Weighed found = open == null ? null : open.getIfPresent(key);
        return found == null ? null : found.value;
    }

    /** Keeps a value for as long as there is room. */
    public void put(Object key, Object value, int weight) {
        if (keeps()) {
            open().put(key, new Weighed(value, weight));
        }
    }

    /** Whether it keeps what comes next. Being asked counts as something to keep. */
    public boolean keeps() {
        return cache != null || puts.incrementAndGet() > PUT_BEFORE;
    }

    private Cache<Object, Weighed> open() {
        Cache<Object, Weighed> known = cache;
        if (known != null) {
            return known;
        }
        synchronized (puts) {
            known = cache;
            if (known == null) {
                known = Caffeine.newBuilder()
                        .maximumWeight(bytes)
                        .<Object, Weighed>weigher((key, value) -> value.bytes)
                        .executor(Runnable::run)
                        .build();
                cache = known;
            }
            return known;
        }
    }
}

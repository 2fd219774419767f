package dev.xmem.core.log;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/** What was read before, bounded by weight: older parts of logs, and parsed entries. Thread-safe; has no thread. */
public final class WeighedCache {
    private final Cache<Object, Weighed> cache;

    private record Weighed(Object value, int bytes) {}

    /** A cache of at most so many bytes. */
    public WeighedCache(long bytes) {
        cache = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .<Object, Weighed>weigher((key, value) -> value.bytes)
                .executor(Runnable::run)
                .build();
    }

    /** What was put under a key; null if it is not there any more. */
    public @Nullable Object get(Object key) {
        Weighed found = cache.getIfPresent(key);
        return found == null ? null : found.value;
    }

    /** Keeps a value for as long as there is room. */
    public void put(Object key, Object value, int bytes) {
        cache.put(key, new Weighed(value, bytes));
    }
}

package dev.xmem.core.agent.guard;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** What a network did once, for an hour: when it does it again, it is no blip. Thread-safe. */
final class TransientFailures {
    private static final int MOST = 256;
    private static final long HOUR_MILLIS = 3_600_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Long> seen = new LinkedHashMap<>();

    /** Whether this family was not seen within the hour before. Remembers it. */
    boolean isFirst(String family, long nowMillis) {
        lock.lock();
        try {
            Long before = seen.remove(family);
            seen.put(family, nowMillis);
            Iterator<Long> eldest = seen.values().iterator();
            while (seen.size() > MOST) {
                eldest.next();
                eldest.remove();
            }
            return before == null || nowMillis - before > HOUR_MILLIS;
        } finally {
            lock.unlock();
        }
    }
}

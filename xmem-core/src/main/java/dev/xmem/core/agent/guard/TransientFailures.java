package dev.xmem.core.agent.guard;

import dev.xmem.core.agent.event.EventFile;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The last transient network failure of each of {@value #MAX_KEYS} keys, each a family and an operation. It
 * repeats if the key occurred within a day, or in another session. Shared with other processes through a file.
 * Thread-safe.
 */
final class TransientFailures {
    private static final int MAX_KEYS = 256;
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
    private static final String FAMILY = "family";
    private static final String SESSION = "session";
    private static final String TIME = "ts";

    private final WriteQueue writeQueue;
    private final SessionFiles files;
    private final EventFile file;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Occurrence> last = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Occurrence> eldest) {
            return size() > MAX_KEYS;
        }
    };

    TransientFailures(WriteQueue writeQueue, SessionFiles files) {
        this.writeQueue = writeQueue;
        this.files = files;
        this.file = files.transientFailures();
    }

    private record Occurrence(long millis, String session) {}

    /**
     * Adds an occurrence of a key.
     *
     * @return the time of the occurrence that this one repeats, in milliseconds since 1970; null if it repeats none
     */
    @Nullable Long add(String key, @Nullable String session, long now) {
        Occurrence occurrence = new Occurrence(now, session == null ? "" : SessionFiles.hash(session));
        Occurrence before;
        lock.lock();
        try {
            file.readNew().forEach(event -> read(event, now));
            before = last.put(key, occurrence);
        } catch (IOException e) {
            Log.debug("the file of transient failures was not read", e);
            before = last.put(key, occurrence);
        } finally {
            lock.unlock();
        }
        Map<String, Object> event = Map.of(FAMILY, key, SESSION, occurrence.session, TIME, Long.toString(now));
        writeQueue.add(() -> files.append(file, event));
        return before == null || now - before.millis > DAY_MILLIS && before.session.equals(occurrence.session)
                ? null
                : before.millis;
    }

    private void read(Map<String, Object> event, long now) {
        if (event.get(FAMILY) instanceof String family && event.get(SESSION) instanceof String session) {
            last.put(family, new Occurrence(SessionEvent.millis(event.get(TIME), now), session));
        }
    }
}

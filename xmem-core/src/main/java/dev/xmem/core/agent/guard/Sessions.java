package dev.xmem.core.agent.guard;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The {@value #MAX_SESSIONS} most recently used sessions, each with at most eleven calls of at most 4,096 characters.
 * Thread-safe: one lock guards all sessions, and the functions that run under it neither block nor compute for long.
 */
final class Sessions {
    static final int MAX_SESSIONS = 256;
    private static final String ANONYMOUS = "";

    private final ReentrantLock lock = new ReentrantLock();
    final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private final WriteQueue writeQueue;

    Sessions(WriteQueue writeQueue) {
        this.writeQueue = writeQueue;
    }

    /**
     * Applies a function to a session, which is created if needed; all calls without a session id share one session.
     */
    <T> T with(@Nullable String id, Function<Session, T> function) {
        lock.lock();
        try {
            String key = id == null ? ANONYMOUS : CallTruncation.key(id);
            Session session = sessions.computeIfAbsent(key, absent -> new Session());
            if (sessions.size() > MAX_SESSIONS) {
                Iterator<Session> eldest = sessions.values().iterator();
                release(eldest.next());
                eldest.remove();
            }
            return function.apply(session);
        } finally {
            lock.unlock();
        }
    }

    /** Applies a function to a session; null if there is no such session. */
    <T> @Nullable T ifPresent(@Nullable String id, Function<Session, @Nullable T> function) {
        lock.lock();
        try {
            Session session = id == null ? null : sessions.get(CallTruncation.key(id));
            return session == null ? null : function.apply(session);
        } finally {
            lock.unlock();
        }
    }

    /** Queues the failures that all sessions hold back. */
    void releaseAll() {
        lock.lock();
        try {
            sessions.values().forEach(this::release);
        } finally {
            lock.unlock();
        }
    }

    private void release(Session session) {
        Session.HeldFailure held = session.takeHeld();
        if (held != null) {
            writeQueue.add(held.write());
        }
    }
}

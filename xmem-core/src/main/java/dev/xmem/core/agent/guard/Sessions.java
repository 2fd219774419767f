package dev.xmem.core.agent.guard;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that were used last, at most {@value #MOST}; of each at most eleven calls of at most 4,096 characters.
 * Thread-safe: whatever is done with a session is done under the one lock, and nothing there waits or computes long.
 */
final class Sessions {
    static final int MOST = 256;
    private static final String ANONYMOUS = "";

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Session> known = new LinkedHashMap<>(16, 0.75f, true);
    private final WriteQueue outbox;

    Sessions(WriteQueue outbox) {
        this.outbox = outbox;
    }

    /** Does something with a session, which is made if need be; calls without a session share one. */
    <T> T with(@Nullable String id, Function<Session, T> work) {
        lock.lock();
        try {
            Session session = known.computeIfAbsent(id == null ? ANONYMOUS : KeyDigest.of(id), key -> new Session());
            if (known.size() > MOST) {
                Iterator<Session> eldest = known.values().iterator();
                release(eldest.next());
                eldest.remove();
            }
            return work.apply(session);
        } finally {
            lock.unlock();
        }
    }

    /** Does something with a session if there is one by this name. */
    <T> @Nullable T ifKnown(@Nullable String id, Function<Session, @Nullable T> work) {
        if (id == null) {
            return null;
        }
        lock.lock();
        try {
            Session session = known.get(KeyDigest.of(id));
            return session == null ? null : work.apply(session);
        } finally {
            lock.unlock();
        }
    }

    /** Writes what sessions hold back. */
    void releaseAll() {
        lock.lock();
        try {
            List<Session> all = new ArrayList<>(known.values());
            all.forEach(this::release);
        } finally {
            lock.unlock();
        }
    }

    /** Writes what a session holds back: it was no typo. */
    void release(Session session) {
        Session.Held held = session.takeHeld();
        if (held != null) {
            outbox.add(held.record());
        }
    }

    int size() {
        lock.lock();
        try {
            return known.size();
        } finally {
            lock.unlock();
        }
    }
}

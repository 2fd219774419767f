package dev.xmem.core.agent.guard;

import dev.xmem.core.agent.event.EventFile;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@value #MAX_SESSIONS} most recently used sessions, each with at most eleven calls of at most 4,096 characters.
 * With files, the guards of other processes see the same sessions. Thread-safe: one lock guards all sessions, and the
 * functions that run under it neither block nor compute for long.
 */
final class Sessions {
    static final int MAX_SESSIONS = 256;
    private static final String ANONYMOUS = "";

    private final ReentrantLock lock = new ReentrantLock();
    /** Held while a file is read, so that its events are applied in order. */
    private final ReentrantLock reading = new ReentrantLock();

    final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private final WriteQueue writeQueue;
    private final SessionReplay replay;
    private final @Nullable SessionFiles files;
    private final LongSupplier now;

    /**
     * @param files the files to share the sessions through; null to keep them private
     * @param now the time in milliseconds since 1970
     */
    Sessions(WriteQueue writeQueue, SessionReplay replay, @Nullable SessionFiles files, LongSupplier now) {
        this.writeQueue = writeQueue;
        this.replay = replay;
        this.files = files;
        this.now = now;
    }

    /** Whether other processes see the calls of this session. */
    boolean isShared(@Nullable String id) {
        return files != null && id != null && !id.isBlank();
    }

    /**
     * Applies a function to a session, which is created if needed; all calls without a session id share one session.
     */
    <T> T with(@Nullable String id, Function<Session, T> function) {
        lock.lock();
        try {
            Session session = sessions.computeIfAbsent(key(id), absent -> create(id));
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

    private static String key(@Nullable String id) {
        return id == null ? ANONYMOUS : CallTruncation.key(id);
    }

    private Session create(@Nullable String id) {
        return new Session(files == null || id == null || !isShared(id) ? null : files.of(id));
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

    /**
     * Reads the events that other processes added to a shared session. If that fails, the session keeps what is known.
     */
    void refresh(@Nullable String id) {
        if (!isShared(id)) {
            return;
        }
        reading.lock();
        try {
            EventFile file = with(id, session -> session).file;
            if (file != null && file.isReplaced()) {
                file = with(id, session -> sessions.merge(key(id), create(id), (old, fresh) -> fresh)).file;
            }
            List<Map<String, Object>> events = file == null ? List.of() : file.readNew();
            with(id, session -> {
                events.forEach(event -> replay.apply(session, event));
                return true;
            });
        } catch (IOException | RuntimeException e) {
            Log.debug("the file of a session was not read: " + e.getClass().getName(), null);
        } finally {
            reading.unlock();
        }
    }

    /** Adds an event to the file of a shared session, after the writes that wait. */
    void share(@Nullable String id, Session session, SessionEvent event) {
        EventFile file = session.file;
        if (files != null && file != null && isShared(id)) {
            writeQueue.add(() -> files.append(file, event.fields()));
        }
    }

    /**
     * Records a new failure of a session, and then shares its event. In a shared session it is recorded once, whichever
     * process reports it. While another process is about to record it, the write is retried.
     *
     * @param since the time since which another record counts, in milliseconds since 1970
     * @param write records the failure
     * @param writes receives the write
     */
    void record(Session session, SessionEvent event, long since, IoAction write, Consumer<IoAction> writes) {
        EventFile file = session.file;
        SessionFiles shared = files;
        if (file == null || shared == null) {
            writes.accept(write);
            return;
        }
        // The queue repeats the write while the store is locked: the claim is renewed before it ends.
        AtomicLong renewal = new AtomicLong(Long.MIN_VALUE);
        AtomicBoolean written = new AtomicBoolean();
        writes.accept(() -> {
            long millis = now.getAsLong();
            SessionEvent other = null;
            if (!written.get() && millis >= renewal.get()) {
                other = shared.claim(file, event.at(millis), since);
                renewal.set(other == null ? millis + SessionEvent.CLAIM_MILLIS / 2 : Long.MIN_VALUE);
            }
            if (other != null && other.kind() == SessionEvent.Kind.CLAIM) {
                throw shared.busy(); // its process may end before it records the failure
            }
            if (other == null && !written.get()) {
                write.run();
                written.set(true);
            }
            shared.append(file, (other == null ? event : event.recordedBy(other)).fields());
        });
    }

    /** Queues the failures that all private sessions hold back; the next process decides about a shared one. */
    void releaseAll() {
        lock.lock();
        try {
            sessions.values().forEach(this::release);
        } finally {
            lock.unlock();
        }
    }

    private void release(Session session) {
        Session.HeldFailure held = session.file == null ? session.takeHeld() : null;
        if (held != null) {
            writeQueue.add(held.write());
        }
    }
}

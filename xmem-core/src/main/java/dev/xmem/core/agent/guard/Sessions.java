package dev.xmem.core.agent.guard;

import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
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
    private final GuardStore store;
    private final @Nullable SessionFiles files;

    /** @param files the files to share the sessions through; null to keep them private */
    Sessions(WriteQueue writeQueue, GuardStore store, @Nullable SessionFiles files) {
        this.writeQueue = writeQueue;
        this.store = store;
        this.files = files;
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

    /** Whether another process counted this call. */
    boolean isCounted(ToolCall call) {
        return Boolean.TRUE.equals(ifPresent(call.session(), session -> session.isCounted(call)));
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
                events.forEach(event -> apply(session, event));
                return true;
            });
        } catch (IOException | RuntimeException e) {
            Log.debug("the file of a session was not read: " + e.getClass().getName(), null);
        } finally {
            reading.unlock();
        }
    }

    /**
     * Counts what the user said as a call that is not known, since the user may have changed anything: no call of the
     * session is unchanged since then.
     */
    void userSaid(String id) {
        refresh(id);
        ifPresent(id, session -> {
            if (!session.isOpen()) {
                return null;
            }
            SessionCall said = new SessionCall(session.nextNumber(), "user", "", "", null);
            share(
                    id,
                    session,
                    new SessionEvent(
                            SessionEvent.Kind.USER, said, null, store.now().toEpochMilli()));
            return session;
        });
    }

    /** Applies an event that another process wrote; does nothing if the fields are none. */
    private void apply(Session session, Map<String, Object> fields) {
        long now = store.now().toEpochMilli();
        SessionEvent event = SessionEvent.of(fields, session.lastNumber() + 1, now);
        if (event == null || event.kind() == SessionEvent.Kind.CLAIM) {
            return;
        }
        SessionCall call = event.call();
        SessionCall.FailureInfo failure = call.failure();
        if (event.kind() == SessionEvent.Kind.WARNING && failure != null) {
            session.warned(new Session.Warned(call.with(0, null), failure.family(), failure.suggested()));
            return;
        }
        if (event.kind() == SessionEvent.Kind.HINTED) {
            session.hinted = true;
            return;
        }
        if (event.kind() == SessionEvent.Kind.USER) {
            session.nextNumber();
            return;
        }
        session.reported |= event.kind() != SessionEvent.Kind.ASKED;
        if (session.wasCounted(event.callKey())) {
            return; // two processes answered one event at the same time
        }
        session.nextNumber();
        session.takeHeld(); // the process that wrote the event has decided about it
        if (event.kind() == SessionEvent.Kind.STEP) {
            session.step(call);
            return;
        }
        if (failure == null) {
            session.answered(session.failuresLike(call));
            session.takeWarningsLike(call);
        } else if (event.error() != null) {
            failed(session, event, failure, event.error());
        }
        session.add(call);
    }

    private void failed(Session session, SessionEvent event, SessionCall.FailureInfo failure, ToolError error) {
        SessionCall call = event.call();
        session.failedLast(call, error);
        AtomicReference<@Nullable String> written = failure.written();
        if (event.kind() == SessionEvent.Kind.RECORDED && written != null) {
            String key = SessionCall.recordKey(failure.family(), failure.subject(), call.operation());
            session.record(key, event.millis(), written);
        } else if (event.kind() == SessionEvent.Kind.HELD) {
            ToolCall held = ToolCall.json(call.tool(), call.action());
            session.held = new Session.HeldFailure(call.tool(), () -> store.record(Failure.of(held, error)));
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
            long millis = store.now().toEpochMilli();
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

package dev.xmem.core.agent.guard;

import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Applies the events that other processes wrote to a session. Immutable and thread-safe. */
final class SessionReplay {
    private final GuardStore store;

    SessionReplay(GuardStore store) {
        this.store = store;
    }

    /** Applies an event; does nothing if the fields are none. */
    void apply(Session session, Map<String, Object> fields) {
        long now = store.now().toEpochMilli();
        SessionEvent event = SessionEvent.of(fields, session.lastNumber() + 1, now);
        if (event == null || event.kind() == SessionEvent.Kind.CLAIM) {
            return;
        }
        SessionCall call = event.call();
        SessionCall.FailureInfo failure = call.failure();
        if (event.kind() == SessionEvent.Kind.WARNING && failure != null) {
            SessionCall warned = new SessionCall(0, call.tool(), call.action(), call.operation(), null);
            session.warned(new Session.Warned(warned, failure.family(), failure.suggested()));
            return;
        }
        if (event.kind() == SessionEvent.Kind.HINTED) {
            session.hinted = true;
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
}

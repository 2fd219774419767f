package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Handles a failed call: recalls it within the time limit, and queues it for recording if it is new. Thread-safe. */
final class FailureHandler {
    private static final long HOUR_MILLIS = 3_600_000;
    private static final int MAX_TRANSIENT = 256;

    private final GuardStore store;
    private final BoundedWait recallLimit;
    private final WriteQueue writeQueue;
    private final Sessions sessions;
    private final LineCodec codec;
    /** The time of the last transient network failure of each family. */
    private final Map<String, Long> transientFailures =
            Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                    return size() > MAX_TRANSIENT;
                }
            });

    FailureHandler(
            GuardStore store, BoundedWait recallLimit, WriteQueue writeQueue, Sessions sessions, LineCodec codec) {
        this.store = store;
        this.recallLimit = recallLimit;
        this.writeQueue = writeQueue;
        this.sessions = sessions;
        this.codec = codec;
    }

    /** The redacted call and the result of its recall. */
    private record RecalledCall(String action, String operation, ContextHash hash, Advice advice) {}

    /** The advice for a failure that is bounded and free of the store's own advice. */
    Advice advise(ToolCall call, ToolError error) {
        String trivial = TrivialFailures.reason(call, error);
        if (trivial != null) {
            return GuardAdvice.silent(Advice.Status.TRIVIAL, trivial);
        }
        RecalledCall recalled = recallLimit.call(() -> recall(call, error));
        store.countRecall(recalled == null ? null : recalled.advice());
        if (recalled == null) {
            return unanswered(call, error);
        }
        Advice advice = recalled.advice();
        if (TrivialFailures.isTransient(error.text())
                && advice.matches().stream().noneMatch(match -> match.matchType() == Match.MatchType.EXACT)
                && isFirst(recalled.hash().value())) {
            return GuardAdvice.silent(
                    Advice.Status.TRIVIAL, "a transient network failure; it is recorded if it happens again");
        }
        return GuardAdvice.of(advice, keep(call, error, recalled));
    }

    /** Whether a transient failure did not happen within the hour before. Registers it. */
    private boolean isFirst(String family) {
        long now = store.now().toEpochMilli();
        Long before = transientFailures.put(family, now);
        return before == null || now - before > HOUR_MILLIS;
    }

    /** Recalls a failure once while no agent waits, so that all classes are loaded when one does. */
    Advice warmUp(ToolCall call, ToolError error) {
        TrivialFailures.reason(call, error);
        TrivialFailures.isTransient(error.text());
        try {
            return recall(call, error).advice();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Recalls the last failure of a session again; records nothing. */
    Advice recallAgain(Session.LastFailure last) {
        GuardStore.Recalled recalled = recallLimit.call(() -> store.recall(last.tool(), last.action(), last.error()));
        store.countRecall(recalled == null ? null : recalled.advice());
        return recalled == null
                ? GuardAdvice.silent(Advice.Status.UNAVAILABLE, Guard.TOO_LATE)
                : GuardAdvice.of(recalled.advice(), null);
    }

    private RecalledCall recall(ToolCall call, ToolError error) throws IOException {
        String action = store.redact(call.tool(), call.action());
        GuardStore.Recalled recalled = store.recall(call.tool(), call.action(), error);
        return new RecalledCall(action, store.operation(call.tool(), action), recalled.hash(), recalled.advice());
    }

    /** Records a failure whose recall took too long. Without a context hash, equal text means the same failure. */
    private Advice unanswered(ToolCall call, ToolError error) {
        String text = CallTruncation.key(call.tool() + ' ' + call.action() + '\n' + error.text());
        AtomicReference<@Nullable String> fresh = new AtomicReference<>();
        boolean isNew = sessions.with(call.session(), session -> recorded(session, text, fresh) == fresh);
        if (isNew) {
            writeQueue.add(() -> write(call, error, fresh));
        }
        return GuardAdvice.silent(Advice.Status.UNAVAILABLE, Guard.TOO_LATE, isNew ? fresh : null);
    }

    /** The session's record of a family within the last hour, or the fresh one; null if nothing can be recorded. */
    private @Nullable AtomicReference<@Nullable String> recorded(
            Session session, String family, AtomicReference<@Nullable String> fresh) {
        long now = store.now().toEpochMilli();
        AtomicReference<@Nullable String> before = session.recorded(family, now - HOUR_MILLIS);
        if (before != null || !store.isWritable()) {
            return before;
        }
        session.record(family, now, fresh);
        return fresh;
    }

    /** Adds the call to its session, and records it if it is new. Returns the holder of the new entry's id. */
    private @Nullable AtomicReference<@Nullable String> keep(ToolCall call, ToolError error, RecalledCall recalled) {
        ContextHash hash = recalled.hash();
        boolean unknownCommand = TypoDetector.isUnknownCommand(call, error);
        OutputLines output = OutputLines.of(call.tool(), call.action(), error.text());
        return sessions.with(call.session(), session -> {
            resolveHeld(session, call, false);
            AtomicReference<@Nullable String> fresh = new AtomicReference<>();
            AtomicReference<@Nullable String> written = recorded(session, hash.value() + '\n' + hash.subject(), fresh);
            String id = call.session();
            if (written == fresh && unknownCommand && id != null) {
                session.held = new Session.HeldFailure(call.tool(), () -> write(call, error, fresh));
            } else if (written == fresh) {
                writeQueue.add(() -> write(call, error, fresh));
            }
            if (id != null) {
                SessionCall.FailureInfo failure = new SessionCall.FailureInfo(
                        hash.value(),
                        hash.pattern(),
                        hash.subject(),
                        written,
                        newestExact(recalled.advice()),
                        Suggestion.of(recalled.advice()),
                        output);
                SessionCall failed = new SessionCall(
                        session.nextNumber(), call.tool(), recalled.action(), recalled.operation(), failure);
                voteAgainstFollowed(session, failed, failure, id);
                session.add(failed);
                session.lastFailure = new Session.LastFailure(call.tool(), recalled.action(), error);
            }
            return written == fresh ? fresh : null;
        });
    }

    /** Discards the failure that the session holds back if this call corrects its typo, else queues it for writing. */
    void resolveHeld(Session session, ToolCall next, boolean succeeded) {
        Session.HeldFailure held = session.takeHeld();
        if (held != null && !(succeeded && TypoDetector.isNear(held.tool(), next.tool()))) {
            writeQueue.add(held.write());
        }
    }

    /** The id of the newest entry of the same failure. */
    private static @Nullable String newestExact(Advice advice) {
        return advice.matches().stream()
                .filter(match -> match.matchType() == Match.MatchType.EXACT && match.entry() instanceof Failure)
                .map(match -> match.entry().id())
                .findFirst()
                .orElse(null);
    }

    /** Votes against advice that the agent followed before the same failure happened again. */
    private void voteAgainstFollowed(Session session, SessionCall call, SessionCall.FailureInfo now, String id) {
        for (SessionCall before : session.failuresLike(call)) {
            SessionCall.FailureInfo then = before.failure();
            if (then != null
                    && then.family().equals(now.family())
                    && !then.suggested().isEmpty()) {
                CallDiff difference = CallDiff.between(before, call, codec);
                then.suggested().stream()
                        .filter(suggestion -> suggestion.isFollowedBy(difference, session.between(before, call)))
                        .forEach(followed -> writeQueue.add(() -> store.vote(followed.id(), Outcome.FAILED, id)));
            }
        }
    }

    private void write(ToolCall call, ToolError error, AtomicReference<@Nullable String> written) throws IOException {
        written.set(store.record(Failure.of(call, error)).id());
    }
}

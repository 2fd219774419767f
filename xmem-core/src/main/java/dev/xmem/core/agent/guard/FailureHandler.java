package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
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

    /**
     * A failure that was reported.
     *
     * @param number its number in its session, if the recall came too late; else 0
     * @param written holds the id of the entry as soon as it is written
     */
    private record Report(ToolCall call, ToolError error, long number, AtomicReference<@Nullable String> written) {}

    /** The advice for a failure that is bounded and free of the store's own advice. */
    Advice advise(ToolCall call, ToolError error) {
        String trivial = TrivialFailures.reason(call, error);
        if (trivial != null) {
            return GuardAdvice.silent(Advice.Status.TRIVIAL, trivial);
        }
        RecalledCall recalled = recallLimit.call(() -> recall(call, error));
        store.countRecall(recalled == null ? null : recalled.advice());
        return recalled == null
                ? unanswered(call, error)
                : keep(new Report(call, error, 0, new AtomicReference<>()), recalled, writeQueue::add);
    }

    /** Adds a recalled failure to its session, and records it unless it is a network failure that came once. */
    private Advice keep(Report report, RecalledCall recalled, Consumer<IoAction> writes) {
        Advice advice = recalled.advice();
        if (TrivialFailures.isTransient(report.error.text())
                && advice.matches().stream().noneMatch(match -> match.matchType() == Match.MatchType.EXACT)
                && isFirst(recalled.hash().value())) {
            return GuardAdvice.silent(
                    Advice.Status.TRIVIAL, "a transient network failure; it is recorded if it happens again");
        }
        return GuardAdvice.of(advice, add(report, recalled, writes));
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

    /** Keeps a failure whose recall came too late: the write queue recalls it, before it handles any later call. */
    private Advice unanswered(ToolCall call, ToolError error) {
        long number = sessions.with(call.session(), session -> {
            resolveHeld(session, call, false);
            session.lastFailure = new Session.LastFailure(call.tool(), call.action(), error);
            return session.reserve();
        });
        Report report = new Report(call, error, number, new AtomicReference<>());
        Queue<IoAction> writes = new ArrayDeque<>();
        AtomicBoolean kept = new AtomicBoolean(); // the queue repeats a write while the store is locked
        writeQueue.add(() -> {
            if (!kept.getAndSet(true)) {
                keepLate(report, writes);
            }
            while (!writes.isEmpty()) {
                writes.element().run();
                writes.remove();
            }
        });
        return GuardAdvice.silent(Advice.Status.UNAVAILABLE, Guard.TOO_LATE, report.written);
    }

    /** Records without a session what cannot be recalled; then equal text means the same failure. */
    private void keepLate(Report report, Queue<IoAction> writes) {
        ToolCall call = report.call;
        try {
            keep(report, recall(call, report.error), writes::add);
        } catch (IOException | RuntimeException e) {
            String text = CallTruncation.key(call.tool() + ' ' + call.action() + '\n' + report.error.text());
            boolean isNew =
                    sessions.with(call.session(), session -> recorded(session, text, report.written) == report.written);
            if (isNew) {
                writes.add(() -> write(report));
            }
        }
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
    private @Nullable AtomicReference<@Nullable String> add(
            Report report, RecalledCall recalled, Consumer<IoAction> writes) {
        ToolCall call = report.call;
        ContextHash hash = recalled.hash();
        boolean unknownCommand = TypoDetector.isUnknownCommand(call, report.error);
        OutputLines output = OutputLines.of(call.tool(), call.action(), report.error.text());
        boolean late = report.number > 0;
        return sessions.with(call.session(), session -> {
            if (!late) {
                resolveHeld(session, call, false);
            }
            AtomicReference<@Nullable String> fresh = report.written;
            AtomicReference<@Nullable String> written = recorded(session, hash.value() + '\n' + hash.subject(), fresh);
            String id = call.session();
            if (written == fresh && unknownCommand && id != null && !late) {
                session.held = new Session.HeldFailure(call.tool(), () -> write(report));
            } else if (written == fresh) {
                writes.accept(() -> write(report));
            }
            if (id != null) {
                SessionCall.FailureInfo failure = new SessionCall.FailureInfo(
                        hash.value(),
                        hash.pattern(),
                        hash.subject(),
                        written,
                        newestExact(recalled.advice()),
                        late ? List.of() : Suggestion.of(recalled.advice()),
                        output);
                SessionCall failed = new SessionCall(
                        late ? report.number : session.nextNumber(),
                        call.tool(),
                        recalled.action(),
                        recalled.operation(),
                        failure);
                voteAgainstFollowed(session, failed, failure, id);
                session.add(failed);
                if (!late) {
                    session.lastFailure = new Session.LastFailure(call.tool(), recalled.action(), report.error);
                }
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

    private void write(Report report) throws IOException {
        report.written.set(store.record(Failure.of(report.call, report.error)).id());
    }
}

package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What becomes of a call that failed: recalled under the limit, and recorded soon if it is new. Thread-safe. */
final class FailureHandler {
    private static final long HOUR_MILLIS = 3_600_000;

    private final GuardStore memory;
    private final BoundedWait patience;
    private final WriteQueue outbox;
    private final Sessions sessions;
    private final LineCodec codec;
    private final TransientFailures blips = new TransientFailures();

    FailureHandler(GuardStore memory, BoundedWait patience, WriteQueue outbox, Sessions sessions, LineCodec codec) {
        this.memory = memory;
        this.patience = patience;
        this.outbox = outbox;
        this.sessions = sessions;
        this.codec = codec;
    }

    /** What the memory knows, and the call as it may be kept. */
    private record Known(String action, String operation, GuardStore.Recalled recalled) {}

    /** The answer to a failure that is bounded and free of the memory's own words. */
    Advice answer(ToolCall call, ToolError error) {
        String trivial = TrivialFailures.reason(call, error);
        if (trivial == null) {
            trivial = TypoDetector.reason(call, error, Set.of());
        }
        if (trivial != null) {
            return GuardAdvice.silent(Advice.Status.TRIVIAL, trivial);
        }
        Known known = patience.answer(() -> known(call, error));
        memory.counted(known == null ? null : known.recalled.advice());
        if (known == null) {
            return unanswered(call, error);
        }
        Advice advice = known.recalled.advice();
        if (TrivialFailures.isBlip(error.text())
                && !isKnown(advice)
                && blips.isFirst(known.recalled.hash().value(), memory.now().toEpochMilli())) {
            return GuardAdvice.silent(
                    Advice.Status.TRIVIAL, "a network does that now and then; it counts when it comes again");
        }
        PendingRecord recording = keep(call, error, known, advice);
        return GuardAdvice.of(advice, WarningThreshold.level(advice), recording);
    }

    /** Asks once without an agent that waits, so that all classes are there when one does. */
    Advice rehearsed(ToolCall call, ToolError error) {
        TrivialFailures.reason(call, error);
        TypoDetector.reason(call, error, Set.of());
        TrivialFailures.isBlip(error.text());
        try {
            return known(call, error).recalled.advice();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is known of it, without recording anything. */
    Advice again(Session.LastFailure last) {
        GuardStore.Recalled recalled = patience.answer(() -> memory.recall(last.tool(), last.action(), last.error()));
        memory.counted(recalled == null ? null : recalled.advice());
        return recalled == null
                ? GuardAdvice.silent(Advice.Status.UNAVAILABLE, Guard.TOO_LATE)
                : GuardAdvice.of(recalled.advice(), WarningThreshold.level(recalled.advice()), null);
    }

    private Known known(ToolCall call, ToolError error) throws IOException {
        String action = memory.clean(call.tool(), call.action());
        return new Known(
                action, memory.operation(call.tool(), action), memory.recall(call.tool(), call.action(), error));
    }

    private static boolean isKnown(Advice advice) {
        return advice.matches().stream().anyMatch(match -> match.matchType() == Match.MatchType.EXACT);
    }

    /** It is recorded all the same: whether it is new cannot be told by its family, so by its words. */
    private Advice unanswered(ToolCall call, ToolError error) {
        String words = KeyDigest.of(call.tool() + ' ' + call.action() + '\n' + error.text());
        PendingRecord recording = new PendingRecord();
        boolean fresh = sessions.with(call.session(), session -> recording(session, words, recording)) == recording;
        if (fresh) {
            record(call, error, recording);
        }
        return new GuardAdvice(
                Advice.Status.UNAVAILABLE,
                List.of(),
                Failure.BlockLevel.WARNING,
                "",
                0,
                Guard.TOO_LATE,
                fresh ? recording : null);
    }

    /** The recording of a family in a session: the one that there is, else the fresh one; null if nothing is recorded. */
    private @Nullable PendingRecord recording(Session session, String family, PendingRecord fresh) {
        long now = memory.now().toEpochMilli();
        PendingRecord before = session.recording(family, now - HOUR_MILLIS);
        if (before != null || !memory.isWritable()) {
            return before;
        }
        session.recorded(family, now, fresh);
        return fresh;
    }

    /** Makes it a step of its session, and a line if it is new. */
    private @Nullable PendingRecord keep(ToolCall call, ToolError error, Known known, Advice advice) {
        ContextHash hash = known.recalled.hash();
        boolean unknownCommand = TypoDetector.isUnknownCommand(call, error);
        return sessions.with(call.session(), session -> {
            settle(session, call, false);
            PendingRecord fresh = new PendingRecord();
            PendingRecord recording = recording(session, hash.value() + '\n' + hash.subject(), fresh);
            if (recording == fresh && unknownCommand && call.session() != null) {
                session.hold(new Session.Held(call.tool(), () -> write(call, error, fresh)));
            } else if (recording == fresh) {
                record(call, error, fresh);
            }
            if (call.session() != null) {
                SessionCall.Setback setback = new SessionCall.Setback(
                        hash.value(), hash.pattern(), hash.subject(), recording, newest(advice), Suggestion.of(advice));
                SessionCall step = new SessionCall(session.next(), call.tool(), known.action, known.operation, setback);
                blame(session, step, call.session());
                session.add(step);
                session.lastFailure(new Session.LastFailure(call.tool(), known.action, error));
            }
            return recording == fresh ? fresh : null;
        });
    }

    /** What is held back is dropped if this call corrects it, else written. */
    void settle(Session session, ToolCall next, boolean worked) {
        Session.Held held = session.takeHeld();
        if (held != null && !(worked && TypoDetector.isNear(held.tool(), next.tool()))) {
            outbox.add(held.record());
        }
    }

    /** The id of the newest entry that is the same failure. */
    private static @Nullable String newest(Advice advice) {
        return advice.matches().stream()
                .filter(match -> match.matchType() == Match.MatchType.EXACT && match.entry() instanceof Failure)
                .map(match -> match.entry().id())
                .findFirst()
                .orElse(null);
    }

    /** Advice that was followed, and the same failure came again: it did not help. */
    private void blame(Session session, SessionCall step, String id) {
        SessionCall.Setback now = step.failure();
        for (SessionCall before : session.failuresLike(step)) {
            SessionCall.Setback then = before.failure();
            if (now != null
                    && then != null
                    && then.family().equals(now.family())
                    && !then.suggested().isEmpty()) {
                CallDiff difference = CallDiff.between(before, step, codec);
                AdviceFollowing.among(then.suggested(), difference, session.between(before, step))
                        .forEach(followed -> outbox.add(() -> memory.vote(followed.id(), Outcome.FAILED, id)));
            }
        }
    }

    private void record(ToolCall call, ToolError error, PendingRecord recording) {
        outbox.add(() -> write(call, error, recording));
    }

    private void write(ToolCall call, ToolError error, PendingRecord recording) throws IOException {
        Entry entry = memory.record(Failure.of(call, error));
        recording.writtenAs(entry.id());
    }
}

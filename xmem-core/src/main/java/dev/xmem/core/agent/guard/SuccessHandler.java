package dev.xmem.core.agent.guard;

import dev.xmem.Outcome;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.core.base.json.LineCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a call that worked: it may be the answer to one that failed before in its session, and the proof of advice
 * that was followed. The caller only leaves the call behind; all this happens in the background. Thread-safe.
 */
final class SuccessHandler {
    private final GuardStore memory;
    private final WriteQueue outbox;
    private final Sessions sessions;
    private final WarningCache warnings;
    private final LineCodec codec;

    SuccessHandler(GuardStore memory, WriteQueue outbox, Sessions sessions, WarningCache warnings, LineCodec codec) {
        this.memory = memory;
        this.outbox = outbox;
        this.sessions = sessions;
        this.warnings = warnings;
        this.codec = codec;
    }

    /** What is to be written because of a call that worked. */
    private record Consequences(List<RetryPair> pairs, List<Vote> votes, List<String> refuted) {
        Consequences() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    private record Vote(String entry, Outcome outcome) {}

    /** Takes its place among the calls of the session; looks closer later, if anything there waits for it. */
    void note(ToolCall call, FailureHandler failing) {
        Long number = sessions.ifKnown(call.session(), session -> {
            failing.settle(session, call, true);
            long next = session.next();
            return session.isOpen() ? next : null;
        });
        if (number != null) {
            outbox.add(() -> conclude(call, number));
        }
    }

    private void conclude(ToolCall call, long number) throws IOException {
        String id = Objects.requireNonNull(call.session());
        String action = memory.clean(call.tool(), call.action());
        SessionCall step = new SessionCall(number, call.tool(), action, memory.operation(call.tool(), action), null);
        Consequences consequences = new Consequences();
        sessions.ifKnown(id, session -> conclude(session, step, consequences));
        for (RetryPair pair : consequences.pairs) {
            Success.Draft draft = pair.draft(id);
            if (draft != null && memory.isWritable()) {
                memory.record(draft);
            }
        }
        for (Vote vote : consequences.votes) {
            memory.vote(vote.entry, vote.outcome, id);
        }
        consequences.refuted.forEach(warnings::refuted);
        warnings.refreshSoon();
    }

    private @Nullable Void conclude(Session session, SessionCall step, Consequences consequences) {
        List<String> families = new ArrayList<>();
        List<SessionCall> failures = session.failuresLike(step);
        for (SessionCall failed : failures) {
            List<SessionCall> between = session.between(failed, step);
            CallDiff difference = CallDiff.between(failed, step, codec);
            SessionCall.Setback setback = Objects.requireNonNull(failed.failure());
            AdviceFollowing.among(setback.suggested(), difference, between)
                    .forEach(followed -> consequences.votes.add(new Vote(followed.id(), Outcome.WORKED)));
            RetryPair pair = RetryPair.of(failed, step, between, codec);
            if (pair != null && !families.contains(setback.family())) {
                families.add(setback.family());
                consequences.pairs.add(pair);
            }
        }
        session.answered(failures);
        session.warningsLike(step).forEach(warned -> judge(warned, step, session, consequences));
        session.add(step);
        return null;
    }

    /** A call that worked as it was warned of needed no warning; one that was changed as advised proves the advice. */
    private void judge(Session.Warned warned, SessionCall step, Session session, Consequences consequences) {
        if (warned.call().isSame(step)) {
            consequences.refuted.add(warned.family());
            warned.suggested()
                    .forEach(suggestion -> consequences.votes.add(new Vote(suggestion.id(), Outcome.IRRELEVANT)));
        } else {
            CallDiff difference = CallDiff.between(warned.call(), step, codec);
            AdviceFollowing.among(warned.suggested(), difference, session.between(warned.call(), step))
                    .forEach(followed -> consequences.votes.add(new Vote(followed.id(), Outcome.WORKED)));
        }
    }
}

package dev.xmem.core.agent.guard;

import dev.xmem.Entry;
import dev.xmem.JsonDraft;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.json.StoredEntries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Handles a call that did not fail. If it is proven that it succeeded, it may answer a failure of its session, and it
 * may prove advice that the agent followed; else it is only a step of the session. The agent's thread only numbers the
 * call; the write queue does the rest in the background. Thread-safe.
 */
final class SuccessHandler {
    private final GuardStore store;
    private final WriteQueue writeQueue;
    private final Sessions sessions;
    private final WarningCache warnings;
    private final ToldLog told;

    SuccessHandler(GuardStore store, WriteQueue writeQueue, Sessions sessions, WarningCache warnings, ToldLog told) {
        this.store = store;
        this.writeQueue = writeQueue;
        this.sessions = sessions;
        this.warnings = warnings;
        this.told = told;
    }

    /** The writes that a successful call leads to. */
    private record Consequences(
            List<RetryPair> pairs, List<String> followed, List<Session.Warned> refuted, Set<String> workedFamilies) {}

    /** Numbers the call, and queues it for a closer look if an earlier call of the session is open. */
    void handle(ToolCall call, boolean proven, FailureHandler failureHandler) {
        if (sessions.isShared(call.session())) {
            writeQueue.addPlan(writes -> {
                sessions.refresh(call.session());
                Long number = number(call, proven, failureHandler);
                if (number != null) {
                    conclude(call, number, proven, writes);
                }
            });
            return;
        }
        Long number = number(call, proven, failureHandler);
        if (number != null) {
            writeQueue.addPlan(writes -> conclude(call, number, proven, writes));
        }
    }

    /** The number of the call in its session; null if no earlier call of the session is open. */
    private @Nullable Long number(ToolCall call, boolean proven, FailureHandler failureHandler) {
        return sessions.ifPresent(call.session(), session -> {
            if (session.isCounted(call)) {
                return null;
            }
            session.reported = true;
            failureHandler.resolveHeld(session, call, proven);
            long next = session.nextNumber();
            return session.isOpen() || session.hasRepeats(call.tool(), call.action()) ? next : null;
        });
    }

    private void conclude(ToolCall given, long number, boolean proven, Consumer<IoAction> writes) {
        String id = Objects.requireNonNull(given.session());
        SessionCall call = SessionCall.redacted(store, number, given);
        Consequences consequences =
                new Consequences(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new LinkedHashSet<>());
        SessionEvent.Kind kind = proven ? SessionEvent.Kind.CALL : SessionEvent.Kind.STEP;
        sessions.ifPresent(id, session -> {
            SessionEvent event =
                    new SessionEvent(kind, call, null, store.now().toEpochMilli(), SessionFiles.callKey(given));
            session.wasCounted(event.callKey());
            sessions.share(id, session, event);
            if (proven) {
                conclude(session, call, consequences);
            } else {
                session.step(call);
            }
            return true;
        });
        for (RetryPair pair : consequences.pairs) {
            writes.accept(() -> {
                String answers = pair.failure().id();
                Entry answered = answers == null ? null : store.find(answers).orElse(null);
                JsonDraft draft = isTold(pair) ? null : pair.draft(id, answered);
                if (draft != null && store.isWritable()) {
                    store.record(draft);
                }
            });
        }
        for (String followed : consequences.followed) {
            writes.accept(() -> store.vote(followed, Outcome.WORKED, id));
        }
        for (Session.Warned warned : consequences.refuted) {
            warnings.refute(warned);
            warned.suggested().forEach(suggestion -> writes.accept(() -> voteAgainst(suggestion, warned.call(), id)));
        }
        consequences.workedFamilies.forEach(family -> told.worked(id, family, consequences.followed));
    }

    /** Whether the agent was told a fix of the same failure that says the same: it gets a vote, and no second entry. */
    private boolean isTold(RetryPair pair) {
        return pair.failure().suggested().stream()
                .filter(suggestion -> pair.isSaidBy(suggestion))
                .flatMap(suggestion -> store.find(suggestion.id()).stream())
                .anyMatch(entry -> pair.failure().family().equals(StoredEntries.field(entry, "ctx_hash")));
    }

    /** Votes against advice that was of no use for a call, unless the advice is about another operation. */
    private void voteAgainst(Suggestion suggestion, SessionCall call, String session) throws IOException {
        Entry entry = store.find(suggestion.id()).orElse(null);
        if (entry != null && call.isLike(entry)) {
            store.vote(suggestion.id(), Outcome.IRRELEVANT, session);
        }
    }

    /** The failures of a session that a successful call solves, newest first. */
    private List<SessionCall> solved(Session session, SessionCall call) {
        return session.failuresLike(call).stream()
                .filter(failed -> {
                    CallDiff difference = CallDiff.between(failed, call);
                    return !InertCall.is(difference) && !OtherWork.is(difference);
                })
                .toList();
    }

    /**
     * How to note why a successful call worked, at most once in a session; null if there is nothing to say. Called
     * before {@link #handle}, which ends the failures that the call solves. Decision: docs/adr/0039-lesson-hints.md.
     */
    @Nullable String lessonHint(ToolCall given) {
        String action = store.redact(given.tool(), given.action());
        String id = sessions.ifPresent(given.session(), session -> {
            SessionCall call = new SessionCall(session.lastNumber() + 1, given.tool(), action, "", null);
            String unexplained = session.hinted ? null : unexplained(session, call);
            if (unexplained != null) {
                session.hinted = true;
                long now = store.now().toEpochMilli();
                SessionEvent event = new SessionEvent(SessionEvent.Kind.HINTED, call, null, now);
                sessions.share(given.session(), session, event);
            }
            return unexplained;
        });
        UnaryOperator<String> hint = store.config().lessonHint();
        return id == null || hint == null ? null : hint.apply(id);
    }

    /**
     * The id of the failure that a call solves although nothing tells why: no lesson was shown, the calls are no retry
     * pair, and a call in between may be the reason. Null if there is none.
     */
    private @Nullable String unexplained(Session session, SessionCall call) {
        List<SessionCall> failures = solved(session, call);
        for (SessionCall failed : failures) {
            SessionCall.FailureInfo failure = failed.info();
            List<SessionCall> between = session.between(failed, call);
            if (!failure.suggested().isEmpty() || RetryPair.of(failed, call, between) != null) {
                return null;
            }
        }
        if (failures.isEmpty()) {
            return null;
        }
        SessionCall last = failures.get(0);
        boolean changed = session.between(last, call).stream()
                .anyMatch(step -> step.failure() == null && !step.isReadOnly() && !step.isLike(call));
        return changed ? last.info().id() : null;
    }

    private void conclude(Session session, SessionCall call, Consequences consequences) {
        Set<String> families = new HashSet<>();
        List<SessionCall> failures = solved(session, call);
        for (SessionCall failed : failures) {
            SessionCall.FailureInfo failure = failed.info();
            consequences.workedFamilies.add(failure.family());
            RetryPair pair = RetryPair.of(failed, call, session.between(failed, call));
            voteForFollowed(failure.suggested(), pair, session, failed, call, consequences);
            if (pair != null
                    && failure.id() != null
                    && families.add(SessionCall.recordKey(failure.family(), "", failed.operation()))) {
                consequences.pairs.add(pair);
            }
        }
        session.answered(failures);
        session.takeWarningsLike(call).forEach(warned -> judge(warned, call, session, consequences));
        session.add(call);
    }

    /** A success without a change refutes the warning; one that was changed as advised proves the advice. */
    private void judge(Session.Warned warned, SessionCall call, Session session, Consequences consequences) {
        if (warned.call().isSame(call)) {
            consequences.refuted.add(warned);
        } else {
            consequences.workedFamilies.add(warned.family());
            voteForFollowed(warned.suggested(), null, session, warned.call(), call, consequences);
        }
    }

    private void voteForFollowed(
            List<Suggestion> suggested,
            @Nullable RetryPair pair,
            Session session,
            SessionCall before,
            SessionCall call,
            Consequences consequences) {
        CallDiff difference = CallDiff.between(before, call);
        List<SessionCall> between = session.between(before, call);
        suggested.stream()
                .filter(suggestion ->
                        pair != null && pair.isSaidBy(suggestion) || suggestion.isFollowedBy(difference, between))
                .forEach(suggestion -> consequences.followed.add(suggestion.id()));
    }
}

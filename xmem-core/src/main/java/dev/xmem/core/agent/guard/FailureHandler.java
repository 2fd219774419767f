package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.RecallHistory.Door;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Handles a failed call: recalls it within the time limit, and queues it for recording if it is new. Thread-safe. */
final class FailureHandler {
    static final long HOUR_MILLIS = 3_600_000;
    private static final int MAX_RECORDED = 500;

    private final GuardStore store;
    private final BoundedWait recallLimit;
    private final WriteQueue writeQueue;
    private final Sessions sessions;
    private final SessionAdvice sessionAdvice;
    private final TransientFailures transientFailures;
    private final ToldLog told;

    FailureHandler(
            GuardStore store,
            BoundedWait recallLimit,
            WriteQueue writeQueue,
            Sessions sessions,
            TransientFailures transientFailures,
            ToldLog told) {
        this.store = store;
        this.recallLimit = recallLimit;
        this.writeQueue = writeQueue;
        this.sessions = sessions;
        this.sessionAdvice = new SessionAdvice(store);
        this.transientFailures = transientFailures;
        this.told = told;
    }

    /**
     * A failed call and the result of its recall.
     *
     * @param call the call, redacted
     * @param network whether it is a transient network failure that the memory does not know
     * @param output the lines of the redacted output
     * @param before when the same network failure occurred before; null if it did not
     */
    private record RecalledCall(
            SessionCall call,
            GuardStore.Recalled recalled,
            OutputLines output,
            boolean network,
            @Nullable Long before) {
        ContextHash hash() {
            return recalled.hash();
        }

        Advice advice() {
            return recalled.advice();
        }

        /** Whether the failure may pass by itself, so that it is not recorded. */
        boolean isBlip() {
            return network && before == null;
        }
    }

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
        Report report = new Report(call, error, 0, new AtomicReference<>());
        AtomicBoolean decided = new AtomicBoolean();
        GuardAdvice advice = recallLimit.call(() -> {
            RecalledCall recalled = recall(call, error, false);
            if (decided.getAndSet(true)) {
                throw new CancellationException("too late: the write queue handles the failure");
            }
            return answered(report, recalled);
        });
        if (advice != null) {
            return advice;
        }
        if (decided.getAndSet(true)) {
            return GuardAdvice.tooLate(report.written);
        }
        store.countRecall(null);
        return unanswered(call, error);
    }

    /** The advice for a failure that was recalled in time. Runs where a plug-in cannot block the agent. */
    private GuardAdvice answered(Report report, RecalledCall recalled) {
        store.countRecall(recalled.advice());
        boolean isCounted = sessions.isCounted(report.call);
        SessionAdvice.Known known = keep(report, recalled, writeQueue::add);
        GuardAdvice advice = recalled.isBlip()
                ? GuardAdvice.silent(
                                Advice.Status.TRIVIAL,
                                "a transient network failure; it is recorded if it happens again")
                        .repeated(known.repeats())
                : sessionAdvice.about(SessionAdvice.unasked(recalled.advice()), known, recalled.before());
        GuardAdvice about = advice.about(recalled.hash().value());
        if (!isCounted && !recalled.isBlip()) {
            told.failure(Door.FAILED, report.call, recalled.recalled(), known.repeats() > 1, about);
        }
        return about;
    }

    /** Recalls a failure that the agent asks about. Records nothing; see {@link dev.xmem.ToolGuard#recall}. */
    Advice asked(ToolCall call, ToolError error) {
        RecalledCall recalled = recallLimit.call(() -> recall(call, error, true));
        store.countRecall(recalled == null ? null : recalled.advice());
        if (recalled == null) {
            return GuardAdvice.TOO_LATE;
        }
        String id = call.session();
        if (id == null || TrivialFailures.reason(call, error) != null) {
            return told.failure(Door.ASKED, call, recalled.recalled(), false, GuardAdvice.of(recalled.advice(), null));
        }
        Report report = new Report(call, error, 0, new AtomicReference<>());
        Advice advice = sessions.with(id, session -> {
            SessionCall failed = failed(report, session.lastNumber() + 1, recalled, null);
            if (!session.reported) {
                session.nextNumber();
                sessions.share(id, session, add(session, failed, report, recalled, SessionEvent.Kind.ASKED));
            }
            return sessionAdvice.about(recalled.advice(), SessionAdvice.Known.of(null, session, failed, error), null);
        });
        return told.failure(Door.ASKED, call, recalled.recalled(), false, advice);
    }

    /** Recalls a failure once while no agent waits, so that all classes are loaded when one does. */
    void warmUp(ToolCall call, ToolError error) throws IOException {
        TrivialFailures.reason(call, error);
        TrivialFailures.isTransient(error.text());
        store.recall(call.tool(), call.action(), error);
    }

    /** Recalls the last failures of a session again; records nothing. */
    Advice recallLast(String session) {
        GuardAdvice advice = recallLimit.call(() -> {
            sessions.refresh(session);
            List<Session.LastFailure> known = sessions.ifPresent(session, Session::lastFailures);
            List<Session.LastFailure> last = known == null || known.isEmpty()
                    ? lastRecorded(session)
                    : known.stream().map(this::redacted).toList();
            if (last.isEmpty()) {
                return GuardAdvice.silent(Advice.Status.NOTHING_RELEVANT, "no failure of this session is known");
            }
            List<Integer> repeats = new ArrayList<>();
            List<Advice> recalled = new ArrayList<>();
            for (Session.LastFailure failure : last) {
                SessionCall call = failure.call();
                Integer times = sessions.ifPresent(session, calls -> calls.repeats(call));
                repeats.add(times == null ? 0 : times);
                recalled.add(store.recall(call.tool(), call.action(), failure.error())
                        .advice());
            }
            return sessionAdvice.aboutLast(last, repeats, recalled);
        });
        store.countRecall(advice);
        return advice == null ? GuardAdvice.TOO_LATE : told.told(Door.USER, session, "", advice);
    }

    /** The failure with a redacted call: one that was not recalled yet is kept as it was reported. */
    private Session.LastFailure redacted(Session.LastFailure last) {
        SessionCall call = last.call();
        if (call.failure() != null) {
            return last;
        }
        String action = store.redact(call.tool(), call.action());
        return new Session.LastFailure(
                new SessionCall(call.number(), call.tool(), action, call.operation(), null), last.error());
    }

    /** The last failures that were recorded in a session of which no call is known, newest first. */
    private List<Session.LastFailure> lastRecorded(String session) throws IOException {
        Session recorded = new Session(null);
        store.failures(MAX_RECORDED, (line, failure) -> {
            if (session.equals(failure.sessionId())) {
                SessionCall.FailureInfo info = new SessionCall.FailureInfo(
                        failure.ctxHash(), "", "", null, failure.id(), List.of(), OutputLines.NONE);
                String action = failure.action();
                SessionCall call =
                        new SessionCall(0, failure.tool(), action, store.operation(failure.tool(), action), info);
                recorded.failedLast(call, FailureGroup.error(failure));
            }
        });
        return recorded.lastFailures();
    }

    /** @param asked whether the agent only asks: then a transient failure is not counted */
    private RecalledCall recall(ToolCall given, ToolError error, boolean asked) throws IOException {
        sessions.refresh(given.session());
        SessionCall call = SessionCall.redacted(store, 0, given);
        GuardStore.Recalled recalled = store.recall(given.tool(), given.action(), error);
        boolean network = !asked
                && TrivialFailures.isTransient(error.text())
                && recalled.advice().matches().stream().noneMatch(match -> match.matchType() == Match.MatchType.EXACT);
        String key = SessionCall.recordKey(recalled.hash().value(), "", call.operation());
        Long before = network
                ? transientFailures.add(key, given.session(), store.now().toEpochMilli())
                : null;
        OutputLines output =
                OutputLines.of(given.tool(), given.action(), store.redaction().clean(error.text()));
        return new RecalledCall(call, recalled, output, network, before);
    }

    /** Keeps a failure whose recall came too late: the write queue recalls it, before it handles any later call. */
    private Advice unanswered(ToolCall call, ToolError error) {
        long number = sessions.with(call.session(), session -> {
            resolveHeld(session, call, false);
            long reserved = session.reserve();
            session.failedLast(new SessionCall(reserved, call.tool(), call.action(), "", null), error);
            return reserved;
        });
        Report report = new Report(call, error, number, new AtomicReference<>());
        writeQueue.addPlan(writes -> keepLate(report, writes));
        return GuardAdvice.tooLate(report.written);
    }

    /** Recalls and keeps a late failure. If that fails, it is recorded anyway, once for each text. */
    private void keepLate(Report report, Consumer<IoAction> writes) {
        ToolCall call = report.call;
        try {
            RecalledCall recalled = recall(call, report.error, false);
            boolean repeats = keep(report, recalled, writes).repeats() > 1;
            if (!recalled.isBlip()) {
                told.failure(Door.FAILED, call, recalled.recalled(), repeats, GuardAdvice.TOO_LATE);
            }
        } catch (IOException | RuntimeException e) {
            String text = CallTruncation.key(call.tool() + ' ' + call.action() + '\n' + report.error.text());
            boolean isNew =
                    sessions.with(call.session(), session -> recorded(session, text, report.written) == report.written);
            if (isNew) {
                writes.accept(() -> write(report));
            }
        }
    }

    /**
     * The holder of the id under which the session recorded a key within the last hour; else the fresh one, which is
     * then kept for the key. Null if the store is read-only.
     */
    private @Nullable AtomicReference<@Nullable String> recorded(
            Session session, String key, AtomicReference<@Nullable String> fresh) {
        long now = store.now().toEpochMilli();
        AtomicReference<@Nullable String> before = session.recorded(key, now - HOUR_MILLIS);
        if (before != null || !store.isWritable()) {
            return before;
        }
        session.record(key, now, fresh);
        return fresh;
    }

    /** Adds the call to its session, and records it if it is new and no network failure that came once. */
    private SessionAdvice.Known keep(Report report, RecalledCall recalled, Consumer<IoAction> writes) {
        ToolCall call = report.call;
        ContextHash hash = recalled.hash();
        boolean unknownCommand = TypoDetector.isUnknownCommand(call, report.error);
        boolean late = report.number > 0;
        return sessions.with(call.session(), session -> {
            if (session.isCounted(call)) {
                SessionCall known = failed(report, session.lastNumber(), recalled, null);
                return SessionAdvice.Known.of(null, session, known, report.error);
            }
            if (!late) {
                resolveHeld(session, call, false);
            }
            String key = SessionCall.recordKey(
                    hash.value(), hash.subject(), recalled.call().operation());
            AtomicReference<@Nullable String> written =
                    recalled.isBlip() ? null : recorded(session, key, report.written);
            boolean isNew = written == report.written;
            AtomicReference<@Nullable String> recordedNow = isNew ? written : null;
            IoAction write = () -> write(report);
            String id = call.session();
            if (id == null) {
                if (isNew) {
                    writes.accept(write);
                }
                return new SessionAdvice.Known(recordedNow, 0, false, List.of());
            }
            SessionCall failed = failed(report, late ? report.number : session.nextNumber(), recalled, written);
            session.reported = true;
            voteAgainstFollowed(session, failed, failed.info(), id);
            if (isNew && unknownCommand && !late) {
                session.held = new Session.HeldFailure(call.tool(), write);
                sessions.share(id, session, add(session, failed, report, recalled, SessionEvent.Kind.HELD));
            } else if (isNew) {
                SessionEvent event = add(session, failed, report, recalled, SessionEvent.Kind.RECORDED);
                sessions.record(session, event, event.millis() - HOUR_MILLIS, write, writes);
            } else {
                sessions.share(id, session, add(session, failed, report, recalled, SessionEvent.Kind.CALL));
            }
            return SessionAdvice.Known.of(recordedNow, session, failed, report.error);
        });
    }

    private static SessionCall failed(
            Report report, long number, RecalledCall recalled, @Nullable AtomicReference<@Nullable String> written) {
        ContextHash hash = recalled.hash();
        SessionCall.FailureInfo failure = new SessionCall.FailureInfo(
                hash.value(),
                hash.pattern(),
                hash.subject(),
                written,
                newestExact(recalled),
                report.number > 0 ? List.of() : Suggestion.of(recalled.advice()),
                recalled.output());
        return recalled.call().with(number, failure);
    }

    private SessionEvent add(
            Session session, SessionCall failed, Report report, RecalledCall recalled, SessionEvent.Kind kind) {
        ToolError error = CallTruncation.error(
                report.error.exitCode(), recalled.recalled().excerpt());
        session.add(failed);
        session.failedLast(failed, error);
        String key = SessionFiles.callKey(report.call);
        session.wasCounted(key);
        return new SessionEvent(kind, failed, error, store.now().toEpochMilli(), key);
    }

    /** Discards the failure that the session holds back if this call corrects its typo, else queues it for writing. */
    void resolveHeld(Session session, ToolCall next, boolean succeeded) {
        Session.HeldFailure held = session.takeHeld();
        if (held != null && !(succeeded && TypoDetector.isNear(held.tool(), next.tool()))) {
            writeQueue.add(held.write());
        }
    }

    /** The id of the newest entry of the same failure of the same operation in this store. */
    private static @Nullable String newestExact(RecalledCall recalled) {
        return recalled.advice().matches().stream()
                .filter(match -> match.layer() == Layer.PROJECT && match.matchType() == Match.MatchType.EXACT)
                .filter(match -> match.entry() instanceof Failure failure
                        && SessionCall.of(failure.tool(), failure.action()).isLike(recalled.call()))
                .map(match -> match.entry().id())
                .findFirst()
                .orElse(null);
    }

    /** Votes against advice that the agent followed before the same failure happened again. */
    private void voteAgainstFollowed(Session session, SessionCall call, SessionCall.FailureInfo now, String id) {
        for (SessionCall before : session.failuresLike(call)) {
            SessionCall.FailureInfo then = before.info();
            if (then.family().equals(now.family())
                    && then.subject().equals(now.subject())
                    && !then.suggested().isEmpty()) {
                CallDiff difference = CallDiff.between(before, call);
                then.suggested().stream()
                        .filter(suggestion -> suggestion.isFollowedBy(difference, session.between(before, call)))
                        .forEach(followed -> writeQueue.add(() -> voteAgainst(followed, id)));
            }
        }
    }

    /**
     * Votes against advice that was told as it is stored. Advice that was carried over to another subject gets no vote,
     * because it may still help with its own subject.
     */
    private void voteAgainst(Suggestion followed, String session) throws IOException {
        Entry entry = store.find(followed.id()).orElse(null);
        if (entry == null || followed.isOf(entry)) {
            store.vote(followed.id(), Outcome.FAILED, session);
        }
    }

    private void write(Report report) throws IOException {
        report.written.set(store.record(Failure.of(report.call, report.error)).id());
    }
}

package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.GuardListener;
import dev.xmem.GuardListener.Question;
import dev.xmem.RecallHistory.Door;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.core.agent.guard.ResultJudge.Verdict;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.core.text.redact.Redaction;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The guard of one store. Every internal error is reported as {@link Advice.Status#UNAVAILABLE}; no method throws. The
 * state is bounded: {@value Sessions#MAX_SESSIONS} sessions, {@value ReportedCalls#MAX_KEYS} call ids and {@value
 * WriteQueue#CAPACITY} queued writes. Thread-safe. Decisions: docs/adr/0022-guard-limit.md,
 * docs/adr/0034-cold-start-of-the-guard.md, docs/adr/0041-warnings-by-operation.md.
 */
public final class Guard implements ToolGuard {
    private static final Duration FLUSH_LIMIT = Duration.ofSeconds(30);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final int MAX_HINT_CHARS = 300;
    private static final int MAX_RULES = 7;

    /** The result for a text that reports neither a failure nor a success. */
    private static final Advice NO_REPORT =
            GuardAdvice.silent(Advice.Status.TRIVIAL, "the text does not report a failure");

    private static final GuardAdvice SUCCESS = GuardAdvice.silent(
            Advice.Status.TRIVIAL,
            "exit code 0, and the output does not report a failure: the call counts as a success");
    private static final Advice NO_PROOF = GuardAdvice.silent(
            Advice.Status.TRIVIAL,
            "the exit code is not that of the command, and the output does not show whether it succeeded");

    private static final Advice SUCCEEDED =
            GuardAdvice.silent(Advice.Status.NOTHING_RELEVANT, "this call was reported as a success");

    /** Loads the rules and classes that a call needs before it has failed; other threads wait for it. */
    private static final Lazy<Boolean> CALL_RULES = new Lazy<>(() -> quietly(() -> {
        HashInput call = HashInput.of("git", "status");
        new Redaction(null).cleanAction(call.tool(), call.action());
        new RuleBasedHasher().hash(call);
    }));

    /** The same for failures; it needs neither the store nor a plug-in, and is done before a time limit begins. */
    private static final Lazy<Boolean> FAILURE_RULES = new Lazy<>(() -> CALL_RULES.get()
            && quietly(() -> new RuleBasedHasher()
                    .hash(HashInput.of("git", "status").error("fatal: not a git repository", 128))));

    private final GuardStore store;
    private final BoundedWait recallLimit;
    private final BoundedWait warningLimit;
    private final BoundedWait verdictLimit;
    private final ReportedCalls reportedCalls = new ReportedCalls();
    private final WriteQueue writeQueue;
    private final Sessions sessions;
    private final WarningCache warnings;
    private final ResultJudge resultJudge;
    private final FailureHandler failureHandler;
    private final SuccessHandler successHandler;
    private final ToldLog told;
    /** Whether a call came before the guard was warm. */
    private volatile boolean called;
    /** Whether warnings were looked up for a call, so that its rules and plug-ins are loaded. */
    private volatile boolean asked;

    /**
     * Creates a guard, which warms up in the background if the store is open; not where it shares its sessions with
     * other processes, each of which may end after one call.
     */
    public Guard(GuardStore store) {
        this.store = store;
        this.recallLimit = new BoundedWait(store);
        this.warningLimit = new BoundedWait(store);
        this.verdictLimit = new BoundedWait(store);
        this.writeQueue = new WriteQueue(store);
        SessionFiles files = new SessionFiles(store);
        this.sessions = new Sessions(writeQueue, store, store.config().sharedSessions() ? files : null);
        this.warnings = new WarningCache(store);
        this.told = new ToldLog(store);
        this.resultJudge = new ResultJudge(store, sessions);
        this.failureHandler = new FailureHandler(
                store, recallLimit, writeQueue, sessions, new TransientFailures(writeQueue, files), told);
        this.successHandler = new SuccessHandler(store, writeQueue, sessions, warnings, told);
        if (store.isOpen() && !store.config().sharedSessions()) {
            quietly(() -> store.runLater(this::warmUpInBackground, Duration.ZERO));
        }
    }

    @Override
    public void warmUp() {
        FAILURE_RULES.get();
        if (store.isOpen()) {
            quietly(this::warmUpRecall);
        }
        recallLimit.warm();
        warningLimit.warm();
        verdictLimit.warm();
    }

    /** Does nothing if a call came first: it loads what it needs, and the process may end after it. */
    private void warmUpInBackground() {
        if (!called) {
            FAILURE_RULES.get();
        }
        if (store.isOpen() && !called) {
            quietly(this::warmUpRecall);
        }
    }

    /**
     * Loads the rules that a call needs before it has failed. A store of short processes begins with it while it opens,
     * and leaves the others to the few calls that get a warning or fail.
     */
    public static void loadCallRules() {
        CALL_RULES.get();
    }

    private void warmUpRecall() {
        ToolCall call = ToolCall.shell("git status");
        try {
            failureHandler.warmUp(call, ToolError.exit(1, "fatal: not a git repository"));
            resultJudge.judge(call, ToolError.text("ok"));
            FrustrationDetector.in("ok");
            warnings.read(redacted(call));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private static boolean quietly(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            Log.debug("a guard failed beside a call: " + e.getClass().getName(), null);
        }
        return true;
    }

    @Override
    public Advice before(ToolCall call) {
        return safely(Question.BEFORE, call, () -> warning(call));
    }

    private Advice warning(ToolCall given) {
        called = true;
        warnings.refreshIfStale();
        if (warnings.isEmpty()) {
            return WarningCache.NONE.advice();
        }
        if (store.config().sharedSessions()) {
            loadCallRules();
        } else {
            FAILURE_RULES.get();
        }
        Lookup lookup = lookUp(given);
        if (lookup == null) {
            return GuardAdvice.TOO_LATE;
        }
        SessionCall call = lookup.call;
        WarningCache.Warning warning = lookup.warning;
        String id = given.session();
        if (id != null && !warning.family().isEmpty()) {
            Session.Warned warned = new Session.Warned(call, warning.family(), warning.suggested());
            sessions.with(id, session -> {
                session.warned(warned);
                SessionEvent event = SessionEvent.warning(warned, store.now().toEpochMilli());
                sessions.share(id, session, event);
                return true;
            });
        }
        return told.told(Door.BEFORE, id, warning.family(), warning.advice());
    }

    /** A redacted call and its warning. */
    private record Lookup(SessionCall call, WarningCache.Warning warning) {}

    /**
     * The warning for a call. What is in memory is found on the calling thread, unless a plug-in has to redact or hash
     * the call; the rest is read on another one, up to the limit. Null if that takes too long and nothing was read for
     * such calls before.
     */
    private @Nullable Lookup lookUp(ToolCall given) {
        SessionCall known = asked && !store.callsPlugins() ? redacted(given) : null;
        WarningCache.Warning found = known == null ? null : warnings.get(known);
        if (known != null && found != null) {
            return new Lookup(known, found);
        }
        Lookup read = warningLimit.call(() -> {
            SessionCall call = known == null ? redacted(given) : known;
            return new Lookup(call, warnings.read(call));
        });
        asked = asked || read != null;
        WarningCache.Warning stale = read == null && known != null ? warnings.getStale(known) : null;
        return known != null && stale != null ? new Lookup(known, stale) : read;
    }

    private SessionCall redacted(ToolCall given) {
        return SessionCall.redacted(store, 0, CallTruncation.bounded(given));
    }

    @Override
    public Advice failed(ToolCall call, ToolError error) {
        return safely(Question.FAILED, call, () -> {
            ReportedCalls.Report report = new ReportedCalls.Report(call.session());
            ReportedCalls.Report before = reportedCalls.putIfAbsent(call, report);
            if (before != null) {
                Advice advice = recallLimit.await(before.advice);
                return advice == null ? GuardAdvice.TOO_LATE : advice;
            }
            return advise(call, error, report);
        });
    }

    /** Advises on a failure; the report is completed in any case, since another thread may wait for it. */
    private Advice advise(ToolCall call, ToolError error, ReportedCalls.Report report) {
        Advice advice = GuardAdvice.silent(Advice.Status.UNAVAILABLE, "the memory failed");
        try {
            advice = advise(CallTruncation.bounded(call), CallTruncation.bounded(OutputClassifier.unwrapped(error)));
        } finally {
            reportedCalls.complete(report, advice);
        }
        if (advice == NO_REPORT) {
            reportedCalls.remove(report);
        }
        return advice;
    }

    private Advice advise(ToolCall call, ToolError error) {
        Integer code = error.exitCode();
        Verdict verdict = code == null || code == 0 ? verdict(call, error) : Verdict.FAILED;
        if (verdict == null) {
            successHandler.handle(call, false, failureHandler);
            return GuardAdvice.TOO_LATE;
        }
        if (verdict != Verdict.FAILED) {
            if (code == null) {
                return NO_REPORT;
            }
            boolean proven = verdict == Verdict.SUCCEEDED;
            Advice hint = proven && store.config().lessonHint() != null
                    ? verdictLimit.call(() -> hint(successHandler.lessonHint(call)))
                    : null;
            successHandler.handle(call, proven, failureHandler);
            return hint == null ? proven ? SUCCESS : NO_PROOF : hint;
        }
        called = true;
        FAILURE_RULES.get();
        return failureHandler.advise(call, error);
    }

    private Advice hint(@Nullable String sentence) {
        String line = sentence == null ? "" : TextSanitizer.line(sentence, MAX_HINT_CHARS);
        return line.isEmpty() ? SUCCESS : SUCCESS.with(List.of(line), store);
    }

    /** The verdict on a result; null if it takes too long. */
    private @Nullable Verdict verdict(ToolCall call, ToolError result) {
        return resultJudge.mayBlock(call)
                ? verdictLimit.call(() -> resultJudge.judge(call, result))
                : resultJudge.judge(call, result);
    }

    @Override
    public Advice recall(ToolCall call, ToolError error) {
        return safely(Question.RECALL, call, () -> {
            FAILURE_RULES.get();
            return failureHandler.asked(
                    CallTruncation.bounded(call), CallTruncation.bounded(OutputClassifier.unwrapped(error)));
        });
    }

    @Override
    public void succeeded(ToolCall call) {
        safely(() -> {
            ReportedCalls.Report report = new ReportedCalls.Report(call.session());
            if (reportedCalls.putIfAbsent(call, report) == null) {
                report.advice.complete(SUCCEEDED);
                ToolCall bounded = CallTruncation.bounded(call);
                boolean proven = resultJudge.judge(bounded) == Verdict.SUCCEEDED;
                successHandler.handle(bounded, proven, failureHandler);
            }
            return SUCCEEDED;
        });
    }

    @Override
    public Advice userSaid(String session, String message) {
        return safely(Question.USER_SAID, null, () -> {
            if (sessions.isShared(session)) {
                writeQueue.addPlan(writes -> sessions.userSaid(session));
            } else {
                sessions.userSaid(session);
            }
            if (!FrustrationDetector.in(message)) {
                return GuardAdvice.silent(
                        Advice.Status.NOTHING_RELEVANT, "the message does not report a repeated failure");
            }
            return failureHandler.recallLast(session);
        });
    }

    @Override
    @SuppressWarnings("CatchingUnchecked")
    public String rules(String message) {
        try {
            String page = store.isOpen() ? store.rules(message, MAX_RULES) : "";
            return page.isEmpty() ? "" : '\n' + page;
        } catch (Throwable e) {
            Log.debug("a guard failed: " + e.getClass().getName(), null);
            return "";
        }
    }

    /** Answers a question, and tells the listeners. */
    private Advice safely(Question question, @Nullable ToolCall call, Supplier<Advice> work) {
        if (store.config().guardListeners().isEmpty()) {
            return safely(work);
        }
        long began = System.nanoTime();
        Advice advice = safely(work);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        for (GuardListener listener : store.config().guardListeners()) {
            quietly(() -> listener.answered(question, call, advice, took));
        }
        return advice;
    }

    /** Turns every error into an advice. */
    @SuppressWarnings("CatchingUnchecked")
    private Advice safely(Supplier<Advice> work) {
        Advice advice;
        try {
            advice = store.isOpen() ? work.get() : GuardAdvice.silent(Advice.Status.UNAVAILABLE, "the store is closed");
        } catch (Throwable e) {
            Log.debug("a guard failed: " + e.getClass().getName(), null);
            advice = GuardAdvice.silent(
                    Advice.Status.UNAVAILABLE,
                    "the memory failed: " + e.getClass().getSimpleName());
        }
        if (advice.status() == Advice.Status.UNAVAILABLE) {
            store.countUnavailable();
        }
        return advice;
    }

    @Override
    public List<Step> explain(ToolCall call, @Nullable ToolError result) {
        return new GuardExplanation(store, sessions, resultJudge).steps(call, result);
    }

    @Override
    public boolean flush(Duration limit) {
        AtomicBoolean written = new AtomicBoolean();
        quietly(() -> written.set(writeQueue.drain(limit)));
        return written.get();
    }

    /** Forgets answers and warnings that may quote entries that are gone. */
    public void purged() {
        told.clear();
        warnings.clear();
    }

    /** Writes the queue and forgets the warnings, so that the next call is checked against all recorded failures. */
    public void flush() {
        writeQueue.write(FLUSH_LIMIT);
        told.write();
        warnings.clear();
    }

    /**
     * Writes the queue and the failures that sessions hold back; writes that do not succeed are dropped and counted.
     */
    public void close() {
        sessions.releaseAll();
        writeQueue.drain(CLOSE_LIMIT);
        writeQueue.discard();
        told.write();
    }
}

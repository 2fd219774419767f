package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.trace.Log;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The guard of one store. Every internal error is reported as {@link Advice.Status#UNAVAILABLE}; no method throws. The
 * state is bounded: {@value Sessions#MAX_SESSIONS} sessions, {@value ReportedCalls#MAX_KEYS} call ids and {@value
 * WriteQueue#CAPACITY} queued writes. Thread-safe. Decision: docs/adr/0022-guard-limit.md.
 */
public final class Guard implements ToolGuard {
    static final String TOO_LATE = "the memory did not answer in time";

    private static final Duration FLUSH_LIMIT = Duration.ofSeconds(30);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    /** The result for a text that reports neither a failure nor a success. */
    private static final Advice NO_REPORT =
            GuardAdvice.silent(Advice.Status.TRIVIAL, "the text does not report a failure");

    private static final Advice SUCCEEDED =
            GuardAdvice.silent(Advice.Status.NOTHING_RELEVANT, "this call was reported as a success");
    private static final Advice NO_WARNING =
            GuardAdvice.silent(Advice.Status.NOTHING_RELEVANT, "no warning is known for this call");

    private final GuardStore store;
    private final BoundedWait recallLimit;
    private final ReportedCalls reportedCalls = new ReportedCalls();
    private final WriteQueue writeQueue;
    private final Sessions sessions;
    private final WarningCache warnings;
    private final CallTruncation truncation;
    private final OutputClassifier outputClassifier;
    private final FailureHandler failureHandler;
    private final SuccessHandler successHandler;

    /**
     * Creates a guard, loads its warnings and warms up the classes of a recall.
     *
     * @param limit how long a recall may take
     */
    public Guard(GuardStore store, LineCodec codec, Duration limit) {
        this.store = store;
        this.recallLimit = new BoundedWait(limit, store::runNow);
        this.writeQueue = new WriteQueue(store);
        SessionFiles files = new SessionFiles(store.files(), store.localFolder(), codec, store.isWritable());
        this.sessions = new Sessions(writeQueue, new SessionReplay(store), store.sharesSessions() ? files : null);
        this.warnings = new WarningCache(store);
        this.truncation = new CallTruncation(codec);
        this.outputClassifier = new OutputClassifier(codec);
        this.failureHandler = new FailureHandler(
                store, recallLimit, writeQueue, sessions, new TransientFailures(writeQueue, files), codec);
        this.successHandler = new SuccessHandler(store, writeQueue, sessions, warnings, codec);
        warmUp();
    }

    private void warmUp() {
        safely(() -> {
            outputClassifier.reportsFailure(ToolCall.shell("git status"), "ok", false);
            FrustrationDetector.in("ok");
            return failureHandler.warmUp(
                    ToolCall.shell("git status"), ToolError.exit(1, "fatal: not a git repository"));
        });
        warnings.refreshQuietly();
    }

    @Override
    public Advice before(ToolCall call) {
        return safely(() -> warning(call));
    }

    private Advice warning(ToolCall given) {
        warnings.refreshIfStale();
        if (warnings.isEmpty()) {
            return NO_WARNING;
        }
        ToolCall bounded = truncation.bounded(given);
        String action = store.redact(bounded.tool(), bounded.action());
        SessionCall call = new SessionCall(0, bounded.tool(), action, store.operation(bounded.tool(), action), null);
        WarningCache.Warning warning = warnings.get(call);
        if (warning == null) {
            return NO_WARNING;
        }
        if (bounded.session() != null) {
            sessions.with(bounded.session(), session -> {
                Session.Warned warned = new Session.Warned(call, warning.family(), warning.suggested());
                session.warned(warned);
                SessionEvent event = SessionEvent.warning(warned, store.now().toEpochMilli());
                sessions.share(bounded.session(), session, event);
                return true;
            });
        }
        return warning.advice();
    }

    @Override
    public Advice failed(ToolCall call, ToolError error) {
        return safely(() -> {
            ReportedCalls.Report report = new ReportedCalls.Report(call.session());
            ReportedCalls.Report before = reportedCalls.putIfAbsent(call, report);
            if (before != null) {
                Advice advice = recallLimit.await(before.advice);
                return advice == null ? GuardAdvice.silent(Advice.Status.UNAVAILABLE, TOO_LATE) : advice;
            }
            return advise(call, error, report);
        });
    }

    /** Advises on a failure; the report is completed in any case, since another thread may wait for it. */
    private Advice advise(ToolCall call, ToolError error, ReportedCalls.Report report) {
        Advice advice = GuardAdvice.silent(Advice.Status.UNAVAILABLE, "the memory failed");
        try {
            ToolError bounded = CallTruncation.bounded(error, Fence.without(error.text()));
            advice = advise(truncation.bounded(call), bounded);
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
        if ((code == null || code == 0) && !outputClassifier.reportsFailure(call, error.text(), code != null)) {
            if (code == null) {
                return NO_REPORT;
            }
            successHandler.handle(call, failureHandler);
            return GuardAdvice.silent(
                    Advice.Status.TRIVIAL,
                    "exit code 0, and the output does not report a failure: the call counts as a success");
        }
        warnings.refreshIfStale();
        return failureHandler.advise(call, error);
    }

    @Override
    public void succeeded(ToolCall call) {
        safely(() -> {
            ReportedCalls.Report report = new ReportedCalls.Report(call.session());
            if (reportedCalls.putIfAbsent(call, report) == null) {
                report.advice.complete(SUCCEEDED);
                successHandler.handle(truncation.bounded(call), failureHandler);
            }
            return SUCCEEDED;
        });
    }

    @Override
    public Advice userSaid(String session, String message) {
        return safely(() -> {
            if (!FrustrationDetector.in(message)) {
                return GuardAdvice.silent(
                        Advice.Status.NOTHING_RELEVANT, "the message does not report a repeated failure");
            }
            return failureHandler.recallLast(session);
        });
    }

    /** Turns every error into an advice. */
    @SuppressWarnings("CatchingUnchecked")
    private Advice safely(Supplier<Advice> work) {
        try {
            return store.isOpen() ? work.get() : GuardAdvice.silent(Advice.Status.UNAVAILABLE, "the store is closed");
        } catch (Throwable e) {
            Log.debug("a guard failed: " + e.getClass().getName(), null);
            return GuardAdvice.silent(
                    Advice.Status.UNAVAILABLE,
                    "the memory failed: " + e.getClass().getSimpleName());
        }
    }

    /** Writes the queue and reloads the warnings, so that the next call is checked against all recorded failures. */
    public void flush() {
        writeQueue.write(FLUSH_LIMIT);
        warnings.refreshQuietly();
    }

    /**
     * Writes the queue and the failures that sessions hold back; writes that do not succeed are dropped and counted.
     */
    public void close() {
        sessions.releaseAll();
        writeQueue.write(CLOSE_LIMIT);
        writeQueue.discard();
    }
}

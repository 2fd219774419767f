package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.trace.Log;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The guard of one store. Whatever goes wrong in here is {@link Advice.Status#UNAVAILABLE} out there. What it remembers is
 * bounded: {@value Sessions#MOST} sessions, {@value ReportedCalls#MOST} call ids, {@value WriteQueue#CAPACITY} records on their way.
 */
public final class Guard implements ToolGuard {
    static final String TOO_LATE = "the memory did not answer in time";

    private static final Duration FLUSH = Duration.ofSeconds(30);
    private static final Duration CLOSE = Duration.ofSeconds(1);
    private static final String CLOSED = "the store is closed";

    private final GuardStore memory;
    private final BoundedWait patience;
    private final ReportedCalls verdicts = new ReportedCalls();
    private final WriteQueue outbox;
    private final Sessions sessions;
    private final WarningCache warnings;
    private final CallTruncation calls;
    private final OutputClassifier reading;
    private final FailureHandler failing;
    private final SuccessHandler succeeding;

    /**
     * A guard that is ready: what warnings need is read, and the classes of a recall are loaded.
     *
     * @param limit how long a recall may take
     */
    public Guard(GuardStore memory, LineCodec codec, Duration limit) {
        this.memory = memory;
        this.patience = new BoundedWait(limit, memory::runNow);
        this.outbox = new WriteQueue(memory);
        this.sessions = new Sessions(outbox);
        this.warnings = new WarningCache(memory);
        this.calls = new CallTruncation(codec);
        this.reading = new OutputClassifier(codec);
        this.failing = new FailureHandler(memory, patience, outbox, sessions, codec);
        this.succeeding = new SuccessHandler(memory, outbox, sessions, warnings, codec);
        prepare();
    }

    private void prepare() {
        safely(() -> {
            reading.saysFailure(ToolCall.shell("git status"), "ok", false);
            FrustrationDetector.in("ok");
            return failing.rehearsed(ToolCall.shell("git status"), ToolError.exit(1, "fatal: not a git repository"));
        });
        warnings.refreshQuietly();
    }

    @Override
    public Advice before(ToolCall call) {
        return safely(() -> warning(call));
    }

    private Advice warning(ToolCall given) {
        warnings.refreshIfOld();
        if (warnings.isEmpty()) {
            return GuardAdvice.silent(
                    Advice.Status.NOTHING_RELEVANT, "nothing is known that this call should be warned of");
        }
        ToolCall call = calls.bounded(given);
        String action = memory.clean(call.tool(), call.action());
        SessionCall step = new SessionCall(0, call.tool(), action, memory.operation(call.tool(), action), null);
        WarningCache.Warning warning = warnings.of(step);
        if (warning == null) {
            return GuardAdvice.silent(
                    Advice.Status.NOTHING_RELEVANT, "nothing is known that this call should be warned of");
        }
        if (call.session() != null) {
            sessions.with(call.session(), session -> {
                session.warned(new Session.Warned(step, warning.family(), warning.suggested()));
                return true;
            });
        }
        return warning.advice();
    }

    @Override
    public Advice failed(ToolCall call, ToolError error) {
        return safely(() -> {
            ReportedCalls.Verdict fresh = ReportedCalls.of(call);
            ReportedCalls.Verdict before = verdicts.first(call, fresh);
            if (before != null) {
                Advice answer = patience.await(before.answer());
                return answer == null ? GuardAdvice.silent(Advice.Status.UNAVAILABLE, TOO_LATE) : answer;
            }
            return judged(call, error, fresh);
        });
    }

    /** Whatever happens, the verdict has its answer at the end. */
    private Advice judged(ToolCall call, ToolError error, ReportedCalls.Verdict verdict) {
        Advice answer = GuardAdvice.silent(Advice.Status.UNAVAILABLE, "the memory failed");
        try {
            answer = judged(calls.bounded(call), CallTruncation.bounded(error, SelfEchoFilter.without(error.text())));
        } finally {
            verdicts.answered(verdict, answer);
        }
        if (answer == NO_VERDICT) {
            verdicts.withdraw(verdict);
        }
        return answer;
    }

    /** The answer to a text that says neither that the call failed nor that it worked. */
    private static final Advice NO_VERDICT =
            GuardAdvice.silent(Advice.Status.TRIVIAL, "the text says nothing of a failure");

    private Advice judged(ToolCall call, ToolError error) {
        Integer code = error.exitCode();
        if ((code == null || code == 0) && !reading.saysFailure(call, error.text(), code != null)) {
            if (code == null) {
                return NO_VERDICT;
            }
            succeeding.note(call, failing);
            return GuardAdvice.silent(
                    Advice.Status.TRIVIAL,
                    "exit code 0, and the output says nothing of a failure: it counts as a success");
        }
        warnings.refreshIfOld();
        return failing.answer(call, error);
    }

    @Override
    public void succeeded(ToolCall call) {
        safely(() -> {
            ReportedCalls.Verdict fresh = ReportedCalls.of(call);
            if (verdicts.first(call, fresh) == null) {
                fresh.answer().complete(WORKED);
                succeeding.note(calls.bounded(call), failing);
            }
            return WORKED;
        });
    }

    private static final Advice WORKED =
            GuardAdvice.silent(Advice.Status.NOTHING_RELEVANT, "this call was reported to have worked");

    @Override
    public Advice userSaid(String session, String message) {
        return safely(() -> {
            if (!FrustrationDetector.in(message)) {
                return GuardAdvice.silent(
                        Advice.Status.NOTHING_RELEVANT, "the message says nothing of a failure that came again");
            }
            Session.LastFailure last = sessions.ifKnown(session, Session::lastFailure);
            return last == null
                    ? GuardAdvice.silent(Advice.Status.NOTHING_RELEVANT, "no failure of this session is known")
                    : failing.again(last);
        });
    }

    /** Nothing that goes wrong in here goes out. */
    @SuppressWarnings("CatchingUnchecked")
    private Advice safely(Supplier<Advice> work) {
        try {
            return memory.isOpen() ? work.get() : GuardAdvice.silent(Advice.Status.UNAVAILABLE, CLOSED);
        } catch (Throwable e) {
            Log.debug("a guard failed: " + e.getClass().getName(), null);
            return GuardAdvice.silent(
                    Advice.Status.UNAVAILABLE,
                    "the memory failed: " + e.getClass().getSimpleName());
        }
    }

    /** Writes what waits, and looks at the logs anew, so that the next call is warned of all that was recorded. */
    public void flush() {
        outbox.write(FLUSH);
        warnings.refreshQuietly();
    }

    /** Writes what waits, also what sessions hold back; what cannot be written is dropped and counted. */
    public void close() {
        sessions.releaseAll();
        outbox.write(CLOSE);
        outbox.abandon();
    }
}

package dev.xmem.benchmarks.repeat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One arm of the experiment: when the agent sees its memory. Both arms with a memory store the same entries and
 * report every call; they differ only in what they show.
 */
final class ExperimentArm implements AutoCloseable {
    /** When the agent sees the memory. */
    enum Kind {
        NO_MEMORY("no memory"),
        START_OF_TURN("memory at the start of the turn"),
        TOOL_CALL("recall at the tool call"),
        HOOKS("recall by hooks, a process each");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    private static final Duration GUARD_LIMIT = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofHours(5);
    private static final int SHOWN_ENTRIES = 3;

    private final Kind kind;
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-02-14T08:00:00Z"));
    private final @Nullable HookCommand hook;
    private final XMemStore store;
    private final ToolGuard guard;

    /** @param hook the hooks; null for every kind but {@link Kind#HOOKS} */
    ExperimentArm(Kind kind, @Nullable HookCommand hook) {
        this.kind = kind;
        this.hook = kind == Kind.HOOKS ? hook : null;
        this.store =
                XMem.inMemoryBuilder().clock(now::get).guardLimit(GUARD_LIMIT).open();
        this.guard = store.guard();
    }

    Kind kind() {
        return kind;
    }

    /** Records the first failure with the advice of the user. */
    void record(String command, Sandbox.Result result, String advice) {
        ToolCall call = ToolCall.shell(command).session("first");
        Failure.Draft failure =
                Failure.of(call, ToolError.exit(result.code(), result.output())).patternAvoid(advice);
        if (hook == null) {
            store.recordFailure(failure);
        } else {
            try (XMemStore shared = XMem.open(hook.store())) {
                shared.recordFailure(failure);
            }
        }
        now.updateAndGet(time -> time.plusSeconds(60));
    }

    /** Starts a new session. */
    void session() {
        store.flush();
        now.updateAndGet(time -> time.plus(PAUSE));
    }

    String atStart(String task) {
        return kind == Kind.START_OF_TURN
                ? store.search(Query.words(task).limit(SHOWN_ENTRIES)).text()
                : "";
    }

    String before(String session, String command) throws IOException, InterruptedException {
        if (hook != null) {
            return hook.before(session, command);
        }
        store.flush();
        return kind == Kind.TOOL_CALL ? guard.before(call(session, command)).text() : "";
    }

    String after(String session, String command, Sandbox.Result result) throws IOException, InterruptedException {
        if (hook != null) {
            return hook.after(session, command, result);
        }
        Advice advice = guard.failed(call(session, command), ToolError.exit(result.reported(), result.output()));
        if (advice.status() == Advice.Status.UNAVAILABLE) {
            throw new IllegalStateException("the memory did not answer within a minute: " + advice.reason());
        }
        return kind == Kind.TOOL_CALL ? advice.text() : "";
    }

    private static ToolCall call(String session, String command) {
        return ToolCall.shell(command).session(session);
    }

    @Override
    public void close() {
        store.close();
    }
}

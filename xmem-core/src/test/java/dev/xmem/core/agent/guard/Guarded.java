package dev.xmem.core.agent.guard;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** An in-memory store with a manual clock, and a guard with a long time limit for a busy machine. */
final class Guarded implements AutoCloseable {
    static final ToolError NO_UPSTREAM = ToolError.exit(
            128,
            "fatal: The current branch topic has no upstream branch.\n"
                    + "To push the current branch and set the remote as upstream, use\n");
    static final String NO_UPSTREAM_HASH = "git-push-no-upstream";

    private final AtomicReference<Instant> time = new AtomicReference<>(Instant.parse("2026-02-14T12:00:00Z"));
    final XMemStore store = builder().clock(time::get).open();
    final ToolGuard guard = store.guard();

    static XMem.Builder builder() {
        return XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60));
    }

    static ToolCall shell(String session, String line) {
        return ToolCall.shell(line).session(session);
    }

    void pass(Duration duration) {
        time.updateAndGet(now -> now.plus(duration));
    }

    /** The recorded failures, oldest first. */
    List<Failure> failures() {
        return entries(Entry.Kind.FAILURE).stream().map(Failure.class::cast).toList();
    }

    List<Success> successes() {
        return entries(Entry.Kind.SUCCESS).stream().map(Success.class::cast).toList();
    }

    private List<Entry> entries(Entry.Kind kind) {
        store.flush();
        return store.search(Query.all().kind(kind).order(Query.Order.NEWEST).limit(70)).matches().stream()
                .map(match -> match.entry())
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .toList();
    }

    @Override
    public void close() {
        store.close();
    }
}

package dev.xmem.transcripts;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Passes calls of the past to a guard, in their order and at their times: what it says is what a guard would have said,
 * and what it records is what a guard would have recorded. Its memory is empty at first. Not thread-safe. Decision:
 * docs/adr/0066-the-guard-judges-transcripts.md.
 */
final class CallJudge implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int REACH = 11;
    private static final int MAX_SESSIONS = 512;
    private static final int MAX_MINED = 4;
    private static final long SEED = 21;

    private final XMemStore memory;
    private final ToolGuard guard;
    private final Map<String, Recent> sessions = new BoundedMap<>(MAX_SESSIONS);
    private volatile Instant now = Instant.EPOCH;

    /** What is known of a session: the calls since its last failure, what failed, and the newest mined success. */
    private static final class Recent {
        int calls;
        String mined = "";
        final Set<String> failedTools = new HashSet<>();

        /** Whether a call may answer a failure: one with JSON arguments answers only a failure of its own tool. */
        boolean mayEndWith(ToolCall call) {
            return calls <= REACH && (!call.action().startsWith("{") || failedTools.contains(call.tool()));
        }
    }

    /**
     * What the guard said of a call.
     *
     * @param family the context hash of the failure; null if the call did not fail, or trivially
     * @param advice what it said; it has the id of the recorded failure, as soon as there is one; null if it was not
     *     asked
     * @param mined what the guard learned from it
     */
    record Judgement(@Nullable String family, @Nullable Advice advice, List<Success> mined) {
        Judgement {
            mined = List.copyOf(mined);
        }
    }

    CallJudge() {
        this.memory = XMem.inMemoryBuilder()
                .clock(() -> now)
                .guardLimit(LIMIT)
                .random(new Random(SEED))
                .open();
        this.guard = memory.guard();
        guard.warmUp();
    }

    Judgement judge(PastCall call) {
        now = call.time().isAfter(now) ? call.time() : now;
        Advice advice = advice(call);
        if (advice != null && advice.ctxHash() != null && advice.status() != Advice.Status.TRIVIAL) {
            guard.flush(LIMIT);
            Recent recent = sessions.computeIfAbsent(call.session(), absent -> new Recent());
            recent.calls = 0;
            recent.failedTools.add(call.call().tool());
            return new Judgement(advice.ctxHash(), advice, List.of());
        }
        Recent recent = sessions.get(call.session());
        if (recent == null) {
            return new Judgement(null, advice, List.of());
        }
        recent.calls++;
        if (!recent.mayEndWith(call.call())) {
            return new Judgement(null, advice, List.of());
        }
        guard.flush(LIMIT);
        return new Judgement(null, advice, mined(call.session(), recent));
    }

    private @Nullable Advice advice(PastCall call) {
        ToolError result = call.result();
        if (result == null) {
            guard.succeeded(call.call());
            return null;
        }
        Advice advice = guard.failed(call.call(), result);
        // without an exit code, an output that reports no failure counts like one with exit code 0
        return result.exitCode() == null && advice.ctxHash() == null
                ? guard.failed(call.call(), ToolError.exit(0, result.text()))
                : advice;
    }

    /** The successes that the guard recorded since the last call of the session, oldest first. */
    private List<Success> mined(String session, Recent recent) {
        List<Success> mined = new ArrayList<>();
        Query newest = Query.all()
                .kind(Entry.Kind.SUCCESS)
                .session(session)
                .order(Query.Order.NEWEST)
                .limit(1);
        List<Match> found = memory.search(newest).matches();
        if (found.isEmpty() || found.get(0).entry().id().equals(recent.mined)) {
            return mined;
        }
        for (Match match : memory.search(newest.limit(MAX_MINED)).matches()) {
            if (!(match.entry() instanceof Success success) || success.id().equals(recent.mined)) {
                break;
            }
            mined.add(0, success);
        }
        recent.mined =
                mined.isEmpty() ? recent.mined : mined.get(mined.size() - 1).id();
        return mined;
    }

    @Override
    public void close() {
        memory.close();
    }
}

package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The first verdict on each call id, of the {@value #MOST} that were used last. A call reported with a session and one
 * reported without, as some frameworks do, are one call if their ids are equal. Thread-safe.
 */
final class ReportedCalls {
    static final int MOST = 1024;
    private static final long MOST_BYTES = 4L << 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Verdict> known = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** A verdict, with the answer that was or will be given to it. */
    static final class Verdict {
        private final @Nullable String session;
        private final CompletableFuture<Advice> answer = new CompletableFuture<>();
        private boolean held;
        private int weight;

        private Verdict(@Nullable String session) {
            this.session = session;
        }

        CompletableFuture<Advice> answer() {
            return answer;
        }
    }

    /**
     * The verdict that stands on a call.
     *
     * @param fresh the verdict to stand from now on if there is none
     * @return the earlier one; null if {@code fresh} stands, or the call has no id
     */
    @Nullable Verdict first(ToolCall call, Verdict fresh) {
        String id = call.callId();
        if (id == null) {
            return null;
        }
        String anywhere = KeyDigest.of(id);
        String session = fresh.session;
        lock.lock();
        try {
            Verdict before = known.get(anywhere);
            if (before != null && (session == null || before.session == null)) {
                return before;
            }
            if (session != null) {
                String here = KeyDigest.of(session) + '\n' + anywhere;
                Verdict same = known.putIfAbsent(here, fresh);
                if (same != null) {
                    return same;
                }
            }
            known.put(anywhere, fresh);
            fresh.held = true;
            trim();
            return null;
        } finally {
            lock.unlock();
        }
    }

    static Verdict of(ToolCall call) {
        return new Verdict(call.session());
    }

    /** Forgets a verdict that turned out to be none. */
    void withdraw(Verdict verdict) {
        lock.lock();
        try {
            if (verdict.held) {
                known.values().removeIf(other -> other == verdict);
                release(verdict);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives a verdict its answer. */
    void answered(Verdict verdict, Advice advice) {
        verdict.answer.complete(advice);
        lock.lock();
        try {
            if (verdict.held) {
                verdict.weight = GuardAdvice.weight(advice);
                bytes += verdict.weight;
                trim();
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return known.size();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the eldest until there is room. */
    private void trim() {
        Iterator<Verdict> eldest = known.values().iterator();
        while (eldest.hasNext() && (known.size() > MOST || bytes > MOST_BYTES)) {
            Verdict gone = eldest.next();
            eldest.remove();
            release(gone);
        }
    }

    private void release(Verdict gone) {
        bytes -= gone.weight;
        gone.weight = 0;
        gone.held = false;
    }
}

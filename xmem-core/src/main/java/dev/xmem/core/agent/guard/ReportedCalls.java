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
 * The first report of each call id, for the most recently used {@value #MAX_KEYS} keys. Some frameworks report a call
 * twice, with and without its session: reports with equal ids are one call if either has no session. Thread-safe.
 */
final class ReportedCalls {
    static final int MAX_KEYS = 1024;
    private static final long MAX_BYTES = 4L << 20;

    private final ReentrantLock lock = new ReentrantLock();
    final Map<String, Report> reports = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** The report of a call, with the advice that answers it. */
    static final class Report {
        private final @Nullable String session;
        final CompletableFuture<Advice> advice = new CompletableFuture<>();
        private boolean held;
        private int weight;

        Report(@Nullable String session) {
            this.session = session;
        }
    }

    /**
     * Adds the first report of a call; returns the earlier report if there is one. A call without an id is not kept.
     */
    @Nullable Report putIfAbsent(ToolCall call, Report report) {
        String id = call.callId();
        if (id == null) {
            return null;
        }
        String anySession = CallTruncation.key(id);
        String session = report.session;
        lock.lock();
        try {
            Report before = reports.get(anySession);
            if (before != null && (session == null || before.session == null)) {
                return before;
            }
            if (session != null) {
                Report same = reports.putIfAbsent(CallTruncation.key(session) + '\n' + anySession, report);
                if (same != null) {
                    return same;
                }
            }
            reports.put(anySession, report);
            report.held = true;
            trim();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Removes a report that contained no result. */
    void remove(Report report) {
        lock.lock();
        try {
            if (report.held) {
                reports.values().removeIf(other -> other == report);
                release(report);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sets the advice that answers a report. */
    void complete(Report report, Advice advice) {
        report.advice.complete(advice);
        lock.lock();
        try {
            if (report.held) {
                report.weight = GuardAdvice.weight(advice);
                bytes += report.weight;
                trim();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Evicts the least recently used reports above the limits. */
    private void trim() {
        Iterator<Report> eldest = reports.values().iterator();
        while (eldest.hasNext() && (reports.size() > MAX_KEYS || bytes > MAX_BYTES)) {
            Report evicted = eldest.next();
            eldest.remove();
            release(evicted);
        }
    }

    private void release(Report report) {
        bytes -= report.weight;
        report.weight = 0;
        report.held = false;
    }
}

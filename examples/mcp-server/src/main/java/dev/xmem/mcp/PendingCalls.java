package dev.xmem.mcp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The requests of one session that are neither answered nor cancelled. Thread-safe. */
final class PendingCalls {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Object, Call> calls = new HashMap<>();

    /** A request until it is answered or cancelled. */
    static final class Call {
        private final JsonRpc.Request request;
        private final CountDownLatch over = new CountDownLatch(1);

        private Call(JsonRpc.Request request) {
            this.request = request;
        }

        JsonRpc.Request request() {
            return request;
        }

        /** Waits until the call is answered or cancelled. */
        void awaitOver(long seconds) throws InterruptedException {
            over.await(seconds, TimeUnit.SECONDS);
        }
    }

    /**
     * Adds a request.
     *
     * @return null if a request with this id is pending
     */
    @Nullable Call begin(JsonRpc.Request request) {
        Call call = new Call(request);
        lock.lock();
        try {
            return calls.putIfAbsent(request.id(), call) == null ? call : null;
        } finally {
            lock.unlock();
        }
    }

    boolean isPending(Call call) {
        return call.over.getCount() > 0;
    }

    /** Ends a call. If it is pending, it is answered before other threads see that it has ended. */
    void end(Call call, Runnable answer) {
        lock.lock();
        try {
            if (calls.remove(call.request.id(), call)) {
                answer.run();
            }
            call.over.countDown();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the call with this id, if there is one, without an answer. */
    void cancel(Object id) {
        lock.lock();
        try {
            Call call = calls.remove(id);
            if (call != null) {
                call.over.countDown();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no call is pending, and returns the calls that still are if none has ended for this time. */
    List<Call> awaitNone(long millis) throws InterruptedException {
        lock.lock();
        try {
            boolean ended = true;
            while (!calls.isEmpty() && ended) {
                int before = calls.size();
                long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
                while (calls.size() == before && nanos > 0) {
                    nanos = changed.awaitNanos(nanos);
                }
                ended = calls.size() < before;
            }
            return new ArrayList<>(calls.values());
        } finally {
            lock.unlock();
        }
    }
}

package dev.xmem.core.sync;

import dev.xmem.SyncReport;
import dev.xmem.core.base.concurrent.SerialScheduler;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.base.trace.StoreEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Syncs behind the agent's back: looks at the own logs four times a second, publishes what was recorded a second ago, or
 * at once when 64 entries wait, and asks what others published every few seconds. After trouble it waits, twice as long each
 * time up to a minute, give or take a half. Nobody who records ever meets it: it looks at files, and takes no lock but its
 * own.
 */
public final class SyncWorker {
    private static final Duration TICK = Duration.ofMillis(250);
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MANY = 64;
    private static final Duration ROUND_LIMIT = Duration.ofSeconds(30);
    private static final long LONGEST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Duration LAST_ROUND = Duration.ofSeconds(1);
    private static final Duration LAST_PATIENCE = Duration.ofMillis(200);

    private final Sync sync;
    private final SerialScheduler lane;
    private final LongAdder appended;
    private final Duration interval;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Runnable imported;
    private final Runnable task = this::tick;
    private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile boolean stopped;
    private volatile SyncStatus status;

    // Only the lane's thread looks at these.
    private List<Object> publishedSignature = List.of();
    private long appendedThen;
    private boolean waiting;
    private long waitingSince;
    private long nextPoll = System.nanoTime();
    private long notBefore = System.nanoTime();
    private int failures;

    /** Somebody waits for a round. */
    private static final class Request {
        private final Duration limit;
        private final boolean last;
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable SyncStatus answer;

        Request(Duration limit, boolean last) {
            this.limit = limit;
            this.last = last;
        }

        void answer(SyncStatus round) {
            answer = round;
            done.countDown();
        }

        /** Waits for the answer; an interrupt is kept for later. */
        @Nullable SyncStatus await(Duration patience) {
            boolean interrupted = Thread.interrupted();
            long deadline = System.nanoTime() + patience.toNanos();
            try {
                while (true) {
                    try {
                        return done.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS) ? answer : null;
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    public SyncWorker(
            Sync sync,
            String backend,
            SerialScheduler lane,
            LongAdder appended,
            Duration interval,
            InstantSource clock,
            RandomGenerator random,
            Runnable imported) {
        this.sync = sync;
        this.lane = lane;
        this.appended = appended;
        this.interval = interval;
        this.clock = clock;
        this.random = random;
        this.imported = imported;
        this.status = SyncStatus.unknown(backend);
    }

    public void start() {
        lane.schedule(task, TICK);
    }

    public SyncReport status() {
        return status;
    }

    /** One full round now; waits for it as long as the limit says. */
    public SyncReport sync(Duration limit) {
        Request request = new Request(limit, false);
        requests.add(request);
        lane.schedule(task, Duration.ZERO);
        SyncStatus answer = request.await(limit);
        return answer != null
                ? answer
                : status.troubled(
                        "the round takes longer than " + limit.toMillis() + " ms; it goes on in the background");
    }

    /** Publishes what waits, if that takes no longer than a second, and ends. */
    public void close() {
        Request request = new Request(LAST_ROUND, true);
        requests.add(request);
        lane.schedule(task, Duration.ZERO);
        request.await(LAST_ROUND);
        stopped = true;
        if (!lane.cancel(task, LAST_PATIENCE)) {
            lane.interrupt(task);
        }
        if (lane.cancel(task, LAST_PATIENCE)) {
            release();
        }
    }

    private void tick() {
        Request request = requests.poll();
        try {
            if (request == null || stopped) {
                look(false);
            } else if (request.last) {
                look(failures == 0);
            } else {
                SyncStatus round = round(true, true, request.limit);
                request.answer(round);
            }
        } catch (IOException | RuntimeException e) {
            Log.debug("a sync round failed", e);
        } finally {
            if (request != null && request.answer == null) {
                request.answer(status.troubled("the round failed"));
            }
            if (stopped) {
                release();
            } else {
                lane.schedule(task, requests.isEmpty() ? TICK : Duration.ZERO);
            }
        }
    }

    /** Does what it is time for. */
    private void look(boolean last) throws IOException {
        long now = System.nanoTime();
        boolean waited = waiting;
        waiting = !sync.signature().equals(publishedSignature);
        if (waiting && !waited) {
            waitingSince = now;
        }
        if (stopped || now - notBefore < 0) {
            return;
        }
        boolean many = appended.sum() - appendedThen >= MANY;
        boolean publish = waiting && (last || many || now - waitingSince >= SETTLED_NANOS);
        boolean poll = !last && now - nextPoll >= 0;
        if (publish || poll) {
            round(publish, poll, last ? LAST_ROUND : ROUND_LIMIT);
        }
    }

    private SyncStatus round(boolean publish, boolean poll, Duration limit) throws IOException {
        List<Object> before = sync.signature();
        long appendedBefore = appended.sum();
        StoreEvent event = new StoreEvent(StoreEvent.Operation.SYNC);
        RoundResult result = sync.round(publish, poll, limit, () -> stopped);
        event.done();
        boolean interrupted = Thread.interrupted();
        if (result.failure() == null) {
            failures = 0;
            if (publish) {
                publishedSignature = before;
                appendedThen = appendedBefore;
                waiting = false;
            }
        } else {
            String how = interrupted ? "a sync round was interrupted" : "a sync round ended early";
            Log.debug(how, result.failure());
            long pause = Math.min(LONGEST_BACKOFF_NANOS, SETTLED_NANOS << Math.min(failures, 10));
            failures++;
            notBefore = System.nanoTime() + (long) (pause * (0.5 + random.nextDouble()));
        }
        if (poll) {
            nextPoll = System.nanoTime() + (long) (interval.toNanos() * (0.8 + 0.4 * random.nextDouble()));
        }
        if (result.imported() > 0) {
            imported.run();
        }
        Duration lag = waiting ? Duration.ofNanos(System.nanoTime() - waitingSince) : Duration.ZERO;
        SyncStatus round = status.round(result, lag, clock.instant());
        status = status.plus(round);
        return round;
    }

    private void release() {
        if (released.compareAndSet(false, true)) {
            try {
                sync.close();
            } catch (IOException | RuntimeException e) {
                Log.debug("the sync backend was not closed", e);
            }
        }
    }
}

package dev.xmem.core.sync;

import dev.xmem.SyncReport;
import dev.xmem.core.base.concurrent.SerialScheduler;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.base.trace.StoreEvent;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Synchronises a store in the background. Four times a second the worker checks whether the own logs have changed. It
 * publishes one second after a change, or at once when 64 entries are pending, and polls the backend once per interval.
 * After a failed round it backs off exponentially, up to a minute, with 50 % jitter. Appends never wait for the worker:
 * it reads files, and takes no lock but the sync lock.
 *
 * <p>With a backend that has {@link SyncBackend.Ability#GROUP_COMMIT}, appending threads tell the worker
 * ({@link #appended}): it publishes a tenth of a second later, looks at the logs every three seconds, since other
 * processes may append, and does not poll.
 *
 * <p>Thread-safe. The mutable fields of a round are confined to the scheduler's thread; {@link #sync} and {@link
 * #close} pass requests to it.
 */
public final class SyncWorker {
    private static final Duration TICK = Duration.ofMillis(250);
    /** How often the worker looks at the logs if appending threads tell it what they append. */
    public static final Duration GROUP_TICK = Duration.ofSeconds(3);

    private static final long PUBLISH_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A guard writes a failure some milliseconds after the lesson that its agent records. */
    private static final Duration GROUP_DELAY = Duration.ofMillis(100);

    private static final int PUBLISH_ENTRIES = 64;
    private static final Duration ROUND_LIMIT = Duration.ofSeconds(30);
    private static final long MAX_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Duration LAST_ROUND_LIMIT = Duration.ofSeconds(1);
    private static final Duration CANCEL_LIMIT = Duration.ofMillis(200);

    private final Sync sync;
    private final SerialScheduler scheduler;
    private final LongAdder appended;
    /** Whether the backend writes the publications of many stores together. */
    private final boolean grouped;
    /** How often the worker looks at the logs. */
    private final Duration tick;

    private final Duration interval;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Runnable imported;
    private final Runnable task = this::tick;
    private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean released = new AtomicBoolean();
    /** Whether an appending thread has told the worker since the last round. */
    private final AtomicBoolean noticed = new AtomicBoolean();

    private volatile boolean stopped;
    private volatile SyncStatus status;

    // Confined to the scheduler's thread.
    private List<Object> publishedSignature = List.of();
    private long publishedCount;
    private boolean pending;
    private long pendingSince;
    private long nextPoll = System.nanoTime();
    private long notBefore = System.nanoTime();
    private int failures;

    /** A round that a caller waits for. */
    private record Request(Duration limit, boolean last, CompletableFuture<SyncStatus> report) {
        /** Waits for the report; null if the time limit is over. */
        @Nullable SyncStatus await() {
            return SerialScheduler.await(report, System.nanoTime() + limit.toNanos());
        }
    }

    /** @param groupTick how often the worker looks at the logs if the backend groups publications */
    public SyncWorker(
            Sync sync,
            String backend,
            SerialScheduler scheduler,
            LongAdder appended,
            Duration interval,
            InstantSource clock,
            RandomGenerator random,
            Runnable imported,
            Duration groupTick) {
        this.sync = sync;
        this.scheduler = scheduler;
        this.appended = appended;
        this.grouped = sync.backend.abilities().contains(SyncBackend.Ability.GROUP_COMMIT);
        this.interval = interval;
        this.clock = clock;
        this.random = random;
        this.imported = imported;
        this.tick = grouped ? groupTick : TICK;
        this.status = SyncStatus.initial(backend);
    }

    public void start() {
        scheduler.schedule(task, TICK);
    }

    /** Says that this process has appended to the logs. Does not wait. */
    public void appended() {
        if (grouped && !stopped && noticed.compareAndSet(false, true)) {
            scheduler.schedule(task, GROUP_DELAY);
        }
    }

    public SyncReport status() {
        return status;
    }

    /** Runs a full round now, and waits for its report up to the time limit; the round continues in the background. */
    public SyncReport sync(Duration limit) {
        Request request = new Request(limit, false, new CompletableFuture<>());
        requests.add(request);
        scheduler.schedule(task, Duration.ZERO);
        SyncStatus report = request.await();
        return report != null
                ? report
                : status.withError(
                        "the round takes longer than " + limit.toMillis() + " ms; it continues in the background");
    }

    /** Publishes the pending entries if that takes at most one second, then stops the worker. */
    public void close() {
        Request request = new Request(LAST_ROUND_LIMIT, true, new CompletableFuture<>());
        requests.add(request);
        scheduler.schedule(task, Duration.ZERO);
        request.await();
        stopped = true;
        if (!scheduler.cancel(task, CANCEL_LIMIT)) {
            scheduler.interrupt(task);
        }
        if (scheduler.cancel(task, CANCEL_LIMIT)) {
            release();
        }
    }

    private void tick() {
        noticed.set(false); // before the look at the logs: what is appended later is told again
        Request request = requests.poll();
        try {
            if (request == null || stopped) {
                runDueRound(false);
            } else if (request.last) {
                runDueRound(failures == 0);
            } else {
                request.report.complete(round(sync.signature(), true, true, request.limit));
            }
        } catch (IOException | RuntimeException e) {
            ended(request, e);
        } catch (Error e) {
            ended(request, e);
            throw e;
        } finally {
            if (request != null) {
                request.report.complete(status); // unless it is complete
            }
            if (stopped) {
                release();
            } else {
                scheduler.schedule(task, requests.isEmpty() ? tick : Duration.ZERO);
            }
        }
    }

    /** Reports what ended a round outside of the backend's calls. */
    private void ended(@Nullable Request request, Throwable failure) {
        Log.debug("a sync round failed", failure);
        SyncStatus report = status.withError(SyncStatus.problem(failure));
        status = status.plus(report);
        backOff();
        if (request != null) {
            request.report.complete(report);
        }
    }

    private void backOff() {
        long pause = Math.min(MAX_BACKOFF_NANOS, PUBLISH_DELAY_NANOS << Math.min(failures, 10));
        failures++;
        notBefore = System.nanoTime() + (long) (pause * (0.5 + random.nextDouble()));
    }

    /** Publishes and polls if it is time to. */
    private void runDueRound(boolean last) throws IOException {
        long now = System.nanoTime();
        boolean wasPending = pending;
        List<Object> signature = sync.signature();
        pending = !signature.equals(publishedSignature);
        if (pending && !wasPending) {
            pendingSince = now;
        }
        if (stopped || now - notBefore < 0) {
            return;
        }
        boolean full = appended.sum() - publishedCount >= PUBLISH_ENTRIES;
        boolean publish = pending && (last || full || grouped || now - pendingSince >= PUBLISH_DELAY_NANOS);
        boolean poll = !last && !grouped && now - nextPoll >= 0;
        if (publish || poll) {
            round(signature, publish, poll, last ? LAST_ROUND_LIMIT : ROUND_LIMIT);
        }
    }

    /**
     * Runs a round.
     *
     * @param before the signature of the logs before the round, which publishes at least these
     */
    private SyncStatus round(List<Object> before, boolean publish, boolean poll, Duration limit) throws IOException {
        long appendedBefore = appended.sum();
        StoreEvent event = new StoreEvent(StoreEvent.Operation.SYNC);
        SyncRound.Result result = sync.round(publish, poll, limit, () -> stopped);
        event.done();
        boolean interrupted = Thread.interrupted();
        if (result.failure() == null) {
            failures = 0;
            if (publish) {
                publishedSignature = before;
                publishedCount = appendedBefore;
                pending = false;
            }
        } else {
            Log.debug(interrupted ? "a sync round was interrupted" : "a sync round failed early", result.failure());
            backOff();
        }
        if (poll) {
            nextPoll = System.nanoTime() + (long) (interval.toNanos() * (0.8 + 0.4 * random.nextDouble()));
        }
        if (result.imported() > 0) {
            imported.run();
        }
        Duration lag = pending ? Duration.ofNanos(System.nanoTime() - pendingSince) : Duration.ZERO;
        SyncStatus round = status.round(result, lag, clock.instant());
        status = status.plus(round);
        return round;
    }

    private void release() {
        if (released.compareAndSet(false, true)) {
            try {
                sync.close();
            } catch (IOException | RuntimeException e) {
                Log.debug("the sync backend could not be closed", e);
            }
        }
    }
}

package dev.xmem.postgres;

import dev.xmem.spi.SyncBackend.Ack;
import dev.xmem.spi.SyncBackend.Publication;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the publications of all stores of a process. Those that arrive within the gathering time, or while a
 * transaction runs, are written by one transaction (group commit). After a group that gathered one publication only,
 * some do not wait: the stores may share a thread. A refused publication does not affect the others. A replica
 * that another transaction has locked is left out. If the transaction of a group fails although there is a connection,
 * each caller tries its publication in a transaction of its own, and a replica whose own transaction failed goes on so
 * until one succeeds: the others do not wait for it. Thread-safe.
 */
final class GroupCommit {
    static final Duration GATHER = Duration.ofMillis(100);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int MOST = 64;
    private static final long MOST_BYTES = 8L << 20;
    private static final int IDLE_SECONDS = 30;
    /** How many groups do not wait for others after one that waited in vain. */
    private static final int HURRIED = 7;

    private final TransactionRunner transactions;
    private final Consumer<Set<Long>> committed;
    private final Duration gather;
    private final Queue<Waiting> queue = new ArrayDeque<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    /** The replicas whose last transaction of their own failed. */
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    /** How many groups still do not wait for others; written by the writer's thread. */
    private volatile int hurried;

    private final ScheduledThreadPoolExecutor writer;

    /**
     * @param transactions on pooled connections
     * @param committed is told the keys of the families of each transaction
     * @param gather how long the first publication of a group waits for others
     */
    GroupCommit(TransactionRunner transactions, Consumer<Set<Long>> committed, Duration gather) {
        this.transactions = transactions;
        this.committed = committed;
        this.gather = gather;
        this.writer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "xmem-publisher");
            thread.setDaemon(true);
            return thread;
        });
        writer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        writer.allowCoreThreadTimeOut(true);
    }

    /** A publication, and the future that its store waits for: null if the store has to publish alone. */
    private record Waiting(Publication own, CompletableFuture<@Nullable Ack> ack) {
        long bytes() {
            return own.chunks().stream()
                    .mapToLong(chunk -> chunk.bytes().length)
                    .sum();
        }
    }

    /**
     * Publishes with others, or alone.
     *
     * @throws IOException if the publication failed, or its result is unknown after the limit or an interrupt
     */
    Ack publish(Publication own, Duration limit) throws IOException {
        long until = System.nanoTime() + limit.toNanos();
        Ack ack = failing.contains(own.replica()) ? null : publishWithOthers(own, limit);
        return ack == null ? publishAlone(own, until) : ack;
    }

    private @Nullable Ack publishWithOthers(Publication own, Duration limit) throws IOException {
        Waiting waiting = new Waiting(own, new CompletableFuture<>());
        synchronized (queue) {
            queue.add(waiting);
        }
        try {
            if (writer.isShutdown()) {
                throw new RejectedExecutionException(); // closed since: nothing takes it out of the queue
            }
            if (scheduled.compareAndSet(false, true)) {
                // A store that is being closed has little time, and publishes almost alone.
                long nanos = hurried > 0 ? 0 : Math.min(gather.toNanos(), limit.toNanos() / 100);
                writer.schedule(this::writeAll, nanos, TimeUnit.NANOSECONDS);
            }
            return waiting.ack.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the PostgreSQL call was interrupted");
        } catch (TimeoutException e) {
            throw new IOException("PostgreSQL did not respond within " + limit.toMillis() + " ms");
        } catch (RejectedExecutionException e) {
            throw new IOException("the shared memory is closed", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } finally {
            synchronized (queue) {
                queue.remove(waiting);
            }
        }
    }

    private Ack publishAlone(Publication own, long until) throws IOException {
        AtomicBoolean connected = new AtomicBoolean();
        boolean done = false;
        try {
            Duration left = Duration.ofNanos(Math.max(1, until - System.nanoTime()));
            Ack ack =
                    Objects.requireNonNull(write(List.of(own), left, connected).get(0));
            done = true;
            return ack;
        } finally {
            if (done || !connected.get()) {
                failing.remove(own.replica());
            } else {
                failing.add(own.replica());
            }
        }
    }

    /** How many publications wait for the next transaction. */
    int waiting() {
        synchronized (queue) {
            return queue.size();
        }
    }

    private void writeAll() {
        scheduled.set(false); // before the look at the queue: who comes later schedules again
        int left = waiting();
        for (List<Waiting> group = next(left); !group.isEmpty(); group = next(left)) {
            left -= group.size();
            write(group);
        }
    }

    /** Takes publications out of the queue; a second one of the same replica waits for the next group. */
    private List<Waiting> next(int most) {
        List<Waiting> group = new ArrayList<>();
        synchronized (queue) {
            Set<String> replicas = new HashSet<>();
            long bytes = 0;
            for (Waiting waiting = queue.peek();
                    waiting != null && group.size() < Math.min(MOST, most);
                    waiting = queue.peek()) {
                bytes += waiting.bytes();
                boolean fits = bytes <= MOST_BYTES || group.isEmpty();
                if (!fits || !replicas.add(waiting.own.replica())) {
                    break;
                }
                group.add(queue.remove());
            }
        }
        return group;
    }

    /** Writes a group. Whatever happens, each caller has an answer: this thread serves all stores of the process. */
    private void write(List<Waiting> group) {
        AtomicBoolean connected = new AtomicBoolean();
        List<@Nullable Ack> acks = Collections.nCopies(group.size(), null);
        Throwable failure = null;
        try {
            acks = write(group.stream().map(Waiting::own).toList(), LIMIT, connected);
        } catch (Throwable e) {
            failure = connected.get() ? null : e;
        }
        boolean lonely = group.size() == 1 && waiting() == 0;
        int fewer = hurried == 0 ? HURRIED : hurried - 1;
        hurried = lonely ? fewer : 0; // before the callers go on, to publish again
        for (int i = 0; i < group.size(); i++) {
            if (failure == null) {
                group.get(i).ack.complete(acks.get(i));
            } else {
                group.get(i).ack.completeExceptionally(failure);
            }
        }
    }

    /** Writes in one transaction; a null among the results is of a replica that is locked. */
    private List<@Nullable Ack> write(List<Publication> all, Duration limit, AtomicBoolean connected)
            throws IOException {
        ChunkWriter.Written written = transactions.write(limit, session -> {
            connected.set(true);
            return new ChunkWriter(session.connection()).publish(all);
        });
        committed.accept(written.families());
        return written.acks();
    }

    /** Ends the thread; publications that wait fail. */
    void close() {
        writer.shutdownNow();
        synchronized (queue) {
            queue.forEach(waiting -> waiting.ack.completeExceptionally(new IOException("the shared memory is closed")));
            queue.clear();
        }
    }
}

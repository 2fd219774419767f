package dev.xmem.postgres;

import dev.xmem.spi.SyncBackend.Ack;
import dev.xmem.spi.SyncBackend.Publication;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the publications of all stores of a process. Those that arrive within a tenth of a second, or while a
 * transaction runs, are written by one transaction (group commit). A refused one does not affect the others. If a
 * transaction fails although there is a connection, each publication is tried alone, so that one that the database
 * cannot take does not hold up the rest. Thread-safe.
 */
final class GroupCommit {
    private static final Duration GATHER = Duration.ofMillis(100);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int MOST = 64;
    private static final long MOST_BYTES = 8L << 20;
    private static final int IDLE_SECONDS = 30;

    private final TransactionRunner transactions;
    private final Consumer<Set<Long>> committed;
    private final Queue<Waiting> queue = new ArrayDeque<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor writer;

    /**
     * @param transactions on pooled connections
     * @param committed is told the keys of the families of each transaction
     */
    GroupCommit(TransactionRunner transactions, Consumer<Set<Long>> committed) {
        this.transactions = transactions;
        this.committed = committed;
        this.writer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "xmem-publisher");
            thread.setDaemon(true);
            return thread;
        });
        writer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        writer.allowCoreThreadTimeOut(true);
    }

    /** A publication, and the future that its store waits for. */
    private record Waiting(Publication own, CompletableFuture<Ack> ack) {
        long bytes() {
            return own.chunks().stream()
                    .mapToLong(chunk -> chunk.bytes().length)
                    .sum();
        }
    }

    /**
     * Publishes with others.
     *
     * @throws IOException if the publication failed, or its result is unknown after the limit or an interrupt
     */
    Ack publish(Publication own, Duration limit) throws IOException {
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
                long gather = Math.min(GATHER.toNanos(), limit.toNanos() / 100);
                writer.schedule(this::writeAll, gather, TimeUnit.NANOSECONDS);
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

    /** How many publications wait for the next transaction. */
    int waiting() {
        synchronized (queue) {
            return queue.size();
        }
    }

    private void writeAll() {
        scheduled.set(false); // before the look at the queue: who comes later schedules again
        for (List<Waiting> group = next(); !group.isEmpty(); group = next()) {
            write(group, System.nanoTime() + LIMIT.toNanos());
        }
    }

    /** Takes publications out of the queue; a second one of the same replica waits for the next group. */
    private List<Waiting> next() {
        List<Waiting> group = new ArrayList<>();
        synchronized (queue) {
            Set<String> replicas = new HashSet<>();
            long bytes = 0;
            for (Waiting waiting = queue.peek();
                    waiting != null && group.size() < MOST && bytes < MOST_BYTES;
                    waiting = queue.peek()) {
                if (!replicas.add(waiting.own.replica())) {
                    break;
                }
                bytes += waiting.bytes();
                group.add(queue.remove());
            }
        }
        return group;
    }

    private void write(List<Waiting> group, long until) {
        AtomicBoolean connected = new AtomicBoolean();
        Exception failure = tryWrite(group, until, connected);
        for (Waiting waiting : failure == null ? List.<Waiting>of() : group) {
            Exception own = failure;
            if (group.size() > 1 && connected.get() && until - System.nanoTime() > 0) {
                own = tryWrite(List.of(waiting), until, connected);
            }
            if (own != null) {
                waiting.ack.completeExceptionally(own);
            }
        }
    }

    /** Writes in one transaction; returns why that failed, null if it did not. */
    private @Nullable Exception tryWrite(List<Waiting> group, long until, AtomicBoolean connected) {
        connected.set(false);
        try {
            Duration left = Duration.ofNanos(Math.max(1, until - System.nanoTime()));
            List<Publication> all = group.stream().map(Waiting::own).toList();
            ChunkWriter.Written written = transactions.write(left, session -> {
                connected.set(true);
                return new ChunkWriter(session.connection()).publish(all);
            });
            committed.accept(written.families());
            for (int i = 0; i < group.size(); i++) {
                group.get(i).ack.complete(written.acks().get(i));
            }
            return null;
        } catch (IOException | RuntimeException | StackOverflowError e) {
            return e instanceof Exception failure ? failure : new IOException("a publication is nested too deep", e);
        }
    }

    /** Ends the thread; publications that wait fail at their limit. */
    void close() {
        writer.shutdownNow();
        synchronized (queue) {
            queue.forEach(waiting -> waiting.ack.completeExceptionally(new IOException("the shared memory is closed")));
            queue.clear();
        }
    }
}

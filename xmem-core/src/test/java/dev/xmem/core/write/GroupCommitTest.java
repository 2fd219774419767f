package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.log.ReadStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The leader commits for all; each batch succeeds or fails by itself. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupCommitTest {
    private static final GroupCommit.Fsync NOTHING = (log, to) -> {};

    private final LogFile failures = log("failures");
    private final LogFile successes = log("successes");
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static PendingBatch batch() {
        return new PendingBatch(List.of(), List.of());
    }

    /** Commits; the first group waits until the test lets it go on. */
    private void commit(List<PendingBatch> group, IoAction step) {
        sizes.add(group.size());
        if (sizes.size() == 1) {
            first.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        group.forEach(batch -> batch.run(step));
    }

    private List<Future<?>> five(GroupCommit commits) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        all.add(threads.submit(() -> commits.append(batch())));
        first.await();
        for (int i = 0; i < 4; i++) {
            all.add(threads.submit(() -> commits.append(batch())));
        }
        while (commits.queued() < 4) {
            Thread.onSpinWait();
        }
        go.countDown();
        return all;
    }

    @Test
    void append_whileAnotherCommits_sharesTheNextCommit() throws Exception {
        GroupCommit commits = new GroupCommit(group -> commit(group, () -> {}), NOTHING);
        for (Future<?> each : five(commits)) {
            each.get();
        }
        assertThat(sizes).containsExactly(1, 4);
    }

    @Test
    void append_ofABatchThatFails_failsForItsThreadOnly() throws Exception {
        List<Integer> steps = new ArrayList<>();
        GroupCommit commits = new GroupCommit(
                group -> commit(group, () -> {
                    steps.add(steps.size());
                    if (steps.size() == 3) {
                        throw new IOException("no room for the third");
                    }
                }),
                NOTHING);
        int failed = 0;
        for (Future<?> each : five(commits)) {
            try {
                each.get();
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOf(IOException.class).hasMessage("no room for the third");
                failed++;
            }
        }
        assertThat(failed).isEqualTo(1);
        assertThat(steps).hasSize(5);
    }

    @Test
    void append_whereTheCommitItselfFails_failsForAllAndTheNextGoesOn() throws Exception {
        GroupCommit commits = new GroupCommit(
                group -> {
                    commit(group, () -> {});
                    if (sizes.size() == 2) {
                        throw new IllegalStateException("broken");
                    }
                },
                NOTHING);
        List<Future<?>> all = five(commits);
        all.get(0).get();
        for (Future<?> each : all.subList(1, 5)) {
            assertThatThrownBy(each::get).hasCauseInstanceOf(IllegalStateException.class);
        }
        assertThat(commits.append(batch())).isEmpty();
        assertThat(sizes).containsExactly(1, 4, 1);
    }

    @Test
    void append_interruptedWhileItWaits_isRecordedAndKeepsTheInterrupt() throws Exception {
        GroupCommit commits = new GroupCommit(group -> commit(group, () -> {}), NOTHING);
        Future<?> leads = threads.submit(() -> commits.append(batch()));
        first.await();
        boolean[] interrupted = new boolean[1];
        Thread waits = new Thread(() -> {
            try {
                commits.append(batch());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        waits.start();
        while (commits.queued() < 1) {
            Thread.onSpinWait();
        }
        waits.interrupt();
        go.countDown();
        leads.get();
        waits.join();
        assertThat(interrupted[0]).isTrue();
        assertThat(sizes).containsExactly(1, 1);
    }

    private static LogFile log(String name) {
        return new LogFile(
                new InMemoryFileSystem(),
                Path.of("/" + name),
                1 << 20,
                1 << 20,
                new ByteCache(1 << 20),
                new ReadStats());
    }

    /** As {@link #commit}; the batches write to two logs in turns. */
    private void commitToTwoLogs(List<PendingBatch> group) {
        commit(group, () -> {});
        for (int i = 0; i < group.size(); i++) {
            group.get(i).written.put(i % 2 == 0 ? failures : successes, 10L + i);
        }
    }

    @Test
    void append_whileAnotherGroupIsSynced_isWrittenAndWaitsForItsOwnSync() throws Exception {
        CountDownLatch syncing = new CountDownLatch(1);
        CountDownLatch synced = new CountDownLatch(1);
        List<Long> lengths = Collections.synchronizedList(new ArrayList<>());
        GroupCommit commits = new GroupCommit(
                group -> {
                    sizes.add(group.size());
                    group.forEach(batch -> batch.written.put(failures, (long) sizes.size()));
                },
                (log, to) -> {
                    lengths.add(to);
                    syncing.countDown();
                    awaits(synced);
                });
        Future<?> leads = threads.submit(() -> commits.append(batch()));
        syncing.await();
        Future<?> next = threads.submit(() -> commits.append(batch()));
        while (sizes.size() < 2) {
            Thread.onSpinWait();
        }
        assertThat(lengths).containsExactly(1L);
        assertThat(leads.isDone()).isFalse();
        assertThat(next.isDone()).isFalse();
        synced.countDown();
        leads.get();
        next.get();
        assertThat(lengths).containsExactly(1L, 2L);
    }

    private static void awaits(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaits(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void append_ofAGroupThatWroteTwoLogs_syncsBothAtTheSameTime() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        Map<LogFile, Long> synced = new ConcurrentHashMap<>();
        GroupCommit commits = new GroupCommit(this::commitToTwoLogs, (log, to) -> {
            if (sizes.size() > 1 && synced.putIfAbsent(log, to) == null) {
                awaits(both);
            }
        });
        for (Future<?> each : five(commits)) {
            each.get();
        }
        assertThat(synced).containsOnly(Map.entry(failures, 12L), Map.entry(successes, 13L));
    }

    @Test
    void append_whereTheSyncOfOneLogFails_failsForItsBatchesOnly() throws Exception {
        GroupCommit commits = new GroupCommit(this::commitToTwoLogs, (log, to) -> {
            if (log == successes) {
                throw new IOException("the medium is gone");
            }
        });
        int failed = 0;
        for (Future<?> each : five(commits)) {
            try {
                each.get();
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOf(IOException.class).hasMessage("the medium is gone");
                failed++;
            }
        }
        assertThat(failed).isEqualTo(2);
    }
}

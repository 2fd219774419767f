package dev.xmem.core.base.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The scheduler behind a store. A wrong wait would last an hour, so that the time limit of the test finds it. */
@Timeout(60)
class SerialSchedulerTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration NOW = Duration.ZERO;

    private final AtomicInteger thrown = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((t, e) -> thrown.incrementAndGet());
        return thread;
    });
    private final SerialScheduler scheduler = new SerialScheduler(threads, NEVER);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    /** A task that runs until the test releases it, also if it is interrupted. */
    private static final class Stubborn implements Runnable {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);

        @Override
        public void run() {
            begun.countDown();
            boolean interrupted = false;
            while (true) {
                try {
                    mayEnd.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            ended.countDown();
        }
    }

    private Stubborn busy() throws InterruptedException {
        Stubborn task = new Stubborn();
        scheduler.schedule(task, NOW);
        task.begun.await();
        return task;
    }

    private void awaitNext() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.schedule(ran::countDown, NOW);
        ran.await();
    }

    @Test
    void task_runsOutOfMemory_endsNoThreadAndTheNextTaskRuns() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.schedule(
                () -> {
                    scheduler.schedule(ran::countDown, NOW);
                    throw new OutOfMemoryError("made by the test");
                },
                NOW);
        ran.await();
        assertThat(thrown).hasValue(0);
    }

    @Test
    void task_runsOutOfMemory_leavesOneWorker() {
        Queue<Runnable> given = new ArrayDeque<>();
        SerialScheduler single = new SerialScheduler(given::add, NEVER);
        AtomicInteger ran = new AtomicInteger();
        single.schedule(
                () -> {
                    throw new OutOfMemoryError("made by the test");
                },
                NOW);
        single.schedule(
                () -> {
                    ran.incrementAndGet();
                    single.close();
                },
                NOW);
        given.remove().run();
        assertThat(ran).hasValue(1);
        assertThat(given).isEmpty();
    }

    @Test
    void schedule_afterATaskThrew_runsTheOthers() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        Stubborn first = busy();
        scheduler.schedule(
                () -> {
                    throw new IllegalStateException("meant");
                },
                NOW);
        scheduler.schedule(second::countDown, Duration.ofMillis(50));
        first.mayEnd.countDown();
        second.await();
        awaitNext();
        scheduler.close();
        assertThat(thrown).hasValue(1);
    }

    @Test
    void schedule_earlierTime_winsAndTheTaskRunsOnce() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(1);
        Runnable task = () -> {
            runs.incrementAndGet();
            ran.countDown();
        };
        scheduler.schedule(task, NEVER);
        scheduler.schedule(task, NOW);
        scheduler.schedule(task, NEVER.plusHours(1));
        ran.await();
        scheduler.cancel(task);
        scheduler.close();
        assertThat(runs).hasValue(1);
    }

    @Test
    void schedule_laterTime_doesNotPostpone() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        Runnable task = ran::countDown;
        Stubborn first = busy();
        scheduler.schedule(task, NOW);
        scheduler.schedule(task, NEVER);
        first.mayEnd.countDown();
        ran.await();
    }

    @Test
    void runNow_whileATaskRuns_getsAHelper() throws Exception {
        Stubborn first = busy();
        CountDownLatch answered = new CountDownLatch(1);
        assertThat(scheduler.runNow(answered::countDown)).isTrue();
        answered.await();
        assertThat(first.ended.getCount()).isEqualTo(1);
        first.mayEnd.countDown();
    }

    @Test
    void runNow_withADelayedTask_runsFirst() throws Exception {
        StringBuffer order = new StringBuffer();
        Queue<Runnable> given = new ArrayDeque<>();
        SerialScheduler slow = new SerialScheduler(given::add, NEVER);
        slow.schedule(() -> order.append("delayed "), NOW);
        assertThat(slow.runNow(() -> order.append("urgent "))).isTrue();
        Thread worker = new Thread(given.remove());
        worker.setDaemon(true);
        worker.start();
        CountDownLatch ran = new CountDownLatch(1);
        slow.schedule(ran::countDown, Duration.ofMillis(20));
        ran.await();
        slow.close();
        assertThat(order).hasToString("urgent delayed ");
    }

    @Test
    void runNow_helperThatThrew_isReplaced() throws Exception {
        Stubborn first = busy();
        for (int i = 0; i < 3 * SerialScheduler.MAX_HELPERS; i++) {
            CountDownLatch threw = new CountDownLatch(1);
            assertThat(scheduler.runNow(() -> {
                        threw.countDown();
                        throw new IllegalStateException("meant");
                    }))
                    .isTrue();
            threw.await();
        }
        CountDownLatch answered = new CountDownLatch(1);
        assertThat(scheduler.runNow(answered::countDown)).isTrue();
        answered.await();
        first.mayEnd.countDown();
    }

    @Test
    void runNow_tooManyWaiting_isRefused() {
        AtomicInteger given = new AtomicInteger();
        SerialScheduler never = new SerialScheduler(work -> given.incrementAndGet(), NOW);
        for (int i = 0; i < SerialScheduler.MAX_URGENT; i++) {
            assertThat(never.runNow(() -> {})).isTrue();
        }
        assertThat(never.runNow(() -> {})).isFalse();
        assertThat(given).hasValue(1 + SerialScheduler.MAX_HELPERS);
        never.close();
        assertThat(never.runNow(() -> {})).isFalse();
    }

    @Test
    void cancel_ofARunningTask_waits() throws Exception {
        Stubborn task = busy();
        assertThat(scheduler.cancel(task, NOW)).isFalse();
        AtomicBoolean endedBefore = new AtomicBoolean();
        Thread canceller = new Thread(() -> {
            scheduler.cancel(task);
            endedBefore.set(task.ended.getCount() == 0);
        });
        canceller.start();
        task.mayEnd.countDown();
        canceller.join();
        assertThat(endedBefore).isTrue();
        assertThat(scheduler.cancel(task, NOW)).isTrue();
    }

    @Test
    void cancel_ofAWaitingTask_dropsIt() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Runnable task = runs::incrementAndGet;
        Stubborn first = busy();
        scheduler.schedule(task, NOW);
        scheduler.cancel(task);
        first.mayEnd.countDown();
        awaitNext();
        assertThat(runs).hasValue(0);
    }

    @Test
    void cancel_byTheTaskItself_doesNotWait() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Runnable[] task = new Runnable[1];
        task[0] = () -> {
            scheduler.cancel(task[0]);
            scheduler.close();
            done.countDown();
        };
        scheduler.schedule(task[0], NOW);
        done.await();
    }

    @Test
    void cancel_interruptedCaller_keepsItsInterrupt() throws Exception {
        Stubborn task = busy();
        Thread.currentThread().interrupt();
        assertThat(scheduler.cancel(task, Duration.ofMillis(1))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        task.mayEnd.countDown();
    }

    @Test
    void close_whileATaskRuns_waitsForIt() throws Exception {
        Stubborn task = busy();
        AtomicBoolean endedBefore = new AtomicBoolean();
        Thread closer = new Thread(() -> {
            scheduler.close();
            endedBefore.set(task.ended.getCount() == 0);
        });
        closer.start();
        task.mayEnd.countDown();
        closer.join();
        assertThat(endedBefore).isTrue();
    }

    @Test
    void close_withAnInterruptedTask_doesNotWait() throws Exception {
        Stubborn task = busy();
        scheduler.interrupt(task);
        scheduler.close();
        assertThat(task.ended.getCount()).isEqualTo(1);
        task.mayEnd.countDown();
        task.ended.await();
    }

    @Test
    void close_dropsWaitingTasks() {
        scheduler.schedule(() -> {}, NEVER);
        scheduler.close();
        scheduler.schedule(() -> {}, NOW);
        assertThat(scheduler.runNow(() -> {})).isFalse();
    }

    /** Stores share a scheduler: interrupting the task of one store does not affect the next task or end the worker. */
    @Test
    void interrupt_isNotSeenByTheNextTask() throws Exception {
        Stubborn first = busy();
        AtomicReference<Boolean> seen = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.schedule(
                () -> {
                    seen.set(Thread.currentThread().isInterrupted());
                    ran.countDown();
                },
                NOW);
        scheduler.interrupt(first);
        first.mayEnd.countDown();
        ran.await();
        assertThat(seen).hasValue(false);
    }

    @Test
    void interrupt_ofATaskThatDoesNotRun_changesNothing() throws Exception {
        Stubborn first = busy();
        scheduler.interrupt(() -> {});
        assertThat(scheduler.cancel(first, NOW)).isFalse();
        first.mayEnd.countDown();
        assertThat(scheduler.cancel(first, NEVER)).isTrue();
        awaitNext();
    }

    /** An executor may interrupt its threads: another thread then takes over the scheduled tasks. */
    @Test
    void waitingThread_interruptedByOthers_isReplaced() throws Exception {
        AtomicReference<Thread> worker = new AtomicReference<>();
        CountDownLatch first = new CountDownLatch(1);
        scheduler.schedule(
                () -> {
                    worker.set(Thread.currentThread());
                    first.countDown();
                },
                NOW);
        CountDownLatch later = new CountDownLatch(1);
        scheduler.schedule(later::countDown, Duration.ofMillis(300));
        first.await();
        worker.get().interrupt();
        later.await();
    }

    @Test
    void shutDownExecutor_isSurvived() throws Exception {
        scheduler.schedule(() -> {}, NEVER);
        awaitNext();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        scheduler.schedule(() -> {}, NOW);
        assertThat(scheduler.runNow(() -> {})).isFalse();
        scheduler.close();
    }
}

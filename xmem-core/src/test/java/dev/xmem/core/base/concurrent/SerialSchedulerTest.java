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

/** The scheduler behind a store. A wait that should not be would be an hour long, so that the time limit finds it. */
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
    private final SerialScheduler lane = new SerialScheduler(threads, NEVER);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    /** A task that runs until it is let go, whoever interrupts it. */
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
        lane.schedule(task, NOW);
        task.begun.await();
        return task;
    }

    private void awaitNext() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        lane.schedule(ran::countDown, NOW);
        ran.await();
    }

    @Test
    void schedule_afterATaskThrew_runsWhatIsDue() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        Stubborn first = busy();
        lane.schedule(
                () -> {
                    throw new IllegalStateException("meant");
                },
                NOW);
        lane.schedule(second::countDown, Duration.ofMillis(50));
        first.mayEnd.countDown();
        second.await();
        awaitNext();
        lane.close();
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
        lane.schedule(task, NEVER);
        lane.schedule(task, NOW);
        lane.schedule(task, NEVER.plusHours(1));
        ran.await();
        lane.cancel(task);
        lane.close();
        assertThat(runs).hasValue(1);
    }

    @Test
    void schedule_laterTime_doesNotPutOff() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        Runnable task = ran::countDown;
        Stubborn first = busy();
        lane.schedule(task, NOW);
        lane.schedule(task, NEVER);
        first.mayEnd.countDown();
        ran.await();
    }

    @Test
    void runNow_whileATaskRuns_getsAHelper() throws Exception {
        Stubborn first = busy();
        CountDownLatch answered = new CountDownLatch(1);
        assertThat(lane.runNow(answered::countDown)).isTrue();
        answered.await();
        assertThat(first.ended.getCount()).isEqualTo(1);
        first.mayEnd.countDown();
    }

    @Test
    void runNow_beforeWhatIsDue_isFirst() throws Exception {
        StringBuffer order = new StringBuffer();
        Queue<Runnable> given = new ArrayDeque<>();
        SerialScheduler slow = new SerialScheduler(given::add, NEVER);
        slow.schedule(() -> order.append("due "), NOW);
        assertThat(slow.runNow(() -> order.append("waited for "))).isTrue();
        Thread worker = new Thread(given.remove());
        worker.setDaemon(true);
        worker.start();
        CountDownLatch ran = new CountDownLatch(1);
        slow.schedule(ran::countDown, Duration.ofMillis(20));
        ran.await();
        slow.close();
        assertThat(order).hasToString("waited for due ");
    }

    @Test
    void runNow_helperThatThrew_isReplaced() throws Exception {
        Stubborn first = busy();
        for (int i = 0; i < 3 * SerialScheduler.MOST_HELPERS; i++) {
            CountDownLatch threw = new CountDownLatch(1);
            assertThat(lane.runNow(() -> {
                        threw.countDown();
                        throw new IllegalStateException("meant");
                    }))
                    .isTrue();
            threw.await();
        }
        CountDownLatch answered = new CountDownLatch(1);
        assertThat(lane.runNow(answered::countDown)).isTrue();
        answered.await();
        first.mayEnd.countDown();
    }

    @Test
    void runNow_tooManyWaiting_isRefused() {
        AtomicInteger given = new AtomicInteger();
        SerialScheduler never = new SerialScheduler(work -> given.incrementAndGet(), NOW);
        for (int i = 0; i < SerialScheduler.MOST_WAITED_FOR; i++) {
            assertThat(never.runNow(() -> {})).isTrue();
        }
        assertThat(never.runNow(() -> {})).isFalse();
        assertThat(given).hasValue(1 + SerialScheduler.MOST_HELPERS);
        never.close();
        assertThat(never.runNow(() -> {})).isFalse();
    }

    @Test
    void cancel_waitsForWhatRuns() throws Exception {
        Stubborn task = busy();
        assertThat(lane.cancel(task, NOW)).isFalse();
        AtomicBoolean endedBefore = new AtomicBoolean();
        Thread canceller = new Thread(() -> {
            lane.cancel(task);
            endedBefore.set(task.ended.getCount() == 0);
        });
        canceller.start();
        task.mayEnd.countDown();
        canceller.join();
        assertThat(endedBefore).isTrue();
        assertThat(lane.cancel(task, NOW)).isTrue();
    }

    @Test
    void cancel_forgetsWhatWaits() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Runnable task = runs::incrementAndGet;
        Stubborn first = busy();
        lane.schedule(task, NOW);
        lane.cancel(task);
        first.mayEnd.countDown();
        awaitNext();
        assertThat(runs).hasValue(0);
    }

    @Test
    void cancel_byTheTaskItself_doesNotWait() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Runnable[] task = new Runnable[1];
        task[0] = () -> {
            lane.cancel(task[0]);
            lane.close();
            done.countDown();
        };
        lane.schedule(task[0], NOW);
        done.await();
    }

    @Test
    void cancel_interruptedCaller_keepsItsInterrupt() throws Exception {
        Stubborn task = busy();
        Thread.currentThread().interrupt();
        assertThat(lane.cancel(task, Duration.ofMillis(1))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        task.mayEnd.countDown();
    }

    @Test
    void close_whileATaskRuns_waitsForIt() throws Exception {
        Stubborn task = busy();
        AtomicBoolean endedBefore = new AtomicBoolean();
        Thread closer = new Thread(() -> {
            lane.close();
            endedBefore.set(task.ended.getCount() == 0);
        });
        closer.start();
        task.mayEnd.countDown();
        closer.join();
        assertThat(endedBefore).isTrue();
    }

    @Test
    void close_givenUpTask_isNotWaitedFor() throws Exception {
        Stubborn task = busy();
        lane.interrupt(task);
        lane.close();
        assertThat(task.ended.getCount()).isEqualTo(1);
        task.mayEnd.countDown();
        task.ended.await();
    }

    @Test
    void close_forgetsWhatWaits() {
        lane.schedule(() -> {}, NEVER);
        lane.close();
        lane.schedule(() -> {}, NOW);
        assertThat(lane.runNow(() -> {})).isFalse();
    }

    /** Stores share a lane: the interrupt of one's round is not the next one's, and does not end the thread. */
    @Test
    void interrupt_isNotSeenByTheNextTask() throws Exception {
        Stubborn first = busy();
        AtomicReference<Boolean> seen = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(1);
        lane.schedule(
                () -> {
                    seen.set(Thread.currentThread().isInterrupted());
                    ran.countDown();
                },
                NOW);
        lane.interrupt(first);
        first.mayEnd.countDown();
        ran.await();
        assertThat(seen).hasValue(false);
    }

    @Test
    void interrupt_ofWhatDoesNotRun_changesNothing() throws Exception {
        Stubborn first = busy();
        lane.interrupt(() -> {});
        assertThat(lane.cancel(first, NOW)).isFalse();
        first.mayEnd.countDown();
        assertThat(lane.cancel(first, NEVER)).isTrue();
        awaitNext();
    }

    /** An executor may interrupt whom it likes: what is due is taken over by another thread. */
    @Test
    void waitingThread_interruptedByOthers_isReplaced() throws Exception {
        AtomicReference<Thread> worker = new AtomicReference<>();
        CountDownLatch first = new CountDownLatch(1);
        lane.schedule(
                () -> {
                    worker.set(Thread.currentThread());
                    first.countDown();
                },
                NOW);
        CountDownLatch later = new CountDownLatch(1);
        lane.schedule(later::countDown, Duration.ofMillis(300));
        first.await();
        worker.get().interrupt();
        later.await();
    }

    @Test
    void shutDownExecutor_isSurvived() throws Exception {
        lane.schedule(() -> {}, NEVER);
        awaitNext();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        lane.schedule(() -> {}, NOW);
        assertThat(lane.runNow(() -> {})).isFalse();
        lane.close();
    }
}

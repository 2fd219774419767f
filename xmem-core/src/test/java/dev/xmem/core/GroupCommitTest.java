package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who leads commits for all; each batch ends by itself. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupCommitTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** Commits; the first group waits until it may go on. */
    private void commit(List<GroupCommit.Batch> group, GroupCommit.Step step) {
        sizes.add(group.size());
        if (sizes.size() == 1) {
            first.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        group.forEach(batch -> batch.does(step));
    }

    private List<Future<?>> five(GroupCommit commits) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        all.add(threads.submit(() -> commits.append(List.of())));
        first.await();
        for (int i = 0; i < 4; i++) {
            all.add(threads.submit(() -> commits.append(List.of())));
        }
        while (commits.waiting() < 4) {
            Thread.onSpinWait();
        }
        go.countDown();
        return all;
    }

    @Test
    void append_whileAnotherCommits_sharesTheNextCommit() throws Exception {
        GroupCommit commits = new GroupCommit(group -> commit(group, () -> {}));
        for (Future<?> each : five(commits)) {
            each.get();
        }
        assertThat(sizes).containsExactly(1, 4);
    }

    @Test
    void append_ofABatchThatFails_failsForItsThreadOnly() throws Exception {
        List<Integer> steps = new ArrayList<>();
        GroupCommit commits = new GroupCommit(group -> commit(group, () -> {
            steps.add(steps.size());
            if (steps.size() == 3) {
                throw new IOException("no room for the third");
            }
        }));
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
        GroupCommit commits = new GroupCommit(group -> {
            commit(group, () -> {});
            if (sizes.size() == 2) {
                throw new IllegalStateException("broken");
            }
        });
        List<Future<?>> all = five(commits);
        all.get(0).get();
        for (Future<?> each : all.subList(1, 5)) {
            assertThatThrownBy(each::get).hasCauseInstanceOf(IllegalStateException.class);
        }
        assertThat(commits.append(List.of())).isEmpty();
        assertThat(sizes).containsExactly(1, 4, 1);
    }

    @Test
    void append_interruptedWhileItWaits_isRecordedAndKeepsTheInterrupt() throws Exception {
        GroupCommit commits = new GroupCommit(group -> commit(group, () -> {}));
        Future<?> leads = threads.submit(() -> commits.append(List.of()));
        first.await();
        boolean[] interrupted = new boolean[1];
        Thread waits = new Thread(() -> {
            try {
                commits.append(List.of());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        waits.start();
        while (commits.waiting() < 1) {
            Thread.onSpinWait();
        }
        waits.interrupt();
        go.countDown();
        leads.get();
        waits.join();
        assertThat(interrupted[0]).isTrue();
        assertThat(sizes).containsExactly(1, 1);
    }
}

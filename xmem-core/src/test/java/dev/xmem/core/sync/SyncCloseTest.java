package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.Resources;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store is closed during a round. */
@Timeout(120)
class SyncCloseTest extends SyncFixture {
    private static final long PATIENCE_SECONDS = 60;

    /** Forwards all calls, and blocks after each publication until it is released. */
    private static final class Staying extends ForwardingBackend {
        final CountDownLatch published = new CountDownLatch(1);
        final CountDownLatch mayGo = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);
        final AtomicInteger interrupts = new AtomicInteger();
        private final boolean stubborn;

        Staying(SyncBackend to, boolean stubborn) {
            super(to);
            this.stubborn = stubborn;
        }

        @Override
        public Ack publish(Publication own, Duration limit) throws IOException {
            Ack ack = super.publish(own, limit);
            published.countDown();
            while (true) {
                try {
                    mayGo.await();
                    return ack;
                } catch (InterruptedException e) {
                    interrupts.incrementAndGet();
                    if (!stubborn) {
                        throw new IOException("interrupted", e);
                    }
                }
            }
        }

        @Override
        public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
            return mayGo.getCount() > 0 ? Batch.of(List.of(), List.of(), false) : super.poll(known, maxBytes, limit);
        }

        @Override
        public void close() throws IOException {
            super.close();
            closed.countDown();
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void close_afterAPublicationAndBeforeItsAnswer_theNextOpeningGoesOn() throws Exception {
        String id;
        try (XMemStore a = open("a")) {
            fail(a, "git");
            rounds.sync(a);
            id = replica("a");
        }
        Staying backend = new Staying(DirectoryBackend.at(shared()), false);
        XMemStore closed = builder("a").sync(backend).open();
        fail(closed, "npm");
        await(backend.published);
        closed.close();
        await(backend.closed);
        assertThat(backend.interrupts).hasValue(1);
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "tar");
            rounds.sync(a);
            assertThat(replica("a")).isEqualTo(id);
            assertThat(rounds.sync(b).imported()).isEqualTo(3);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void close_roundThatNothingEnds_returnsAndTheBackendIsClosedAfterIt() throws Exception {
        Staying backend = new Staying(DirectoryBackend.at(shared()), true);
        XMemStore closed = builder("a").sync(backend).open();
        fail(closed, "git");
        await(backend.published);
        closed.close();
        assertThat(backend.closed.getCount()).as("in the call still").isEqualTo(1);
        try (XMemStore a = builder("a").open()) {
            fail(a, "npm");
            assertThat(a.stats().failures()).isEqualTo(2);
        }
        backend.mayGo.countDown();
        await(backend.closed);
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            rounds.sync(a);
            assertThat(rounds.sync(b).imported()).isEqualTo(2);
        }
        assertEqualStates("a", "b");
    }

    /** The rounds of all stores share a thread: ending one round does not end another. */
    @Test
    void close_roundThatIsInterrupted_leavesTheSyncOfOtherStoresAlone() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        });
        Staying hanging = new Staying(DirectoryBackend.at(shared()), false);
        Staying other = new Staying(DirectoryBackend.at(shared()), false);
        other.mayGo.countDown();
        try (Resources resources = Resources.of(threads, 1 << 20)) {
            XMemStore a = builder("a").resources(resources).sync(hanging).open();
            fail(a, "git");
            await(hanging.published);
            try (XMemStore b = builder("b").resources(resources).sync(other).open()) {
                fail(b, "npm");
                a.close();
                await(hanging.closed);
                await(other.published);
                assertThat(other.interrupts).hasValue(0);
                assertThat(rounds.sync(b).published()).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Closing the shared resources does not wait for an abandoned round again. */
    @Test
    void closeOfResources_whileARoundHangs_returns() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        Staying backend = new Staying(DirectoryBackend.at(shared()), true);
        Resources resources = Resources.of(threads, 1 << 20);
        XMemStore a = builder("a").resources(resources).sync(backend).open();
        fail(a, "git");
        await(backend.published);
        a.close();
        resources.close();
        assertThat(backend.closed.getCount()).isEqualTo(1);
        backend.mayGo.countDown();
        await(backend.closed);
        threads.shutdown();
        assertThat(threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}

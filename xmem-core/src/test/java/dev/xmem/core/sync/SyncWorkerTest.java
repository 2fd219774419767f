package dev.xmem.core.sync;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.xmem.Failure;
import dev.xmem.Limits;
import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.core.Resources;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.base.concurrent.SerialScheduler;
import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import dev.xmem.core.maintain.verify.IndexJsonWriter;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.write.AnnotationWriter;
import dev.xmem.core.write.Appender;
import dev.xmem.core.write.StoreLocks;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The worker in the background of an agent: whatever the backend does, appends are not affected. */
class SyncWorkerTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    /** A backend that hangs or fails on request. */
    private static final class Moody implements SyncBackend {
        final CountDownLatch called = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger polls = new AtomicInteger();
        final AtomicInteger published = new AtomicInteger();
        final Set<Ability> abilities;
        volatile boolean hangs;
        volatile boolean fails;
        volatile Throwable unexpected;

        Moody(Ability... more) {
            abilities = EnumSet.of(Ability.WRITE_ONLY, more);
        }

        private void mood() throws IOException {
            calls.incrementAndGet();
            called.countDown();
            if (fails) {
                throw new IOException("no route to host");
            }
            if (unexpected instanceof Error error) {
                throw error;
            }
            if (unexpected instanceof RuntimeException exception) {
                throw exception;
            }
            try {
                if (hangs) {
                    new CountDownLatch(1).await();
                }
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public String id() {
            return "moody";
        }

        @Override
        public Set<Ability> abilities() {
            return abilities;
        }

        @Override
        public Ack publish(Publication own, Duration limit) throws IOException {
            mood();
            published.incrementAndGet();
            return Ack.accepted();
        }

        @Override
        public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
            polls.incrementAndGet();
            mood();
            return Batch.of(List.of(), List.of(), false);
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private static void fail(XMemStore store) {
        store.recordFailure(Failure.of("git", "push", "rejected"));
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
    void sync_unexpectedException_namesItAndWhatHappensNext(Class<? extends Throwable> type) throws Exception {
        Moody backend = new Moody();
        try (XMemStore store = XMem.builder(folder).sync(backend).open()) {
            fail(store);
            backend.unexpected = type.getConstructor(String.class).newInstance("a cause");
            assertThat(store.sync(LONG).lastError()).contains(type.getName() + ": a cause", "tries again", "dev.xmem");
            assertThat(store.stats().sync().lastError()).contains(type.getName() + ": a cause");
            backend.unexpected = null;
            assertThat(store.sync(LONG).lastError()).isNull();
        }
    }

    @Test
    void problem_messageThatIsOnlyAPath_namesTheKindOfError() {
        assertThat(SyncStatus.problem(new AccessDeniedException("/a/b"))).contains("AccessDenied", "/a/b");
        assertThat(SyncStatus.problem(new IOException("no route to host"))).isEqualTo("no route to host");
    }

    @Test
    void sync_checksumsCannotBeWritten_isDone() {
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        try (XMemStore store =
                TestStores.builder(folder, disk).sync(new Moody()).open()) {
            fail(store);
            disk.unwritable = folder.resolve(".xmem/seals.ndjson")::equals;
            assertThat(store.sync(LONG)).isNotNull();
        }
    }

    /** An append neither calls the worker nor shares a lock with it. */
    @Test
    void classesOfAppendAndSync_knowNothingOfEachOther() {
        var classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.xmem.core");
        noClasses()
                .that()
                .belongToAnyOf(Appender.class, StoreLocks.class, AnnotationWriter.class, IndexJsonWriter.class)
                .or(resideInAPackage("dev.xmem.core.store.log"))
                .or(resideInAPackage("dev.xmem.core.store.index"))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.xmem.core.sync"))
                .check(classes);
        noClasses()
                .that(resideInAPackage("dev.xmem.core.sync"))
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(StoreLocks.class, LogRegistry.class, Appender.class)
                .check(classes);
    }

    /** While a backend hangs in a round, the only lock held is the sync lock. */
    @Test
    @Timeout(60)
    void append_whileTheBackendHangs_findsEveryLockFree() throws Exception {
        Moody backend = new Moody();
        backend.hangs = true;
        try (XMemStore store = XMem.builder(folder).sync(backend).open()) {
            fail(store);
            assertThat(backend.called.await(30, TimeUnit.SECONDS)).isTrue();
            for (String lock : List.of(".xmem/lock", ".xmem/index-lock")) {
                try (FileSystem.FileLock held =
                        new dev.xmem.core.base.io.NativeFileSystem().lock(folder.resolve(lock))) {
                    assertThat(held.acquire(0)).as(lock).isTrue();
                    held.release();
                }
            }
            for (int i = 0; i < 200; i++) {
                fail(store);
            }
            assertThat(store.stats().failures()).isEqualTo(201);
            store.flush();
        }
    }

    @Test
    @Timeout(60)
    void sync_whileTheBackendHangs_returnsWithTheReason() throws Exception {
        Moody backend = new Moody();
        backend.hangs = true;
        try (XMemStore store = XMem.builder(folder).sync(backend).open()) {
            fail(store);
            assertThat(backend.called.await(30, TimeUnit.SECONDS)).isTrue();
            SyncReport report = store.sync(Duration.ofMillis(50));
            assertThat(report.lastError()).contains("takes longer than 50 ms");
        }
    }

    @Test
    @Timeout(60)
    void close_whileTheBackendHangs_endsItAndClosesTheBackend() throws Exception {
        Moody backend = new Moody();
        backend.hangs = true;
        XMemStore store = XMem.builder(folder).sync(backend).open();
        fail(store);
        assertThat(backend.called.await(30, TimeUnit.SECONDS)).isTrue();
        store.close();
        assertThat(backend.closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @Timeout(120)
    void worker_afterTrouble_triesAgainMoreAndMoreSeldom() throws Exception {
        Moody backend = new Moody();
        backend.fails = true;
        try (XMemStore store = XMem.builder(folder)
                .sync(backend)
                .syncInterval(Duration.ofMillis(100))
                .open()) {
            fail(store);
            while (backend.calls.get() < 3) {
                Thread.sleep(20);
            }
            SyncReport status = store.stats().sync();
            assertThat(status.lastError()).isEqualTo("no route to host");
            assertThat(status.pending()).isEqualTo(1);
            assertThat(status.lastSuccess()).isNull();
            backend.fails = false;
            SyncReport report = store.sync(LONG);
            assertThat(report.lastError()).isNull();
            assertThat(report.pending()).isZero();
            assertThat(report.lastSuccess()).isNotNull();
        }
    }

    /** Many stores share such a backend: what is recorded is published soon, and nothing is asked. */
    @Test
    @Timeout(60)
    void worker_groupCommit_publishesWhatIsRecordedAndDoesNotPoll() throws Exception {
        Moody backend = new Moody(SyncBackend.Ability.GROUP_COMMIT);
        try (XMemStore store = XMem.builder(folder)
                .sync(backend)
                .syncInterval(Duration.ofMillis(100))
                .open()) {
            for (int i = 1; i <= 3; i++) {
                fail(store);
                while (backend.calls.get() < i) {
                    Thread.sleep(5);
                }
            }
            assertThat(backend.polls).as("polls in the background").hasValue(0);
            assertThat(store.sync(LONG).pending()).isZero();
            assertThat(backend.polls).as("polls of a sync that was asked for").hasPositiveValue();
        }
    }

    /** A sync that a caller asked for takes the place of the one that the first entry was to have. */
    @Test
    @Timeout(60)
    void appended_afterASyncThatWasAskedFor_isPublishedWithoutALookAtTheLogs() throws Exception {
        Moody backend = new Moody(SyncBackend.Ability.GROUP_COMMIT);
        Path log = Files.writeString(folder.resolve("failures.jsonl"), "");
        SyncPaths files = new SyncPaths(
                Map.of("failures", log), folder.resolve("archive"), folder.resolve("peers"), folder.resolve(".xmem"));
        Files.createDirectories(files.local());
        ExecutorService threads = Executors.newCachedThreadPool();
        SerialScheduler scheduler = new SerialScheduler(threads);
        SyncWorker worker = new SyncWorker(
                new Sync(backend, new NativeFileSystem(), files, Limits.defaults(), new Random(1)),
                "moody",
                scheduler,
                new LongAdder(),
                Duration.ofDays(1),
                InstantSource.system(),
                new Random(1),
                () -> {},
                Duration.ofDays(1));
        for (int i = 1; i <= 2; i++) {
            Files.writeString(log, "{\"n\":" + i + "}\n", StandardOpenOption.APPEND);
            worker.appended();
            if (i == 1) {
                worker.sync(LONG);
            }
            while (backend.published.get() < i) {
                Thread.onSpinWait();
            }
        }
        worker.close();
        scheduler.close();
        threads.shutdownNow();
    }

    @Test
    void sync_interruptedCaller_keepsItsInterrupt() {
        try (XMemStore store = XMem.builder(folder).sync(new Moody()).open()) {
            fail(store);
            Thread.currentThread().interrupt();
            SyncReport report = store.sync(LONG);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(report.lastError()).isNull();
            assertThat(store.stats().sync().published()).isEqualTo(1);
        }
    }

    @Test
    void resources_shared_oneThreadForEveryStoresSync() throws Exception {
        AtomicInteger threads = new AtomicInteger();
        var pool = Executors.newCachedThreadPool(work -> {
            threads.incrementAndGet();
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        });
        try (Resources resources = Resources.of(pool, 1 << 20)) {
            XMemStore[] stores = new XMemStore[8];
            for (int i = 0; i < stores.length; i++) {
                stores[i] = XMem.builder(folder.resolve("s" + i))
                        .resources(resources)
                        .sync(new Moody())
                        .open();
                fail(stores[i]);
                assertThat(stores[i].sync(LONG).lastError()).isNull();
                assertThat(stores[i].stats().sync().published()).isEqualTo(1);
            }
            for (XMemStore store : stores) {
                store.close();
            }
            assertThat(threads.get()).isLessThanOrEqualTo(2);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void heapStore_syncs_asOneOnDisk() {
        try (XMemStore store = TestStores.builder(Path.of("memory"), new InMemoryFileSystem())
                .sync(new Moody())
                .open()) {
            fail(store);
            store.sync(LONG);
            store.sync(LONG);
            assertThat(store.stats().sync().published()).isEqualTo(1);
        }
    }
}

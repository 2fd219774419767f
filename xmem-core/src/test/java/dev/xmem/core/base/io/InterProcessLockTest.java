package dev.xmem.core.base.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock file within one JVM. */
class InterProcessLockTest {
    private static final long NO_TIME = 1_000_000;
    private static final long TIME = 10_000_000_000L;

    @TempDir
    Path folder;

    private boolean elsewhere(FileSystem.FileLock lock) {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        boolean had = lock.acquire(NO_TIME);
                        if (had) {
                            lock.release();
                        }
                        return had;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .join();
    }

    @Test
    void acquire_throughTwoOpenings_excludesOtherThreads() throws IOException {
        Path file = folder.resolve("lock");
        try (FileSystem.FileLock one = InterProcessLock.open(file);
                FileSystem.FileLock two = InterProcessLock.open(file)) {
            assertThat(one.acquire(TIME)).isTrue();
            assertThat(elsewhere(two)).isFalse();
            one.release();
            assertThat(elsewhere(two)).isTrue();
        }
    }

    @Test
    void acquire_byAThreadThatReleasedIt_isAfterTheOneThatWaits() throws Exception {
        try (FileSystem.FileLock lock = InterProcessLock.open(folder.resolve("lock"))) {
            for (int turn = 0; turn < 20; turn++) {
                AtomicBoolean had = new AtomicBoolean();
                assertThat(lock.acquire(TIME)).isTrue();
                Thread waits = new Thread(() -> {
                    try {
                        had.set(lock.acquire(TIME));
                        lock.release();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
                waits.start();
                while (waits.getState() != Thread.State.TIMED_WAITING) {
                    LockSupport.parkNanos(100_000);
                }
                lock.release();
                assertThat(lock.acquire(TIME)).isTrue();
                assertThat(had).as("turn %d", turn).isTrue();
                lock.release();
                waits.join();
            }
        }
    }

    @Test
    void acquire_throughALink_isTheSameLock() throws IOException {
        Path file = Files.createFile(folder.resolve("lock"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        try (FileSystem.FileLock one = InterProcessLock.open(file);
                FileSystem.FileLock two = InterProcessLock.open(link)) {
            assertThat(one.acquire(TIME)).isTrue();
            assertThat(elsewhere(two)).isFalse();
            one.release();
        }
    }

    @Test
    void acquire_whileAnotherClassLoaderHoldsTheFile_fails() throws IOException {
        Path file = Files.createFile(folder.resolve("lock"));
        try (FileSystem.FileLock lock = InterProcessLock.open(file)) {
            // Like another class loader, this has a channel of its own.
            try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE);
                    FileLock held = other.lock()) {
                assertThat(held.isValid()).isTrue();
                assertThat(lock.acquire(NO_TIME)).isFalse();
            }
            assertThat(lock.acquire(TIME)).isTrue();
            lock.release();
        }
    }

    @Test
    void acquire_byAnInterruptedThread_succeedsAndKeepsTheInterrupt() throws IOException {
        try (FileSystem.FileLock lock = InterProcessLock.open(folder.resolve("lock"))) {
            for (int i = 0; i < 3; i++) {
                Thread.currentThread().interrupt();
                assertThat(lock.acquire(TIME)).isTrue();
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                lock.release();
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(elsewhere(lock)).isTrue();
        }
    }

    @Test
    void acquire_interruptedAtRandomMoments_alwaysSucceeds() throws Exception {
        Thread owner = Thread.currentThread();
        AtomicBoolean working = new AtomicBoolean(true);
        Thread interrupter = new Thread(() -> {
            while (working.get()) {
                owner.interrupt();
                LockSupport.parkNanos(20_000);
            }
        });
        int had = 0;
        try (FileSystem.FileLock one = InterProcessLock.open(folder.resolve("lock"));
                FileSystem.FileLock two = InterProcessLock.open(folder.resolve("lock"))) {
            interrupter.start();
            for (int i = 0; i < 2_000; i++) {
                FileSystem.FileLock lock = i % 2 == 0 ? one : two;
                if (lock.acquire(TIME)) {
                    had++;
                    lock.release();
                }
            }
        } finally {
            working.set(false);
            while (interrupter.isAlive()) {
                Thread.interrupted();
                Thread.onSpinWait();
            }
            Thread.interrupted();
        }
        assertThat(had).isEqualTo(2_000);
    }

    @Test
    void acquire_closed_throwsAndOpensNothingAgain() throws IOException {
        FileSystem.FileLock lock = InterProcessLock.open(folder.resolve("lock"));
        lock.close();
        lock.close();
        assertThatThrownBy(() -> lock.acquire(NO_TIME)).isInstanceOf(IOException.class);
        try (FileSystem.FileLock next = InterProcessLock.open(folder.resolve("lock"))) {
            assertThat(elsewhere(next)).isTrue();
        }
    }
}

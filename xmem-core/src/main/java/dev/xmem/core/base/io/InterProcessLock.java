package dev.xmem.core.base.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock file. POSIX drops a process' lock when <em>any</em> descriptor of that file is closed, so within this class
 * loader every store on a directory shares one channel: the table of these, empty after the last close, is the only
 * static state of xmem. Another class loader in the same JVM has a channel of its own; so that closing it voids no lock,
 * a channel is closed while the lock is held, which Java checks for the whole JVM.
 *
 * <p>The file's eight bytes are a number that each holder draws for itself: who finds its own knows that nobody had the
 * mutex in between.
 */
final class InterProcessLock {
    private static final ReentrantLock TABLE = new ReentrantLock();
    private static final Map<Path, InterProcessLock> OPEN = new HashMap<>();
    private static final long FIRST_PAUSE_NANOS = 20_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;
    private static final long CLOSE_NANOS = 1_000_000_000;

    private final ReentrantLock threads = new ReentrantLock();
    private final ByteBuffer number = ByteBuffer.allocateDirect(Long.BYTES);
    private final Path file;
    private FileChannel channel;
    private @Nullable FileLock held;
    private int users;
    private boolean left;

    private InterProcessLock(Path file) throws IOException {
        this.file = file;
        this.channel = openChannel(file);
    }

    static FileSystem.FileLock open(Path file) throws IOException {
        TABLE.lock();
        try {
            if (Files.notExists(file)) {
                openChannel(file).close();
            }
            Path key = file.toRealPath();
            InterProcessLock mutex = OPEN.get(key);
            if (mutex == null) {
                mutex = new InterProcessLock(key);
                OPEN.put(key, mutex);
            }
            mutex.users++;
            return mutex.new Handle();
        } finally {
            TABLE.unlock();
        }
    }

    private static FileChannel openChannel(Path file) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] mode = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        return FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE), mode);
    }

    private boolean acquire(long timeoutNanos, @Nullable Handle by) throws IOException {
        long deadline = System.nanoTime() + timeoutNanos;
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    if (!threads.tryLock() && !threads.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return false;
                    }
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return acquireFile(deadline, by);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean acquireFile(long deadline, @Nullable Handle by) throws IOException {
        boolean had = false;
        boolean interrupted = false;
        try {
            long pause = FIRST_PAUSE_NANOS;
            while (true) {
                interrupted |= Thread.interrupted();
                held = tryLockFile(by);
                had = held != null;
                long left = deadline - System.nanoTime();
                if (had || left <= 0) {
                    return had;
                }
                LockSupport.parkNanos(Math.min(pause, left));
                pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            }
        } finally {
            if (!had) {
                threads.unlock();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable FileLock tryLockFile(@Nullable Handle by) throws IOException {
        FileLock lock = null;
        boolean signed = false;
        try {
            lock = channel.tryLock();
            if (lock != null && by != null) {
                by.sign(channel, number);
            }
            signed = true;
            return lock;
        } catch (OverlappingFileLockException e) {
            return null;
        } catch (ClosedChannelException e) {
            if (left) {
                throw e;
            }
            // An interrupt while signing closes the channel; the lock is gone with it.
            channel = openChannel(file);
            return null;
        } finally {
            if (lock != null && !signed && lock.isValid()) {
                lock.release();
            }
        }
    }

    private void release() throws IOException {
        FileLock lock = held;
        held = null;
        try {
            if (lock != null) {
                lock.release();
            }
        } finally {
            threads.unlock();
        }
    }

    private void leave() throws IOException {
        TABLE.lock();
        try {
            if (--users > 0) {
                return;
            }
            OPEN.remove(file);
            boolean had = false;
            try {
                had = acquire(CLOSE_NANOS, null); // unsigned: there may be no room for it
            } finally {
                left = true;
                try {
                    channel.close();
                } finally {
                    if (had) {
                        held = null;
                        threads.unlock();
                    }
                }
            }
        } finally {
            TABLE.unlock();
        }
    }

    /** One store's share of the lock file. */
    private final class Handle implements FileSystem.FileLock {
        private final AtomicReference<@Nullable Long> own = new AtomicReference<>();
        private boolean others;
        private boolean closed;

        /** Finds out who had the mutex last, and signs for it. */
        void sign(FileChannel at, ByteBuffer number) throws IOException {
            long mine = Objects.requireNonNull(own.get());
            others = at.read(number.clear(), 0) < Long.BYTES || number.getLong(0) != mine;
            if (others) {
                at.write(number.clear().putLong(0, mine), 0);
            }
        }

        @Override
        public boolean acquire(long timeoutNanos) throws IOException {
            if (own.get()
                    == null) { // drawn when it is needed, and nobody waits: making a source of numbers takes 20 ms
                own.compareAndSet(null, new SecureRandom().nextLong());
            }
            return InterProcessLock.this.acquire(timeoutNanos, this);
        }

        @Override
        public boolean changedHands() {
            return others;
        }

        @Override
        public void release() throws IOException {
            InterProcessLock.this.release();
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                leave();
            }
        }
    }
}

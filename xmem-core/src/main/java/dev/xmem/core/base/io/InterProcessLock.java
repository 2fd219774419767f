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
import java.nio.file.attribute.BasicFileAttributes;
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
 * A lock file: mutual exclusion between the processes that open it, and between the threads of this process.
 *
 * <p><strong>No channel is closed while another holder in the process may have the lock.</strong> POSIX drops the lock
 * of a process when <em>any</em> descriptor of the file is closed. All stores of this class loader that open a file
 * share one channel; another class loader in the same JVM has a channel of its own. A channel is therefore closed only
 * while its lock is held, which Java checks for the whole JVM. If the lock cannot be taken soon, the channel is put
 * among the {@link ParkedChannels} of the JVM, and the next holder closes it at the end of its work.
 *
 * <p><strong>Order of the locks.</strong> A thread takes the lock of the threads first, then the lock of the file,
 * which it polls because Java cannot wait for a file lock with a timeout.
 *
 * <p><strong>Changed hands.</strong> The file contains eight bytes: a random number of the last holder. A holder that
 * reads its own number knows that the lock had no other holder since. Decisions: docs/adr/0004-one-posix-lock.md and
 * docs/adr/0057-parked-channels.md.
 */
final class InterProcessLock {
    private static final ReentrantLock TABLE = new ReentrantLock();
    private static final Map<Object, InterProcessLock> OPEN = new HashMap<>();
    private static final long FIRST_PAUSE_NANOS = 20_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;
    private static final long CLOSE_NANOS = 50_000_000;

    /** Fair, because a thread that appends in a loop would else take it again before those that wait are awake. */
    private final ReentrantLock threads = new ReentrantLock(true);

    private final ByteBuffer number = ByteBuffer.allocateDirect(Long.BYTES);
    private final Path file;
    private final Object key;
    private FileChannel channel;
    private @Nullable FileLock held;
    private int users;
    private volatile boolean left;

    private InterProcessLock(Path file, Object key, FileChannel channel) {
        this.file = file;
        this.key = key;
        this.channel = channel;
    }

    static FileSystem.FileLock open(Path file) throws IOException {
        TABLE.lock();
        try {
            FileChannel created = Files.notExists(file) ? openChannel(file) : null;
            Path real = file.toRealPath();
            Object identity =
                    Files.readAttributes(real, BasicFileAttributes.class).fileKey();
            Object key = identity == null ? real.toString() : identity;
            InterProcessLock lock = OPEN.get(key);
            if (lock == null) {
                FileChannel parked = created == null ? ParkedChannels.take(key) : created;
                lock = new InterProcessLock(real, key, parked == null ? openChannel(real) : parked);
                OPEN.put(key, lock);
            } else if (created != null) {
                ParkedChannels.put(key, created);
            }
            lock.users++;
            return lock.new Handle();
        } finally {
            TABLE.unlock();
        }
    }

    private static FileChannel openChannel(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                NativeFileSystem.mode(file, "rw-------"));
    }

    /** Acquires a lock before a deadline of {@link System#nanoTime}; an interrupt is kept for later. */
    static boolean tryLock(ReentrantLock lock, long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean acquire(long timeoutNanos, @Nullable Handle by) throws IOException {
        long deadline = System.nanoTime() + timeoutNanos;
        return tryLock(threads, deadline) && acquireFile(deadline, by);
    }

    /** Acquires the lock of the file, or gives the lock of the threads back. */
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
            if (left) {
                throw new ClosedChannelException();
            }
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
            // An interrupt during sign() closes the channel, and with it the lock.
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
                try {
                    ParkedChannels.close(key); // drops the lock of the process, whose work is done
                } finally {
                    lock.release();
                }
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
            OPEN.remove(key);
        } finally {
            TABLE.unlock();
        }
        boolean had = false;
        try {
            had = acquire(CLOSE_NANOS, null); // without a number, because the disk may be full
        } finally {
            left = true;
            if (had) {
                held = null;
                try {
                    ParkedChannels.close(key);
                    channel.close();
                } finally {
                    threads.unlock();
                }
            } else if (channel.isOpen()) {
                ParkedChannels.put(key, channel);
            }
        }
    }

    /** One opening of the lock file. */
    private final class Handle implements FileSystem.FileLock {
        private final AtomicReference<@Nullable Long> own = new AtomicReference<>();
        private boolean others;
        private boolean closed;

        /** Reads the number of the last holder, and writes this holder's number if it differs. */
        void sign(FileChannel at, ByteBuffer number) throws IOException {
            long mine = Objects.requireNonNull(own.get());
            others = at.read(number.clear(), 0) < Long.BYTES || number.getLong(0) != mine;
            if (others) {
                at.write(number.clear().putLong(0, mine), 0);
            }
        }

        @Override
        public boolean acquire(long timeoutNanos) throws IOException {
            if (own.get() == null) {
                own.compareAndSet(null, NativeFileSystem.randomLong());
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

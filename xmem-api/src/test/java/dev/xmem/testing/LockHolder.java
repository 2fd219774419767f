package dev.xmem.testing;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that holds a lock, such as {@code .xmem/lock} of a store, until it is closed. */
public final class LockHolder implements AutoCloseable {
    private final Process process;

    /** Starts a process that holds the lock of a file; returns when it does. */
    public LockHolder(Path file) throws IOException {
        process = new ProcessBuilder(
                        Programs.JAVA,
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.getInputStream().read() != '+') {
            throw new IOException("the lock is not held");
        }
    }

    /** The process. Its argument is the file. */
    public static void main(String[] args) throws Exception {
        try (FileChannel file = FileChannel.open(
                        Path.of(args[0]),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            System.out.print(lock.isValid() ? '+' : '-');
            System.out.flush();
            Thread.sleep(600_000);
        }
    }

    /** The number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Whether the lock is still held. */
    public boolean isHeld() {
        return process.isAlive();
    }

    /** Ends the process, and with it the lock. */
    public void release() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        release();
    }
}

package dev.xmem.hooks;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that holds a lock until it is ended. */
final class LockHolder implements AutoCloseable {
    private final Process process;

    /** Starts a process that holds the lock of a store. */
    LockHolder(Path store) throws IOException {
        process = new ProcessBuilder(
                        Programs.JAVA,
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        store.resolve(".xmem/lock").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.getInputStream().read() != '+') {
            throw new IOException("the lock is not held");
        }
    }

    public static void main(String[] args) throws Exception {
        try (FileChannel file = FileChannel.open(Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            System.out.print(lock.isValid() ? '+' : '-');
            System.out.flush();
            Thread.sleep(600_000);
        }
    }

    boolean isHeld() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}

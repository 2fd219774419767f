package dev.xmem.transcripts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A file that one holder has at a time, by a lock that ends with its process. Thread-safe.
 *
 * <p>POSIX drops the lock of a process when the process closes any channel of the file. A second channel is therefore
 * not opened: while a file is held, a system property has its name, for all class loaders of the JVM. A second channel
 * that is opened nevertheless, through a hard link, stays open. See also docs/adr/0057-parked-channels.md.
 */
public final class LockedFile implements AutoCloseable {
    private static final String HELD = "dev.xmem.held-lock:";
    private static final Queue<FileChannel> PARKED = new ConcurrentLinkedQueue<>();

    private final String property;
    private final FileChannel channel;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LockedFile(String property, FileChannel channel) {
        this.property = property;
        this.channel = channel;
    }

    /** Locks a file, which is created for its user alone if needed; null if another holder has it. */
    public static @Nullable LockedFile tryLock(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        Path folder = Objects.requireNonNull(absolute.getParent(), "a lock file has a folder");
        Path path = folder.toRealPath().resolve(Objects.requireNonNull(absolute.getFileName()));
        String property = HELD + path;
        if (System.getProperties().putIfAbsent(property, "held") != null) {
            return null;
        }
        LockedFile held = null;
        try {
            FileChannel channel = FileChannel.open(
                    path,
                    Set.of(
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS),
                    PrivateFiles.attributes(path));
            held = lock(property, channel);
            return held;
        } finally {
            if (held == null) {
                System.clearProperty(property);
            }
        }
    }

    private static @Nullable LockedFile lock(String property, FileChannel channel) throws IOException {
        try {
            if (channel.tryLock() != null) {
                return new LockedFile(property, channel);
            }
            channel.close();
        } catch (OverlappingFileLockException e) {
            PARKED.add(channel); // closing it would drop the lock of the other channel
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return null;
    }

    /** Replaces the content of the file. */
    public void write(String text) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
    }

    /** Gives the file up, also if an interrupt has closed the channel before. */
    @Override
    public void close() throws IOException {
        if (closed.compareAndSet(false, true)) {
            try {
                channel.close();
            } finally {
                System.clearProperty(property);
            }
        }
    }
}

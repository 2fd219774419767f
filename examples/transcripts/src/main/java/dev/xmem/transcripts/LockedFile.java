package dev.xmem.transcripts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A file that one holder has at a time, by a lock that ends with its process. Thread-safe. */
public final class LockedFile implements AutoCloseable {
    /** The files that this process holds: closing a second channel of one would release its lock. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private LockedFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Locks a file, which is created for its user alone if needed; null if another holder has it. */
    public static @Nullable LockedFile tryLock(Path file) throws IOException {
        Path path = file.toAbsolutePath().normalize();
        if (!HELD.add(path)) {
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
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
            } else {
                held = new LockedFile(path, channel);
            }
            return held;
        } finally {
            if (held == null) {
                HELD.remove(path);
            }
        }
    }

    /** Replaces the content of the file. */
    public void write(String text) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD.remove(path);
    }
}

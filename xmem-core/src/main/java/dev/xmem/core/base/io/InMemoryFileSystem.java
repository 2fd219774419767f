package dev.xmem.core.base.io;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file system in the heap, for stores in memory. Each file is a growing byte array; replacing a file creates a new
 * array, so that earlier readers keep the old content. Nothing is durable, and there are no links.
 */
public final class InMemoryFileSystem implements FileSystem {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Content> files = new TreeMap<>();
    private final Map<Path, SharedLock> locks = new TreeMap<>();
    private long namesChanged;

    @Override
    public @Nullable Stat stat(Path file) {
        lock.lock();
        try {
            Content content = files.get(file);
            if (content != null) {
                return new Stat(content.length, content, 0);
            }
            return isFolder(file) ? new Stat(0, file, namesChanged) : null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFolder(Path path) {
        return files.keySet().stream().anyMatch(file -> file.startsWith(path));
    }

    @Override
    public Output append(Path file) {
        lock.lock();
        try {
            Content known = files.get(file);
            return known == null ? put(file, new Content()) : known;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Input open(Path file) throws IOException {
        lock.lock();
        try {
            Content content = files.get(file);
            if (content == null) {
                throw new NoSuchFileException(file.toString());
            }
            return content;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void replace(Path file, byte[] bytes) {
        lock.lock();
        try {
            Content content = new Content();
            content.bytes = bytes.clone();
            content.length = bytes.length;
            put(file, content);
        } finally {
            lock.unlock();
        }
    }

    private Content put(Path file, Content content) {
        files.put(file, content);
        namesChanged++;
        return content;
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        lock.lock();
        try {
            List<Path> moved = files.keySet().stream()
                    .filter(file -> file.startsWith(from))
                    .toList();
            if (moved.isEmpty()) {
                throw new NoSuchFileException(from.toString());
            }
            for (Path file : moved) {
                Path target = file.equals(from) ? to : to.resolve(from.relativize(file));
                put(target, Objects.requireNonNull(files.remove(file)));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void syncName(Path file) {
        // nothing is durable
    }

    @Override
    public void syncFolder(Path folder) {
        // nothing is durable
    }

    @Override
    public void delete(Path file) {
        lock.lock();
        try {
            files.remove(file);
            namesChanged++;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void createFolders(Path folder) {
        // a folder exists while a file is in it
    }

    @Override
    public List<Path> list(Path folder) {
        lock.lock();
        try {
            return files.keySet().stream()
                    .filter(file -> file.startsWith(folder) && !file.equals(folder))
                    .map(file -> folder.resolve(folder.relativize(file).getName(0)))
                    .distinct()
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public FileLock lock(Path file) {
        lock.lock();
        try {
            return new InMemoryLock(locks.computeIfAbsent(file, path -> new SharedLock()));
        } finally {
            lock.unlock();
        }
    }

    /** The content of a file, which is also every opening of it. */
    private final class Content implements Output, Input {
        private byte[] bytes = new byte[1024];
        private int length;

        @Override
        public void write(byte[] from, int offset, int count) {
            lock.lock();
            try {
                if (length + count > bytes.length) {
                    bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
                }
                System.arraycopy(from, offset, bytes, length, count);
                length += count;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public int read(long position, byte[] into, int offset, int count) {
            lock.lock();
            try {
                int n = (int) Math.min(count, length - position);
                if (n <= 0) {
                    return count == 0 ? 0 : -1;
                }
                System.arraycopy(bytes, (int) position, into, offset, n);
                return n;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void force() {
            // nothing is durable
        }

        @Override
        public void close() {
            // nothing to release
        }
    }

    /** What the locks of one file share. */
    private static final class SharedLock {
        private final ReentrantLock lock = new ReentrantLock(true);
        private @Nullable Object last;
    }

    private static final class InMemoryLock implements FileLock {
        private final SharedLock shared;
        private boolean others;

        InMemoryLock(SharedLock shared) {
            this.shared = shared;
        }

        @Override
        public boolean acquire(long timeoutNanos) {
            boolean acquired = InterProcessLock.tryLock(shared.lock, System.nanoTime() + timeoutNanos);
            if (acquired) {
                others = shared.last != this;
                shared.last = this;
            }
            return acquired;
        }

        @Override
        public boolean changedHands() {
            return others;
        }

        @Override
        public void release() {
            shared.lock.unlock();
        }

        @Override
        public void close() {
            // other locks of the same file use the lock too
        }
    }
}

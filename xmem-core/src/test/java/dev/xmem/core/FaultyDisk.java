package dev.xmem.core;

import dev.xmem.core.file.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A disk that counts what is asked of it and fails when told so. */
final class FaultyDisk implements Disk {
    private static final String NEXT = ".compacting";

    private final Disk disk;
    final AtomicInteger forced = new AtomicInteger();
    final List<String> written = new ArrayList<>();
    final Set<Path> mapped = ConcurrentHashMap.newKeySet();
    volatile boolean failForce;
    /** Of the next write only this many bytes are written, then it fails; -1: it succeeds. */
    volatile int failWriteAfter = -1;

    /** The number of a file that is gone is given to the next one: a log is the one or the other of two. */
    volatile boolean reusesNumbers;

    private final Map<Path, Integer> renamings = new ConcurrentHashMap<>();
    private @Nullable Path renamed;
    private Runnable beforeRenaming = () -> {};

    private @Nullable Path opened;
    private int openingsBefore;
    private Runnable beforeOpening = () -> {};

    FaultyDisk(Disk disk) {
        this.disk = disk;
    }

    /** Does something right before a file is put in the place of this one, once. */
    void beforeRenaming(Path file, Runnable work) {
        renamed = file;
        beforeRenaming = work;
    }

    /** Does something right before a file is opened to be read, once, after it was opened so often. */
    void beforeOpening(Path file, int openings, Runnable work) {
        opened = file;
        openingsBefore = openings;
        beforeOpening = work;
    }

    @Override
    public @Nullable Stat stat(Path file) throws IOException {
        Stat stat = disk.stat(file);
        return stat == null || !reusesNumbers ? stat : new Stat(stat.length(), number(file), stat.modifiedMillis());
    }

    private String number(Path file) {
        String name = file.toString();
        boolean next = name.endsWith(NEXT);
        Path log = next ? Path.of(name.substring(0, name.length() - NEXT.length())) : file;
        return log + "#" + (renamings.getOrDefault(log, 0) + (next ? 1 : 0)) % 2;
    }

    @Override
    public Appender append(Path file) throws IOException {
        return new FaultyAppender(file, disk.append(file));
    }

    @Override
    public Source open(Path file) throws IOException {
        if (file.equals(opened) && openingsBefore-- == 0) {
            opened = null;
            beforeOpening.run();
        }
        return disk.open(file);
    }

    @Override
    public ByteBuffer map(Path file) throws IOException {
        mapped.add(file);
        return disk.map(file);
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        disk.replace(file, content);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        if (to.equals(renamed)) {
            renamed = null;
            beforeRenaming.run();
        }
        disk.rename(from, to);
        renamings.merge(to, 1, Integer::sum);
    }

    @Override
    public void syncName(Path file) throws IOException {
        disk.syncName(file);
    }

    @Override
    public void delete(Path file) throws IOException {
        disk.delete(file);
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        disk.createFolders(folder);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        disk.syncFolder(folder);
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public void confine(Path root, Path path) throws IOException {
        disk.confine(root, path);
    }

    @Override
    public Mutex mutex(Path file) throws IOException {
        return disk.mutex(file);
    }

    private final class FaultyAppender implements Appender {
        private final Path file;
        private final Appender appender;

        FaultyAppender(Path file, Appender appender) {
            this.file = file;
            this.appender = appender;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int most = failWriteAfter;
            if (most >= 0) {
                failWriteAfter = -1;
                appender.write(bytes, offset, Math.min(most, length));
                throw new IOException("No space left on device");
            }
            appender.write(bytes, offset, length);
            written.add(String.valueOf(file.getFileName()));
        }

        @Override
        public void force() throws IOException {
            forced.incrementAndGet();
            if (failForce) {
                failForce = false;
                throw new IOException("Input/output error");
            }
            appender.force();
        }

        @Override
        public void close() throws IOException {
            appender.close();
        }
    }
}

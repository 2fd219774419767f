package dev.xmem.core.faults;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.faults.Fault.Kind;
import dev.xmem.core.faults.Fault.Operation;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file system in memory, as strict as POSIX allows: bytes are on the medium once their file is synced, names of files
 * and folders once their folder is. Every operation is counted, and one of them fails as configured.
 */
final class ModelFileSystem implements FileSystem {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Node> names = new TreeMap<>();
    private final Map<Path, Node> syncedNames = new TreeMap<>();
    private final List<Change> unsynced = new ArrayList<>();
    private final Map<Path, ReentrantLock> locks = new TreeMap<>();
    private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
    private final List<Operation> operations = new ArrayList<>();
    private Fault fault = Fault.NONE;
    private boolean gone;
    private long room = Long.MAX_VALUE;
    private long tick;
    private int nodes;

    /** A file or a folder. */
    private static final class Node {
        final boolean folder;
        final Integer number;
        byte[] bytes = {};
        int synced;
        long modified;
        /** What a failed sync lost for ever: pairs of beginning and end. The cache has it until the power goes. */
        final List<int[]> lost = new ArrayList<>();

        Node(boolean folder, Integer number) {
            this.folder = folder;
            this.number = number;
        }
    }

    /** A name that stands for a node from now on; for null: that is gone. */
    private record Change(Path name, @Nullable Node node) {}

    /** The work of an operation. */
    private interface Work {
        void run() throws IOException;
    }

    /** Restarts the count of operations; one of them fails. */
    void plan(Fault next) {
        lock.lock();
        try {
            fault = next;
            operations.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The operations since {@link #plan}, in their order. */
    List<Operation> operations() {
        return List.copyOf(operations);
    }

    boolean crashed() {
        return gone;
    }

    /**
     * One operation.
     *
     * @param part what a short one, or for a sync a failed one, does
     */
    private void step(Operation operation, Work whole, Work part) throws IOException {
        lock.lock();
        try {
            if (gone) {
                throw new Crash();
            }
            operations.add(operation);
            counts.merge(operation, 1, Integer::sum);
            if (operations.size() != fault.at()) {
                whole.run();
                return;
            }
            Kind kind = fault.kind();
            if (kind == Kind.FAIL_LATE || kind == Kind.CRASH_LATE) {
                whole.run();
            } else if (kind == Kind.FAIL_SHORT || kind == Kind.CRASH_SHORT || operation == Operation.SYNC) {
                part.run();
            }
            if (kind.crashes()) {
                gone = true;
                throw new Crash();
            }
            throw new IOException("Input/output error: " + operation + " number " + fault.at());
        } finally {
            lock.unlock();
        }
    }

    private void step(Operation operation, Work whole) throws IOException {
        step(operation, whole, () -> {});
    }

    /** The disk that the next process finds. */
    ModelFileSystem after(Loss loss) {
        ModelFileSystem next = new ModelFileSystem();
        Map<Path, Node> left = new TreeMap<>(loss == Loss.PROCESS ? names : syncedNames);
        if (loss != Loss.PROCESS) {
            for (int i = 0; i < unsynced.size(); i++) {
                if (loss.keepsName(i)) {
                    set(left, unsynced.get(i));
                }
            }
        }
        left.forEach((name, node) -> {
            if (reachable(left, name)) {
                Node kept = new Node(node.folder, node.number);
                int n = loss == Loss.PROCESS
                        ? node.bytes.length
                        : node.synced + loss.kept(node.bytes.length - node.synced);
                kept.bytes = Arrays.copyOf(Arrays.copyOf(node.bytes, n), loss == Loss.ZEROS ? node.bytes.length : n);
                if (loss != Loss.PROCESS) {
                    node.lost.forEach(range -> zero(kept.bytes, range));
                }
                kept.synced = kept.bytes.length;
                kept.modified = node.modified;
                next.names.put(name, kept);
            }
        });
        next.syncedNames.putAll(next.names);
        next.tick = tick;
        next.nodes = nodes;
        return next;
    }

    private static void zero(byte[] bytes, int[] range) {
        Arrays.fill(bytes, Math.min(range[0], bytes.length), Math.min(range[1], bytes.length), (byte) 0);
    }

    /** Whether the folders above a name are there, up to the one that was there before there was a store. */
    private static boolean reachable(Map<Path, Node> left, Path name) {
        Path folder = name.getParent();
        return folder == null || folder.equals(folder.getRoot()) || left.containsKey(folder) && reachable(left, folder);
    }

    private static void set(Map<Path, Node> in, Change change) {
        if (change.node == null) {
            in.remove(change.name);
        } else {
            in.put(change.name, change.node);
        }
    }

    private void change(Path name, @Nullable Node node) {
        Change change = new Change(name, node);
        set(names, change);
        unsynced.add(change);
        Node folder = names.get(name.getParent());
        if (folder != null) {
            folder.modified = ++tick;
        }
    }

    private Node make(Path file) throws IOException {
        Path folder = file.getParent();
        if (folder != null && folder.getParent() != null && !names.containsKey(folder)) {
            throw new NoSuchFileException(file.toString());
        }
        Node node = new Node(false, ++nodes);
        node.modified = ++tick;
        change(file, node);
        return node;
    }

    private void add(Node node, byte[] from, int offset, int length) throws IOException {
        int end = node.bytes.length;
        int fits = (int) Math.min(length, Math.max(0, room - used()));
        node.bytes = Arrays.copyOf(node.bytes, end + fits);
        System.arraycopy(from, offset, node.bytes, end, fits);
        node.modified = ++tick;
        if (fits < length) {
            throw new IOException("No space left on device");
        }
    }

    private long used() {
        return names.values().stream().mapToLong(node -> node.bytes.length).sum();
    }

    /** Limits the bytes that can still be written. */
    void room(long more) {
        room = used() + more;
    }

    private void syncNames(@Nullable Path folder) {
        unsynced.removeIf(change -> {
            boolean here = folder != null && folder.equals(change.name.getParent());
            if (here) {
                set(syncedNames, change);
            }
            return here;
        });
    }

    /** The bytes of a file; none if there is none. */
    byte[] bytes(Path file) {
        lock.lock();
        try {
            Node node = names.get(file);
            return node == null ? new byte[0] : node.bytes.clone();
        } finally {
            lock.unlock();
        }
    }

    /** Damage: some bits of a byte are others. */
    void flip(Path file, int offset, int bits) {
        Node node = Objects.requireNonNull(names.get(file));
        node.bytes[offset] ^= (byte) bits;
    }

    /** Damage: the file ends here. */
    void cut(Path file, int length) {
        Node node = Objects.requireNonNull(names.get(file));
        node.bytes = Arrays.copyOf(node.bytes, length);
        node.synced = length;
    }

    /** All files, by name. */
    Map<Path, byte[]> files() {
        Map<Path, byte[]> files = new TreeMap<>();
        names.forEach((name, node) -> {
            if (!node.folder) {
                files.put(name, node.bytes.clone());
            }
        });
        return files;
    }

    @Override
    public @Nullable Stat stat(Path file) throws IOException {
        Stat[] stat = {null};
        step(Operation.STAT, () -> {
            Node node = names.get(file);
            stat[0] = node == null ? null : new Stat(node.bytes.length, node.number, node.modified);
        });
        return stat[0];
    }

    @Override
    public Output append(Path file) throws IOException {
        createFolders(file.getParent());
        if (!names.containsKey(file)) {
            step(Operation.CREATE, () -> make(file));
        }
        return new View(node(file), file);
    }

    private Node node(Path file) throws IOException {
        Node[] node = {null};
        step(Operation.OPEN, () -> node[0] = names.get(file));
        Node found = node[0];
        if (found == null || found.folder) {
            throw new NoSuchFileException(file.toString());
        }
        return found;
    }

    @Override
    public Input open(Path file) throws IOException {
        return new View(node(file), null);
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp-1-1");
        try {
            step(Operation.CREATE, () -> make(temporary));
            View view = new View(node(temporary), null);
            view.write(content, 0, content.length);
            view.force();
            step(Operation.RENAME, () -> {
                Node node = names.get(temporary);
                change(temporary, null);
                change(file, node);
            });
        } catch (IOException e) {
            drop(temporary);
            throw e;
        }
        step(Operation.SYNC_FOLDER, () -> syncNames(file.getParent()));
    }

    private void drop(Path file) throws IOException {
        if (names.containsKey(file)) {
            step(Operation.DELETE, () -> change(file, null));
        }
    }

    /** The files in a folder move with it; their old names exist for as long as that of the folder does. */
    private void moveInside(Path from, Path to) {
        for (Path name : List.copyOf(names.keySet())) {
            if (name.startsWith(from) && !name.equals(from)) {
                Path target = to.resolve(from.relativize(name));
                names.put(target, Objects.requireNonNull(names.remove(name)));
                Node synced = syncedNames.get(name);
                if (synced != null) {
                    syncedNames.put(target, synced);
                }
            }
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        step(Operation.RENAME, () -> {
            Node node = names.get(from);
            if (node == null) {
                throw new NoSuchFileException(from.toString());
            }
            change(from, null);
            change(to, node);
            moveInside(from, to);
        });
    }

    @Override
    public void syncName(Path file) throws IOException {
        step(Operation.SYNC_FOLDER, () -> syncNames(file.getParent()));
    }

    @Override
    public void delete(Path file) throws IOException {
        if (names.containsKey(file)) {
            drop(file);
            step(Operation.SYNC_FOLDER, () -> syncNames(file.getParent()));
        }
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        if (folder == null || folder.getParent() == null || names.containsKey(folder)) {
            return;
        }
        createFolders(folder.getParent());
        step(Operation.MAKE_FOLDER, () -> change(folder, new Node(true, ++nodes)));
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        if (names.containsKey(folder)) {
            step(Operation.SYNC_FOLDER, () -> syncNames(folder));
        }
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        step(
                Operation.LIST,
                () -> names.keySet().stream()
                        .filter(name -> folder.equals(name.getParent()))
                        .forEach(found::add));
        return found;
    }

    @Override
    public void confine(Path root, Path path) {
        // no links here
    }

    @Override
    public FileLock lock(Path file) throws IOException {
        if (!names.containsKey(file)) {
            step(Operation.CREATE, () -> make(file));
        }
        ReentrantLock held = locks.computeIfAbsent(file, name -> new ReentrantLock());
        return new FileLock() {
            @Override
            public boolean acquire(long timeoutNanos) throws IOException {
                step(Operation.LOCK, () -> {});
                try {
                    return held.tryLock(timeoutNanos, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }

            @Override
            public boolean changedHands() {
                return true;
            }

            @Override
            public void release() {
                held.unlock();
            }

            @Override
            public void close() {
                // shared with every opener of the same name
            }
        };
    }

    /** One opening of a file. */
    private final class View implements Output, Input {
        private final Node node;
        private @Nullable Path unnamed;

        /** An opening; the first sync makes these names durable too, if any are given. */
        View(Node node, @Nullable Path unnamed) {
            this.node = node;
            this.unnamed = unnamed;
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            step(Operation.WRITE, () -> add(node, from, offset, length), () -> add(node, from, offset, length / 2));
        }

        @Override
        public void force() throws IOException {
            step(
                    Operation.SYNC,
                    () -> node.synced = node.bytes.length,
                    () -> node.lost.add(new int[] {node.synced, node.bytes.length}));
            for (Path name = unnamed; name != null && name.getParent() != null; name = name.getParent()) {
                Path folder = name.getParent();
                step(Operation.SYNC_FOLDER, () -> syncNames(folder));
            }
            unnamed = null;
        }

        @Override
        public int read(long position, byte[] into, int offset, int length) throws IOException {
            int[] read = {-1};
            step(Operation.READ, () -> {
                int n = (int) Math.min(length, node.bytes.length - position);
                if (n > 0) {
                    System.arraycopy(node.bytes, (int) position, into, offset, n);
                    read[0] = n;
                }
            });
            return read[0];
        }

        @Override
        public void close() {
            // nothing to release
        }
    }
}

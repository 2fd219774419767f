package dev.xmem.core;

import dev.xmem.Entry;
import dev.xmem.Layer;
import dev.xmem.LayerStats;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.agent.event.EventFile;
import dev.xmem.core.answer.recall.FetchedFamilies;
import dev.xmem.core.answer.recall.Recall;
import dev.xmem.core.base.concurrent.SerialScheduler;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.spi.HashInput;
import dev.xmem.spi.SharedMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store that another one also asks. It is asked on a thread of its own, opened when it is first asked, and left out
 * of an answer if it is late, damaged or missing. It is opened read-only, unless it syncs; what is written to it goes
 * through a second opening that lasts as long as the write. Thread-safe. Decision: docs/adr/0042-layers.md.
 */
final class AskedStore {
    /** How long the first recall of a layer may take: it opens the store and loads classes. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private static final Duration COLD_LIMIT = Duration.ofSeconds(1);

    /** How long a store that could not be opened or read is left alone. */
    private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    private static final String PROVEN = "proven.ndjson";
    private static final int MAX_WRITES = 256;
    private static final int MAX_TRIES = 8;
    private static final Duration WRITE_DELAY = Duration.ofMillis(5);
    private static final Duration RETRY_DELAY = Duration.ofMillis(250);
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(250);

    private final Layer layer;
    private final StoreConfig asking;
    private final StoreConfig reading;
    private final StoreConfig writing;
    private final @Nullable FetchedFamilies families;
    private final LongAdder answered = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder failed = new LongAdder();
    /** The recalls that were given up and have not ended. While there is one, the store is not asked. */
    private final Set<Answer> hanging = ConcurrentHashMap.newKeySet();

    private final ReentrantLock opening = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();
    private final ConcurrentLinkedQueue<IoAction> writes = new ConcurrentLinkedQueue<>();
    private final Runnable writer = this::writeWaiting;
    private @Nullable DefaultStore open;
    private long pausedUntil;
    private boolean paused;
    private int tries;
    private volatile boolean warm;
    private volatile boolean closed;
    private volatile @Nullable String problem;

    /**
     * @param asking the configuration of the store that asks
     * @param config the configuration of the store that is asked
     */
    AskedStore(Layer layer, StoreConfig asking, StoreConfig config) {
        this.layer = layer;
        this.asking = asking;
        this.reading = config.askedAs(layer);
        this.writing = config.written();
        SharedMemory source = config.source();
        this.families = source == null ? null : new FetchedFamilies(source, config, asking);
    }

    /** A recall that one store is answering. */
    static final class Answer {
        private final AskedStore store;
        private final FutureTask<Recall.@Nullable Found> task;
        private final AtomicBoolean decided = new AtomicBoolean();

        private Answer(AskedStore store, HashInput input, RecallQuery query) {
            this.store = store;
            this.task = new FutureTask<>(() -> {
                try {
                    return store.answer(input, query);
                } finally {
                    if (!decided.compareAndSet(false, true)) {
                        store.hanging.remove(this);
                    }
                }
            });
        }

        /** The answer; null if there is none in time. */
        Recall.@Nullable Found await(long begin) {
            Recall.Found found = SerialScheduler.await(task, begin + store.limitNanos());
            if (!task.isDone()) {
                store.hanging.add(this);
                if (decided.compareAndSet(false, true)) {
                    store.late.increment();
                    return null;
                }
                store.hanging.remove(this);
                found = SerialScheduler.await(task, System.nanoTime() + WRITE_DELAY.toNanos());
            }
            if (found != null) {
                store.answered.increment();
            }
            return found;
        }
    }

    private record Counts(
            Layer layer,
            long answered,
            long late,
            long failed,
            @Nullable String problem) implements LayerStats {}

    Layer layer() {
        return layer;
    }

    LayerStats stats() {
        String said = problem != null || families == null ? problem : families.problem();
        return new Counts(layer, answered.sum(), late.sum(), failed.sum(), said);
    }

    private long limitNanos() {
        long guard = asking.guardLimit().toNanos();
        // A shared memory is asked over a network, and what is there already is read from memory.
        long warmLimit = families == null ? guard / 2 : guard * 3 / 4;
        return warm ? warmLimit : Math.max(warmLimit, COLD_LIMIT.toNanos());
    }

    /** Asks about a failure; null if the store is not asked now. */
    @Nullable Answer ask(HashInput input, RecallQuery query) {
        Answer answer = new Answer(this, input, query);
        if (closed || !hanging.isEmpty() || !asking.resources().network().runNow(answer.task)) {
            late.increment();
            return null;
        }
        return answer;
    }

    private Recall.@Nullable Found answer(HashInput input, RecallQuery query) throws IOException {
        try {
            if (families != null && !isAskedByPrivate()) {
                // A quarter of the wait is for the answer itself.
                if (!families.fetch(query.hash().value(), limitNanos() * 3 / 4)) {
                    late.increment();
                }
            }
            DefaultStore store = ready();
            return store == null ? null : store.find(input, query, asking.hasher());
        } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
            failed(e);
            throw e;
        } finally {
            warm = true;
        }
    }

    /** Leaves the store alone for a while, and opens it again afterwards. */
    private void failed(Throwable e) {
        failed.increment();
        Log.debug("a store that is also asked failed: " + e.getClass().getName(), null);
        opening.lock();
        try {
            problem = "the store in " + reading.paths().root() + " cannot be read: " + e.getMessage();
            paused = true;
            pausedUntil = System.nanoTime() + PAUSE_NANOS;
            closeOpen();
        } finally {
            opening.unlock();
        }
    }

    /** The open store; null if there is none to ask at present. */
    private @Nullable DefaultStore ready() throws IOException {
        opening.lock();
        try {
            if (closed || paused && pausedUntil - System.nanoTime() > 0) {
                return null;
            }
            paused = false;
            problem = families == null ? obstacle() : null;
            if (problem != null) {
                closeOpen();
            } else if (open == null) {
                open = StoreAssembly.open(reading, Map.of());
            }
            return open;
        } finally {
            opening.unlock();
        }
    }

    /** Why the store cannot be asked, although nothing failed; null if it can. */
    private @Nullable String obstacle() throws IOException {
        FileSystem files = reading.fileSystem();
        StorePaths paths = reading.paths();
        if (!files.exists(paths.data())) {
            return "there is no store in " + paths.root();
        }
        if (files.exists(paths.privateMark())) {
            return "the store in " + paths.root() + " is private";
        }
        return null;
    }

    private void closeOpen() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    /** Reads from the store, or returns a default if there is none to read at present. */
    <T> T readOr(T none, Function<XMemStore, T> work) throws IOException {
        DefaultStore store = ready();
        return store == null ? none : work.apply(store);
    }

    /** Reads from the store in the thread of the caller, who asked for this store by name. */
    <T> T read(Function<XMemStore, T> work) {
        try {
            DefaultStore store = ready();
            if (store == null) {
                throw new XMemException.Unsupported(
                        Objects.requireNonNullElse(problem, "the store is being closed") + ".");
            }
            return work.apply(store);
        } catch (IOException e) {
            throw new XMemException.Io(reading.paths().root(), e);
        }
    }

    /** The id of an entry in its own store. */
    String ownId(String id) {
        return id.substring(0, id.length() - layer.suffix().length());
    }

    /** An entry of this store, as the asking store shows it. */
    Entry shown(Entry entry) {
        return StoredEntries.shownAs(entry, entry.id() + layer.suffix());
    }

    /** Whether the asking store may write to this one. */
    boolean isWritable() {
        return !writing.readOnly() && !isAskedByPrivate();
    }

    private boolean isAskedByPrivate() {
        try {
            return asking.privateStore()
                    || asking.fileSystem().exists(asking.paths().privateMark());
        } catch (IOException e) {
            return true;
        }
    }

    /** Writes to the store in the thread of the caller. Creates the store if there is none. */
    <T> T write(Function<XMemStore, T> work) {
        if (!isWritable()) {
            throw new XMemException.Unsupported(
                    isAskedByPrivate()
                            ? "this store is private; nothing leaves it."
                            : "the store in " + writing.paths().root() + " is asked read-only.");
        }
        try (XMemStore store = StoreAssembly.open(writing, Map.of())) {
            return work.apply(store);
        }
    }

    /** Writes in the background, if this store gets anything from the asking one; false if it does not. */
    boolean writeLater(IoAction work) {
        if (closed || !isWritable()) {
            return false;
        }
        if (writes.size() >= MAX_WRITES) {
            failed.increment();
            return false;
        }
        writes.add(work);
        asking.resources().network().schedule(writer, WRITE_DELAY);
        return true;
    }

    private void writeWaiting() {
        writeLock.lock();
        try {
            for (IoAction next = writes.peek(); next != null; next = writes.peek()) {
                next.run();
                writes.poll();
                tries = 0;
            }
        } catch (XMemException.Busy e) {
            if (++tries < MAX_TRIES) {
                asking.resources().network().schedule(writer, RETRY_DELAY);
            } else {
                dropWaiting();
            }
        } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
            Log.debug("a write to another store failed: " + e.getClass().getName(), null);
            writes.poll();
            failed.increment();
            asking.resources().network().schedule(writer, WRITE_DELAY);
        } finally {
            writeLock.unlock();
        }
    }

    private void dropWaiting() {
        tries = 0;
        while (writes.poll() != null) {
            failed.increment();
        }
    }

    /**
     * Notes that a lesson of a family worked in a project. The note is a line of {@code .xmem/proven.ndjson} and names
     * the project by a digest only.
     */
    void noteProven(String family, String project) throws IOException {
        FileSystem files = writing.fileSystem().within(writing.paths().root());
        Path local = writing.paths().local();
        if (!files.exists(writing.paths().privateMark())
                && !proven().getOrDefault(family, Set.of()).contains(project)) {
            files.createFolders(local);
            EventFile file = new EventFile(files, local.resolve(PROVEN));
            Map<String, Object> event = Map.of("family", family, "project", project);
            file.locked(local.resolve("proven-lock"), PATIENCE, () -> file.append(event));
        }
    }

    /** The projects in which a lesson worked, by family. */
    Map<String, Set<String>> proven() throws IOException {
        Map<String, Set<String>> projects = new LinkedHashMap<>();
        FileSystem files = writing.fileSystem().within(writing.paths().root());
        for (Map<String, Object> event :
                new EventFile(files, writing.paths().local().resolve(PROVEN)).readNew()) {
            if (event.get("family") instanceof String family && event.get("project") instanceof String project) {
                projects.computeIfAbsent(family, key -> new HashSet<>()).add(project);
            }
        }
        return projects;
    }

    /** Writes what waits, as far as that is possible at once. */
    void flush() {
        FutureTask<Boolean> task = new FutureTask<>(writer, true);
        if (!writes.isEmpty() && asking.resources().network().runNow(task)) {
            SerialScheduler.await(task, System.nanoTime() + CLOSE_LIMIT.toNanos());
        }
    }

    /** Closes the store; does not wait for one that hangs. */
    void close() {
        flush();
        closed = true;
        hanging.forEach(answer -> asking.resources().network().interrupt(answer.task));
        asking.resources().network().cancel(writer, Duration.ZERO);
        FutureTask<Boolean> task = new FutureTask<>(this::closeReading, true);
        if (asking.resources().network().runNow(task)) {
            SerialScheduler.await(task, System.nanoTime() + CLOSE_LIMIT.toNanos());
        }
    }

    private void closeReading() {
        opening.lock();
        try {
            closeOpen();
        } finally {
            opening.unlock();
        }
    }
}

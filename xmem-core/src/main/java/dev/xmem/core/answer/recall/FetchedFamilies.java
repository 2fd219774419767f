package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.core.base.concurrent.SerialScheduler;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.trace.Log;
import dev.xmem.spi.SharedMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The families that were fetched from a shared memory, as the logs of one peer in a store in memory: the least recently
 * asked ones go first. What a memory returns is a peer's text, whatever it says: it never raises a level, counts as one
 * session, and is fenced and cut as any peer's. Thread-safe. Decision: docs/adr/0082-shared-memory.md.
 */
public final class FetchedFamilies {
    private static final int MAX_FAMILIES = 1024;
    private static final int MAX_LINES = 16;
    private static final long MAX_BYTES = 4L << 20;
    private static final int MAX_FETCHES = 4;
    private static final long FRESH_NANOS = Duration.ofMinutes(5).toNanos();
    private static final long FRESH_IF_EMPTY_NANOS = Duration.ofSeconds(3).toNanos();
    /** How long the memory is left alone after it failed. */
    private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    /** How long a look-up may take that no recall waits for. */
    private static final long LOOKUP_NANOS = Duration.ofSeconds(1).toNanos();

    private static final List<Entry.Kind> KINDS = List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS);

    private final SharedMemory memory;
    private final FileSystem files;
    private final Path folder;
    private final StoreConfig asking;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Family> families = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<String> fetching = new HashSet<>();
    private final Semaphore room = new Semaphore(MAX_FETCHES);
    private long bytes;
    private volatile long pausedUntil = System.nanoTime();
    private volatile @Nullable String failure;

    /**
     * No families yet.
     *
     * @param store the configuration of the store in memory
     * @param asking the configuration of the store that asks
     */
    public FetchedFamilies(SharedMemory memory, StoreConfig store, StoreConfig asking) {
        this.memory = memory;
        this.files = store.fileSystem();
        this.asking = asking;
        String id = UUID.nameUUIDFromBytes(memory.id().getBytes(StandardCharsets.UTF_8))
                .toString();
        this.folder = store.paths().peers().resolve(id.replace("-", ""));
    }

    /** A family, its lines by kind, and when it was fetched. */
    private record Family(Map<Entry.Kind, List<byte[]>> lines, long bytes, long at) {
        boolean isFresh() {
            return System.nanoTime() - at < (bytes == 0 ? FRESH_IF_EMPTY_NANOS : FRESH_NANOS);
        }
    }

    /** Why the memory does not answer at present; null if it does. */
    public @Nullable String problem() {
        String reported = memory.problem();
        return reported != null ? reported : failure;
    }

    /**
     * Fetches a family, unless it is there or the memory does not know it; goes on without it after the limit.
     *
     * @return false if the memory did not answer in time
     */
    public boolean fetch(String hash, long limitNanos) {
        long until = System.nanoTime() + limitNanos;
        lock.lock();
        try {
            removeStale();
            Family known = families.get(hash);
            boolean needed = known == null || !known.isFresh();
            boolean paused = pausedUntil - System.nanoTime() > 0;
            if (!needed || paused || hash.isEmpty() || !memory.mayKnow(hash) || !fetching.add(hash)) {
                return true;
            }
        } finally {
            lock.unlock();
        }
        FutureTask<Boolean> task = new FutureTask<>(() -> ask(hash, limitNanos), true);
        if (!room.tryAcquire()) {
            done(hash);
            return false;
        }
        if (!asking.resources().network().runNow(task)) {
            room.release();
            done(hash);
            return false;
        }
        return SerialScheduler.await(task, until) != null;
    }

    /** Removes what was fetched too long ago: it may have been erased since. The caller holds the lock. */
    private void removeStale() {
        boolean any = false;
        for (Iterator<Family> each = families.values().iterator(); each.hasNext(); ) {
            Family family = each.next();
            if (family.bytes > 0 && !family.isFresh()) {
                bytes -= family.bytes;
                each.remove();
                any = true;
            }
        }
        try {
            for (Entry.Kind kind : any ? KINDS : List.<Entry.Kind>of()) {
                write(kind, List.of(), true);
            }
        } catch (IOException e) {
            Log.debug("fetched families were not removed", e);
        }
    }

    private void done(String hash) {
        lock.lock();
        try {
            fetching.remove(hash);
        } finally {
            lock.unlock();
        }
    }

    private void ask(String hash, long limitNanos) {
        try {
            add(hash, memory.lookup(hash, Duration.ofNanos(Math.max(limitNanos, LOOKUP_NANOS))));
            failure = null;
        } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
            Log.debug("a shared memory failed: " + e.getClass().getName(), null);
            failure = "the shared memory " + memory.id() + " cannot be asked: " + e.getMessage();
            pausedUntil = System.nanoTime() + PAUSE_NANOS;
        } finally {
            room.release();
            done(hash);
        }
    }

    private void add(String hash, List<byte[]> lines) throws IOException {
        Map<Entry.Kind, List<byte[]>> kept = new LinkedHashMap<>();
        long size = 0;
        for (byte[] line : lines.subList(0, Math.min(MAX_LINES, lines.size()))) {
            Entry.Kind kind = kind(hash, line);
            if (kind != null) {
                kept.computeIfAbsent(kind, each -> new ArrayList<>()).add(line.clone());
                size += line.length;
            }
        }
        files.createFolders(folder);
        lock.lock();
        try {
            Family before = families.put(hash, new Family(kept, size, System.nanoTime()));
            bytes += size - (before == null ? 0 : before.bytes);
            boolean evicted = evict();
            for (Entry.Kind kind : KINDS) {
                write(kind, kept.getOrDefault(kind, List.of()), evicted || before != null && before.bytes > 0);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The kind of a line of a family; null if the line is none. */
    private Entry.@Nullable Kind kind(String hash, byte[] line) {
        if (line.length > asking.limits().lineBytes()) {
            return null;
        }
        for (byte each : line) {
            if (each == '\n' || each == '\r') {
                return null;
            }
        }
        try {
            IndexedFields fields = LineCodec.indexedFields(Entry.Kind.UNKNOWN, line, 0, line.length);
            boolean usable = hash.equals(fields.ctxHash()) && !fields.isPrivate() && KINDS.contains(fields.kind());
            return usable ? fields.kind() : null;
        } catch (MalformedLineException e) {
            return null;
        }
    }

    private boolean evict() {
        boolean any = false;
        // A tenth more than needed: the logs are written again.
        int most = families.size() > MAX_FAMILIES ? MAX_FAMILIES * 9 / 10 : MAX_FAMILIES;
        long mostBytes = bytes > MAX_BYTES ? MAX_BYTES * 9 / 10 : MAX_BYTES;
        Iterator<Family> eldest = families.values().iterator();
        while (eldest.hasNext() && (families.size() > most || bytes > mostBytes)) {
            bytes -= eldest.next().bytes;
            eldest.remove();
            any = true;
        }
        return any;
    }

    private void write(Entry.Kind kind, List<byte[]> added, boolean all) throws IOException {
        Path file = folder.resolve(LogName.of(kind).fileName());
        if (!all && added.isEmpty()) {
            return;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (all) {
            families.values().forEach(family -> put(family.lines.getOrDefault(kind, List.of()), out));
            files.replace(file, out.toByteArray());
        } else {
            put(added, out);
            try (FileSystem.Output log = files.append(file)) {
                log.write(out.toByteArray(), 0, out.size());
            }
        }
    }

    private static void put(List<byte[]> lines, ByteArrayOutputStream out) {
        for (byte[] line : lines) {
            out.writeBytes(line);
            out.write('\n');
        }
    }
}

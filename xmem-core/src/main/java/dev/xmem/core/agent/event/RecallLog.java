package dev.xmem.core.agent.event;

import dev.xmem.Advice;
import dev.xmem.RecallHistory;
import dev.xmem.XMemException;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What guards told, and what became of it: {@code .xmem/recalls.ndjson}, at most {@value #MAX_BYTES} bytes. An answer
 * is only queued; the lines are written after it. If the queue is full, or another process holds the lock of the file
 * for long, lines are missing. Each text is written once, and lines name it by its hash. In a file that is too long,
 * the older half becomes one line a day. Thread-safe. Decision: docs/adr/0084-log-of-recalls.md.
 */
public final class RecallLog {
    static final int MAX_BYTES = 1 << 20;

    static final int MAX_TEXT_CHARS = 4_000;

    private static final int CAPACITY = 512;
    private static final int MAX_TEXTS = 1_024;
    private static final int MAX_IDS = 16;
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final EventFile file;
    private final Path lock;
    private final FileSystem files;
    private final Path path;
    private final UnaryOperator<Set<String>> existing;
    private final BlockingQueue<Map<String, Object>> queue = new ArrayBlockingQueue<>(CAPACITY);
    private final ReentrantLock writing = new ReentrantLock();
    /** The hashes of the texts that the file has, as far as this object knows; guarded by {@link #writing}. */
    private final Set<String> texts = new HashSet<>();

    /** The file that {@link #texts} are of, and how long it was at least; null if they are of none. */
    private FileSystem.@Nullable Stat known;

    /**
     * The log in the folder of the files that belong to this machine.
     *
     * @param existing which of some ids are of entries of the store; what names another one is not written
     */
    public RecallLog(FileSystem files, Path local, UnaryOperator<Set<String>> existing) {
        this.existing = existing;
        this.files = files;
        this.path = StorePaths.recallsIn(local);
        this.lock = local.resolve("recalls-lock");
        this.file = new EventFile(files, path, MAX_BYTES);
    }

    /**
     * Notes an answer; writes nothing yet.
     *
     * @param session the hash of the session's id; empty if there is none
     * @param ctxHash the family of the failure; empty if the answer is about several
     * @param isRepeat whether the family was met before
     */
    public void answered(
            RecallHistory.Door door, Instant ts, String session, String ctxHash, boolean isRepeat, Advice advice) {
        Map<String, Object> event = event(door.name().toLowerCase(Locale.ROOT), ts, session, ctxHash);
        event.put("repeat", isRepeat ? 1 : 0);
        if (!advice.isEmpty()) {
            event.put(
                    "entries",
                    advice.matches().stream()
                            .map(match -> match.entry().id())
                            .limit(MAX_IDS)
                            .toList());
            event.put("tokens", advice.tokens());
            event.put("text", Fence.inside(advice.text()));
        }
        queue.offer(event);
    }

    /** Notes that a call worked whose family failed before in its session; writes nothing yet. */
    public void worked(Instant ts, String session, String ctxHash, Collection<String> followed) {
        Map<String, Object> event = event(RecallEvents.WORKED, ts, session, ctxHash);
        event.put("entries", followed.stream().distinct().limit(MAX_IDS).toList());
        queue.offer(event);
    }

    private static Map<String, Object> event(String kind, Instant ts, String session, String ctxHash) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("kind", kind);
        event.put("ts", LineCodec.ts(ts.toEpochMilli()));
        event.put("session", session);
        event.put("family", ctxHash);
        return event;
    }

    /** Writes the lines that wait; drops them if that fails. */
    public void write() {
        if (queue.isEmpty()) {
            return;
        }
        writing.lock();
        try {
            List<Map<String, Object>> waiting = new ArrayList<>();
            queue.drainTo(waiting);
            file.locked(lock, PATIENCE, () -> append(waiting));
        } catch (IOException | RuntimeException e) {
            Log.debug("what a guard told was not noted: " + e.getClass().getName(), null);
        } finally {
            writing.unlock();
        }
    }

    /** Drops the lines that wait: they may quote an entry that was purged. */
    public void clear() {
        writing.lock();
        try {
            queue.clear();
            known = null;
        } finally {
            writing.unlock();
        }
    }

    private void append(List<Map<String, Object>> events) throws IOException {
        known = texts.size() > MAX_TEXTS ? null : known;
        Set<String> named = new HashSet<>();
        for (Map<String, Object> event : events) {
            named.addAll(RecallEvents.entries(event));
        }
        // Under the lock: a purge rewrites the file under it after the entry is gone, and answers may be older.
        Set<String> found = named.isEmpty() ? named : existing.apply(named);
        for (Map<String, Object> event : events) {
            if (!found.containsAll(RecallEvents.entries(event))) {
                continue;
            }
            look();
            if (event.get("text") instanceof String text) {
                String hash = RecallEvents.hash(text);
                if (texts.add(hash)) {
                    Map<String, Object> line = new LinkedHashMap<>();
                    line.put("kind", RecallEvents.TEXT);
                    line.put("hash", hash);
                    line.put("text", TextSanitizer.cut(text, MAX_TEXT_CHARS));
                    file.append(line);
                }
                event.put("text", hash);
            }
            file.append(event);
        }
    }

    /** Shortens a file that is too long, and reads the texts again if the file was replaced. */
    private void look() throws IOException {
        FileSystem.Stat stat = files.stat(path);
        if (stat != null && stat.length() > MAX_BYTES / 2 + MAX_BYTES / 4) {
            file.replace(events(files, path).shortened());
            stat = files.stat(path);
        }
        boolean isKnown =
                known != null && stat != null && stat.key().equals(known.key()) && stat.length() >= known.length();
        if (!isKnown) {
            texts.clear();
            texts.addAll(events(files, path).texts());
        }
        known = stat;
    }

    private static RecallEvents events(FileSystem files, Path path) throws IOException {
        return new RecallEvents(new EventFile(files, path, MAX_BYTES).readNew());
    }

    /** Reads the log; empty if there is none, or if it cannot be read. */
    public static RecallHistory read(FileSystem files, StorePaths paths) {
        try {
            return events(files, paths.recalls()).history();
        } catch (IOException | RuntimeException e) {
            Log.debug("the log of recalls was not read: " + e.getClass().getName(), null);
            return new RecallEvents(List.of()).history();
        }
    }

    /** Keeps the counts of the days, and nothing that names an entry, a family or a text. */
    public static void forget(FileSystem files, StorePaths paths) throws IOException {
        if (!files.isPlain(paths.recalls())) {
            return;
        }
        EventFile log = new EventFile(files, paths.recalls(), MAX_BYTES);
        try {
            log.locked(
                    paths.recalls().resolveSibling("recalls-lock"),
                    PATIENCE,
                    () -> log.replace(events(files, paths.recalls()).history().days().stream()
                            .map(RecallEvents::line)
                            .toList()));
        } catch (XMemException.Busy e) {
            files.delete(paths.recalls());
        }
    }
}

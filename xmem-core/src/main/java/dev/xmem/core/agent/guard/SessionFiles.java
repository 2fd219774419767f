package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.XMemException;
import dev.xmem.core.agent.event.EventFile;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files through which the guards of several processes share sessions: one {@link EventFile} for each session, named
 * by a hash of its id. At most {@value #MAX_FILES} files are kept, none that is {@value #MAX_DAYS} days older than the
 * newest. Thread-safe.
 */
final class SessionFiles {
    static final int MAX_FILES = 256;
    private static final int MAX_DAYS = 7;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long FIRST_MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final long SECOND_MULTIPLIER = 0xC2B2AE3D27D4EB4FL;
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{32}\\.ndjson");

    private final GuardStore store;
    private final FileSystem files;
    private final Path local;
    private final Path folder;

    SessionFiles(GuardStore store) {
        this.store = store;
        this.files = store.files();
        this.local = store.config().paths().local();
        this.folder = local.resolve("sessions");
    }

    EventFile of(String id) {
        return new EventFile(files, folder.resolve(hash(id) + ".ndjson"));
    }

    /** The file for the transient failures of all sessions. */
    EventFile transientFailures() {
        return new EventFile(files, local.resolve("transient-failures.ndjson"));
    }

    /** Appends an event. If the store or the file cannot be written, it stays in the memory of this process. */
    void append(EventFile file, Map<String, Object> event) {
        if (!store.isWritable()) {
            return;
        }
        try {
            locked(file, () -> file.append(event));
        } catch (IOException e) {
            Log.debug("an event of a session was not shared", e);
        }
    }

    private void locked(EventFile file, IoAction work) throws IOException {
        boolean fresh = !file.exists();
        files.createFolders(folder);
        file.locked(local.resolve("sessions-lock"), PATIENCE, work);
        if (fresh) {
            removeOld();
        }
    }

    /**
     * Claims the recording of a failure under the lock of the files. Without the lock, or without room for the claim,
     * it succeeds.
     *
     * @param since the time since which a record of another process counts, in milliseconds since 1970
     * @return the record or the recent claim of another process; null if this one may record the failure
     */
    @Nullable SessionEvent claim(EventFile file, SessionEvent event, long since) {
        AtomicReference<@Nullable SessionEvent> other = new AtomicReference<>();
        try {
            other.set(takenOver(file, event, since)); // loads the classes before other processes have to wait for it
            Map<String, Object> claim = event.claim().fields();
            if (other.get() == null) {
                locked(file, () -> {
                    other.set(takenOver(file, event, since));
                    if (other.get() == null) {
                        file.append(claim);
                    }
                });
            }
        } catch (IOException | XMemException.Busy e) {
            Log.debug("the recording of a failure was not claimed", e);
        }
        return other.get();
    }

    /** The exception for a write that is retried because another process has claimed it. */
    XMemException.Busy busy() {
        return new XMemException.Busy(folder, Duration.ZERO);
    }

    private static @Nullable SessionEvent takenOver(EventFile file, SessionEvent event, long since) throws IOException {
        SessionEvent other = null;
        for (Map<String, Object> fields : file.readOthers()) {
            SessionEvent before = SessionEvent.of(fields, 0, event.millis() + SessionEvent.CLAIM_MILLIS);
            other = before != null && before.takesOver(event, since) ? before : other;
        }
        return other;
    }

    private record Aged(Path file, long millis) {}

    private void removeOld() throws IOException {
        List<Aged> aged = new ArrayList<>();
        for (Path file : files.list(folder)) {
            FileSystem.Stat stat = NAME.matcher(file.getFileName().toString()).matches() ? files.stat(file) : null;
            if (stat != null) {
                aged.add(new Aged(file, stat.modifiedMillis()));
            }
        }
        aged.sort((one, other) -> Long.compare(other.millis, one.millis));
        for (int i = 0; i < aged.size(); i++) {
            long age = aged.get(0).millis() - aged.get(i).millis();
            if (i >= MAX_FILES || age > Duration.ofDays(MAX_DAYS).toMillis()) {
                files.delete(aged.get(i).file());
            }
        }
    }

    /** The key of a call's id in the events of its session; empty if it has none. */
    static String callKey(ToolCall call) {
        String id = call.callId();
        return id == null ? "" : hash(id);
    }

    /**
     * A short name for an id that an agent chooses. Not cryptographic: an agent that finds two ids of one name gains no
     * more than by using one id twice.
     */
    static String hash(String id) {
        String key = CallTruncation.key(id);
        long first = EventFile.hash(key, id.length(), FIRST_MULTIPLIER);
        long second = EventFile.hash(key, ~(long) id.length(), SECOND_MULTIPLIER);
        return HexFormat.of().toHexDigits(first) + HexFormat.of().toHexDigits(second);
    }
}

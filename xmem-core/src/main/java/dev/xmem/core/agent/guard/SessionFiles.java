package dev.xmem.core.agent.guard;

import dev.xmem.core.agent.event.EventFile;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The files through which the guards of several processes share sessions: one {@link EventFile} for each session, named
 * by a hash of its id. At most {@value #MAX_FILES} files are kept, none that is {@value #MAX_DAYS} days older than the
 * newest. Thread-safe.
 */
final class SessionFiles {
    static final int MAX_FILES = 256;
    private static final int MAX_DAYS = 7;
    private static final int NAME_BYTES = 16;
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{32}\\.ndjson");

    private final FileSystem files;
    private final Path local;
    private final Path folder;
    private final LineCodec codec;
    private final boolean writable;

    /**
     * @param local the folder of the files that belong to this machine
     * @param writable whether events are written; else they are only read
     */
    SessionFiles(FileSystem files, Path local, LineCodec codec, boolean writable) {
        this.writable = writable;
        this.files = files;
        this.local = local;
        this.folder = local.resolve("sessions");
        this.codec = codec;
    }

    EventFile of(String id) {
        return new EventFile(files, codec, folder.resolve(hash(id) + ".ndjson"));
    }

    /** The file for the transient failures of all sessions. */
    EventFile transientFailures() {
        return new EventFile(files, codec, local.resolve("transient-failures.ndjson"));
    }

    /** Appends an event. If the file cannot be written, the event stays in the memory of this process. */
    void append(EventFile file, Map<String, Object> event) {
        if (!writable) {
            return;
        }
        try {
            boolean fresh = !file.exists();
            files.createFolders(folder);
            file.append(event, local.resolve("sessions-lock"));
            if (fresh) {
                removeOld();
            }
        } catch (IOException e) {
            Log.debug("an event of a session was not shared", e);
        }
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
        aged.sort(Comparator.comparingLong(Aged::millis).reversed());
        for (int i = 0; i < aged.size(); i++) {
            long age = aged.get(0).millis() - aged.get(i).millis();
            if (i >= MAX_FILES || age > Duration.ofDays(MAX_DAYS).toMillis()) {
                files.delete(aged.get(i).file());
            }
        }
    }

    /** A short name for an id that an agent chooses. */
    static String hash(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(CallTruncation.key(id).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

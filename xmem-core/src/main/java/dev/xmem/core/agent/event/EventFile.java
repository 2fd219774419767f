package dev.xmem.core.agent.event;

import dev.xmem.XMemException;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A small file of events, one JSON object a line, to which the guards of several processes append. This object reads
 * what the others wrote: it skips its own lines, and lines that are torn or no events. A writer holds a lock, begins
 * with a newline, so that a torn line stays alone, and drops the older half of a file that is too long. Not
 * thread-safe. Decision: docs/adr/0032-shared-sessions.md.
 */
public final class EventFile {
    /** The size of a file, in bytes, from which on a writer drops the older half. */
    public static final int MAX_BYTES = 256 << 10;

    private static final String WRITER = "by";
    private static final int SHIFT = 29;

    private final FileSystem files;
    private final Path path;
    private final int maxBytes;
    /** Names this object in its lines. Random, since the first use of a {@link ProcessHandle} takes 5 ms. */
    private final String writer = Long.toString(NativeFileSystem.randomLong(), Character.MAX_RADIX);

    private @Nullable Object key;
    private long end;

    /** A file of at most {@value #MAX_BYTES} bytes that is created by the first {@link #append}. */
    public EventFile(FileSystem files, Path path) {
        this(files, path, MAX_BYTES);
    }

    EventFile(FileSystem files, Path path, int maxBytes) {
        this.maxBytes = maxBytes;
        this.files = files;
        this.path = path;
    }

    /**
     * Mixes the bytes of a text into a number. Not cryptographic, because the first use of a {@link
     * java.security.MessageDigest} takes longer than a recall.
     */
    public static long hash(String text, long seed, long multiplier) {
        long hash = seed;
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ next) * multiplier;
            hash ^= hash >>> SHIFT;
        }
        return hash;
    }

    /** Whether there is such a file. */
    public boolean exists() throws IOException {
        return files.exists(path);
    }

    /** Whether a writer has replaced the file since it was read, to drop its older half. */
    public boolean isReplaced() throws IOException {
        FileSystem.Stat stat = key == null || !files.isPlain(path) ? null : files.stat(path);
        return stat != null && (!stat.key().equals(key) || stat.length() < end);
    }

    /** The events that other writers added since the last call, in order. */
    public List<Map<String, Object>> readNew() throws IOException {
        end = isReplaced() ? 0 : end;
        FileSystem.Stat stat = files.isPlain(path) ? files.stat(path) : null;
        if (stat == null || stat.length() <= end) {
            return List.of();
        }
        byte[] bytes = bytes(Math.max(end, stat.length() - maxBytes), stat.length());
        int whole = bytes.length;
        while (whole > 0 && bytes[whole - 1] != '\n') {
            whole--;
        }
        key = stat.key();
        end = stat.length() - bytes.length + whole;
        List<Map<String, Object>> events = new ArrayList<>();
        for (int from = 0; from < whole; from++) {
            int begin = from;
            while (bytes[from] != '\n') {
                from++;
            }
            addIfEvent(Arrays.copyOfRange(bytes, begin, from), events);
        }
        return events;
    }

    /** All events of the other writers. */
    public List<Map<String, Object>> readOthers() throws IOException {
        return new EventFile(files, path, maxBytes)
                .readNew().stream()
                        .filter(event -> !writer.equals(event.get(WRITER)))
                        .toList();
    }

    private void addIfEvent(byte[] line, List<Map<String, Object>> events) {
        try {
            Map<String, Object> event = line.length == 0 ? Map.of() : LineCodec.fields(line);
            if (event.get(WRITER) instanceof String by && !by.equals(writer)) {
                events.add(event);
            }
        } catch (MalformedLineException e) {
            // torn, or not written by a guard
        }
    }

    private byte[] bytes(long from, long to) throws IOException {
        return files.read(path, from, (int) (to - from));
    }

    /**
     * Runs work under the lock that all writers hold.
     *
     * @throws XMemException.Busy if another process holds the lock for too long
     */
    public void locked(Path lockFile, Duration patience, IoAction work) throws IOException {
        try (FileSystem.FileLock lock = files.lock(lockFile)) {
            if (!lock.acquire(patience.toNanos())) {
                throw new XMemException.Busy(lockFile, patience);
            }
            try {
                work.run();
            } finally {
                lock.release();
            }
        }
    }

    /** Appends an event: strings, whole numbers and lists of strings. Called under the lock. */
    public void append(Map<String, Object> event) throws IOException {
        byte[] line = line(event);
        trim(line.length);
        try (FileSystem.Output out = files.append(path)) {
            out.write(line, 0, line.length);
        }
    }

    /** Drops the older half of the file if it would become too long. */
    private void trim(int more) throws IOException {
        FileSystem.Stat stat = files.stat(path);
        if (stat == null) {
            return;
        }
        if (!files.isPlain(path)) {
            throw new FileSystemException(path.toString(), null, "is not a plain file");
        }
        if (stat.length() + more > maxBytes) {
            byte[] newer = bytes(stat.length() - Math.min(stat.length(), maxBytes / 2), stat.length());
            int from = 0;
            while (from < newer.length && newer[from] != '\n') {
                from++;
            }
            files.replace(path, Arrays.copyOfRange(newer, from, newer.length));
        }
    }

    /** Replaces all events. Called under the lock. */
    void replace(List<Map<String, Object>> events) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        events.forEach(event -> all.writeBytes(line(event)));
        files.replace(path, all.toByteArray());
    }

    private byte[] line(Map<String, Object> event) {
        StringJoiner members = new StringJoiner(",", "\n{", "}\n");
        members.add(TextSanitizer.json(WRITER) + ':' + TextSanitizer.json(writer));
        event.forEach((name, value) -> members.add(TextSanitizer.json(name) + ':' + json(value)));
        return members.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String json(Object value) {
        return value instanceof List<?> items
                ? items.stream().map(EventFile::json).toList().toString()
                : value instanceof Number ? value.toString() : TextSanitizer.json(value.toString());
    }
}

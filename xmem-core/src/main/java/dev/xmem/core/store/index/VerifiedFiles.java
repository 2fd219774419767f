package dev.xmem.core.store.index;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an earlier check read and found undamaged, in a file of this machine that may be deleted: for each log its
 * identity, length and time, and how many of its segments were compared with it. The next process reads what the file
 * does not list. It reads a log again if the log is another file, changed without growing, or was read a day ago.
 * Immutable.
 * Decision: docs/adr/0077-what-was-verified.md.
 */
public final class VerifiedFiles {
    private static final long VALID_MILLIS = Duration.ofDays(1).toMillis();
    /** A file that was changed so recently may be changed again and have the same time. */
    private static final long RECENT_MILLIS = Duration.ofSeconds(2).toMillis();

    private static final int LONGEST_FILE = 1 << 20;
    private static final Note NONE = new Note("", 0, 0, 0, 0, 0);

    private final FileSystem files;
    private final Path file;
    private final InstantSource clock;

    public VerifiedFiles(FileSystem files, Path file, InstantSource clock) {
        this.files = files;
        this.file = file;
        this.clock = clock;
    }

    /**
     * What is known of one log.
     *
     * @param key the identity of the file
     * @param bytes its length when it was read
     * @param modified when it had been written last, in milliseconds; -1 if that was just before
     * @param at when the oldest part was read, in milliseconds
     * @param segments how many segments were read, from the first
     * @param digest a number made of the names, identities, lengths and times of their files
     */
    private record Note(String key, long bytes, long modified, long at, int segments, long digest) {}

    /** One check: what the logs were when it began, and how many segments of each it need not read. Immutable. */
    public static final class Check {
        private final Map<LogIndex, Note> now;

        private Check(Map<LogIndex, Note> now) {
            this.now = now;
        }

        /** How many segments of a log need not be read, from the first. */
        public int believed(LogIndex log) {
            return now.getOrDefault(log, NONE).segments;
        }
    }

    /** Begins a check that reads everything, or only what no other did. */
    public Check begin(List<LogIndex> logs, boolean everything) throws IOException {
        Map<String, Note> known = everything ? Map.of() : read();
        Map<LogIndex, Note> now = new HashMap<>();
        for (LogIndex log : logs) {
            FileSystem.Stat stat = log.file().status();
            if (stat != null) {
                now.put(log, begin(log, stat, known.getOrDefault(name(log), NONE)));
            }
        }
        return new Check(now);
    }

    private Note begin(LogIndex log, FileSystem.Stat stat, Note known) throws IOException {
        long millis = clock.millis();
        List<Segment> full = log.segments().full();
        boolean same = known.key.equals(stat.key().toString())
                && (known.bytes < stat.length()
                        || known.bytes == stat.length() && known.modified == stat.modifiedMillis());
        boolean believed = same
                && known.at <= millis
                && known.at > millis - VALID_MILLIS
                && known.segments > 0
                && known.segments <= full.size()
                && known.digest == log.sealing().digest(full.subList(0, known.segments));
        boolean recent = System.currentTimeMillis() - stat.modifiedMillis() < RECENT_MILLIS;
        return new Note(
                stat.key().toString(),
                stat.length(),
                recent ? -1 : stat.modifiedMillis(),
                believed ? known.at : millis,
                believed ? known.segments : 0,
                0);
    }

    /** Notes what a check read to its end, of the logs that are still the same. */
    public void done(Check check, List<LogIndex> logs) throws IOException {
        Map<String, Note> notes = new TreeMap<>();
        for (LogIndex log : logs) {
            Note note = check.now.get(log);
            List<Segment> full = log.segments().full();
            int read = 0;
            while (note != null && read < full.size() && log.sealing().isDone(full.get(read))) {
                read++;
            }
            if (note != null && read > 0) {
                long digest = log.sealing().digest(full.subList(0, read));
                notes.put(name(log), new Note(note.key, note.bytes, note.modified, note.at, read, digest));
            }
        }
        if (!notes.equals(read())) {
            if (!files.isPlain(file)) {
                files.delete(file);
            }
            files.replace(file, text(notes));
        }
    }

    private static String name(LogIndex log) {
        return log.file().path().toString();
    }

    private byte[] text(Map<String, Note> notes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Map.Entry<String, Note> each : notes.entrySet()) {
            Note note = each.getValue();
            try (var json = LineCodec.generator(out)) {
                json.writeStartObject();
                json.writeStringField("log", each.getKey());
                json.writeStringField("key", note.key);
                json.writeNumberField("bytes", note.bytes);
                json.writeNumberField("modified_millis", note.modified);
                json.writeNumberField("verified_millis", note.at);
                json.writeNumberField("segments", note.segments);
                json.writeNumberField("digest", note.digest);
                json.writeEndObject();
            }
            out.write('\n');
        }
        return out.toByteArray();
    }

    /** What the file says: nothing if it cannot be read. */
    private Map<String, Note> read() {
        Map<String, Note> notes = new TreeMap<>();
        byte[] bytes;
        try {
            FileSystem.Stat stat = files.isPlain(file) ? files.stat(file) : null;
            bytes = new byte[stat == null || stat.length() > LONGEST_FILE ? 0 : (int) stat.length()];
            if (bytes.length > 0) {
                readAll(bytes);
            }
        } catch (IOException e) {
            return notes;
        }
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
            add(line, notes);
        }
        return notes;
    }

    private void readAll(byte[] bytes) throws IOException {
        try (FileSystem.Input source = files.open(file)) {
            source.read(0, bytes, 0, bytes.length);
        }
    }

    private void add(String line, Map<String, Note> notes) {
        try {
            Map<String, Object> fields = LineCodec.fields(line.getBytes(StandardCharsets.UTF_8));
            if (fields.get("log") instanceof String log && fields.get("key") instanceof String key) {
                notes.put(
                        log,
                        new Note(
                                key,
                                number(fields.get("bytes")),
                                number(fields.get("modified_millis")),
                                number(fields.get("verified_millis")),
                                (int) number(fields.get("segments")),
                                number(fields.get("digest"))));
            }
        } catch (MalformedLineException | NumberFormatException e) {
            // as if it were missing: the log is read
        }
    }

    private static long number(@Nullable Object field) {
        return Long.parseLong(field instanceof RawJson raw ? raw.text() : "");
    }
}

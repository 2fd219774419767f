package dev.xmem.hooks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.xmem.Advice;
import dev.xmem.hooks.dialect.EventFields;
import dev.xmem.hooks.dialect.HookEvent;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The last hook events of a store and how they were answered: {@code .xmem/hooks.ndjson}, one JSON object per line, the
 * newest last, at most {@value #MAX_BYTES} bytes, mode 0600. It has no text of a call, an output or a prompt. A line is
 * written after the answer; if that fails, or takes long, there is no line. Several processes may write. Thread-safe.
 * Decision: docs/adr/0050-trace-of-hooks.md.
 */
public final class HookTrace {
    /** The name of an event that tests an installation: no agent uses it, it has no effect, and it leaves no line. */
    public static final String TEST_EVENT = "XmemDoctor";

    static final int MAX_BYTES = 64 << 10;

    private static final int KEPT_BYTES = 32 << 10;
    private static final int MAX_NAME = 80;
    private static final int MAX_REASON = 240;
    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;
    private static final String WHOLE_MINUTE = "2026-01-01T00:00";
    private static final int LOCK_TRIES = 20;
    private static final long LOCK_PAUSE_MILLIS = 5;
    private static final JsonFactory JSON = new JsonFactory();
    /** A lock of a file belongs to the process, not to the thread. */
    private static final ReentrantLock WRITING = new ReentrantLock();

    private HookTrace() {}

    /** How an event was answered. */
    public enum Outcome {
        /** The agent was told a text. */
        TOLD,
        /** Nothing was told, as intended. */
        SILENT,
        /** The memory could not answer in time, or not at all. */
        UNAVAILABLE,
        /** The event could not be read, or what it leads to was not written. */
        FAILED
    }

    /**
     * One event.
     *
     * @param at when it was answered
     * @param agent the agent; empty if it was not recognized
     * @param name the agent's own name of the event; empty if it could not be read
     * @param tool the tool; empty for an event without a call
     * @param session a hash of the session's id; empty if the agent has none
     * @param tokens the tokens of the text that was told
     * @param recorded the id of the failure that was recorded; empty if none was
     * @param reason why there was this answer
     * @param millis how long it took: in the resident, or since the hook's own program began
     * @param by {@code resident}, {@code itself} for the hook's own process, or {@code later} for the one after it
     */
    public record Event(
            Instant at,
            String agent,
            String name,
            String tool,
            String session,
            Outcome outcome,
            int tokens,
            String recorded,
            String reason,
            long millis,
            String by) {
        /** Whether something is wrong. */
        public boolean isTrouble() {
            return outcome == Outcome.UNAVAILABLE || outcome == Outcome.FAILED;
        }
    }

    /**
     * What will be written about an event. The id of a recorded failure is known only when it is written.
     *
     * @param trouble what went wrong; empty if nothing did
     */
    record Draft(
            String agent,
            @Nullable HookEvent event,
            @Nullable Advice advice,
            boolean told,
            String reason,
            String trouble) {
        static Draft failed(String agent, @Nullable HookEvent event, Throwable e) {
            // The message of a parser quotes its input.
            String trouble = e instanceof JsonProcessingException
                    ? "the event is not JSON"
                    : e.getMessage() == null ? e.toString() : e.getMessage();
            return new Draft(agent, event, null, false, "", trouble);
        }

        Draft unheard() {
            return new Draft(agent, event, advice, false, reason, trouble);
        }

        Draft unwritten() {
            return trouble.isEmpty()
                    ? new Draft(agent, event, advice, told, reason, "what the event leads to was not written in time")
                    : this;
        }

        private Event finished(long millis, String by) {
            boolean unavailable = advice != null && advice.status() == Advice.Status.UNAVAILABLE;
            Outcome outcome = !trouble.isEmpty()
                    ? Outcome.FAILED
                    : told ? Outcome.TOLD : unavailable ? Outcome.UNAVAILABLE : Outcome.SILENT;
            String id = advice == null ? null : advice.recordedId();
            String why = !trouble.isEmpty() ? trouble : advice == null ? reason : advice.reason();
            return new Event(
                    Instant.now(),
                    cut(agent, MAX_NAME),
                    event == null ? "" : cut(event.name(), MAX_NAME),
                    event == null ? "" : cut(event.tool(), MAX_NAME),
                    event == null || event.session().isEmpty() ? "" : hash(event.session()),
                    outcome,
                    told && advice != null ? advice.tokens() : 0,
                    id == null ? "" : id,
                    cut(why, MAX_REASON),
                    millis,
                    by);
        }
    }

    private static String cut(String text, int max) {
        String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return line.length() <= max ? line : line.substring(0, max) + "…";
    }

    /** The 64-bit FNV-1a hash: the first use of a {@link java.security.MessageDigest} takes longer than the answer. */
    private static String hash(String session) {
        long hash = FNV_OFFSET;
        for (byte next : session.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ next & 0xFF) * FNV_PRIME;
        }
        return HexFormat.of().toHexDigits(hash);
    }

    static Path path(Path folder) {
        return folder.resolve(".xmem").resolve("hooks.ndjson");
    }

    /**
     * Writes an event that was answered. Never fails.
     *
     * @param draft null to write nothing
     */
    static void write(Path folder, @Nullable Draft draft, long millis, String by) {
        boolean test =
                draft != null && draft.event != null && draft.event.name().equals(TEST_EVENT);
        if (draft == null || test || !Files.isDirectory(folder.resolve(".xmem"), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        WRITING.lock();
        try {
            append(path(folder), line(draft.finished(millis, by)).getBytes(StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException e) {
            // The event was answered: only its line is missing.
        } finally {
            WRITING.unlock();
        }
    }

    private static void append(Path path, byte[] line) throws IOException {
        try (FileChannel file = FileChannel.open(
                        path,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        UserFolder.PRIVATE_FILE);
                FileLock lock = lock(file)) {
            if (lock == null) {
                return;
            }
            long end = file.size();
            if (end + line.length > MAX_BYTES) {
                end = shorten(file, end);
            }
            boolean torn = end > 0 && read(file, end - 1, end)[0] != '\n';
            write(file, torn ? new byte[] {'\n'} : new byte[0], end);
            write(file, line, end + (torn ? 1 : 0));
        }
    }

    /** Locks the file, but waits for a tenth of a second only: its holder may be stopped. */
    private static @Nullable FileLock lock(FileChannel file) throws IOException {
        FileLock lock = file.tryLock();
        try {
            for (int i = 0; i < LOCK_TRIES && lock == null; i++) {
                Thread.sleep(LOCK_PAUSE_MILLIS);
                lock = file.tryLock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return lock;
    }

    /** Keeps the newest lines; returns where they end. */
    private static long shorten(FileChannel file, long size) throws IOException {
        byte[] tail = read(file, Math.max(0, size - KEPT_BYTES), size);
        int begin = 0;
        while (begin < tail.length && tail[begin++] != '\n') {
            // The first line is not whole.
        }
        byte[] kept = Arrays.copyOfRange(tail, begin, tail.length);
        write(file, kept, 0);
        file.truncate(kept.length);
        return kept.length;
    }

    private static byte[] read(FileChannel file, long from, long to) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) (to - from));
        int count = 0;
        while (bytes.hasRemaining() && count >= 0) {
            count = file.read(bytes, from + bytes.position());
        }
        return bytes.array();
    }

    private static void write(FileChannel file, byte[] text, long at) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text);
        while (bytes.hasRemaining()) {
            file.write(bytes, at + bytes.position());
        }
    }

    /** The same text as {@link Instant#toString}, without its formatter, which takes 5 ms to load. */
    static String text(Instant at) {
        String text = LocalDateTime.ofEpochSecond(at.getEpochSecond(), at.getNano(), ZoneOffset.UTC)
                .toString();
        return text + (text.length() == WHOLE_MINUTE.length() ? ":00Z" : "Z");
    }

    private static String line(Event event) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeStringField("ts", text(event.at));
            out.writeStringField("agent", event.agent);
            out.writeStringField("event", event.name);
            out.writeStringField("tool", event.tool);
            out.writeStringField("session", event.session);
            out.writeStringField("outcome", event.outcome.name().toLowerCase(Locale.ROOT));
            out.writeNumberField("tokens", event.tokens);
            out.writeStringField("recorded", event.recorded);
            out.writeStringField("reason", event.reason);
            out.writeNumberField("ms", event.millis);
            out.writeStringField("by", event.by);
            out.writeEndObject();
        }
        return text.append('\n').toString();
    }

    /**
     * Reads the events of a store, the newest last; skips lines that are damaged.
     *
     * @throws IOException if the file is there but cannot be read
     */
    public static List<Event> read(Path folder) throws IOException {
        Path path = path(folder);
        List<Event> events = new ArrayList<>();
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes;
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
                bytes = read(file, 0, Math.min(file.size(), 2L * MAX_BYTES));
            }
            for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
                Event event = parsed(line);
                if (event != null) {
                    events.add(event);
                }
            }
        }
        return events;
    }

    private static @Nullable Event parsed(String line) {
        try {
            EventFields fields = EventFields.read(line.getBytes(StandardCharsets.UTF_8));
            return new Event(
                    Instant.parse(fields.text("ts")),
                    fields.text("agent"),
                    fields.text("event"),
                    fields.text("tool"),
                    fields.text("session"),
                    Outcome.valueOf(fields.text("outcome").toUpperCase(Locale.ROOT)),
                    Integer.parseInt(fields.text("tokens")),
                    fields.text("recorded"),
                    fields.text("reason"),
                    Long.parseLong(fields.text("ms")),
                    fields.text("by"));
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            return null;
        }
    }
}

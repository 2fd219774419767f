package dev.xmem.core;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Limits;
import dev.xmem.XMemException;
import dev.xmem.core.file.Disk;
import dev.xmem.core.index.Catalog;
import dev.xmem.core.index.DayCounter;
import dev.xmem.core.index.LogIndex;
import dev.xmem.core.log.LogFile;
import dev.xmem.core.record.Entries;
import dev.xmem.core.record.LineBuffer;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.LineFacts;
import dev.xmem.core.record.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Appends prepared entries: under the store's mutex it learns what other processes appended, gives ids and times, encodes
 * the whole batch, and then writes it, one write for each run of one kind. Everything that can be refused is refused before
 * the first write. The commit point is in {@link LogFile#append}; the index follows it.
 */
final class Recorder {
    private static final long DAY_MILLIS = 86_400_000;
    private static final List<Entry.Kind> NUMBERED = List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS, Entry.Kind.DIRECTIVE);

    private final Catalog catalog;
    private final Disk.Mutex mutex;
    private final Path mutexFile;
    private final LineCodec codec;
    private final InstantSource clock;
    private final Durability durability;
    private final Limits limits;
    private final Duration patience;
    private final LineBuffer buffer = new LineBuffer();
    private long lastMillis;

    Recorder(
            Catalog catalog,
            Disk.Mutex mutex,
            Path mutexFile,
            LineCodec codec,
            InstantSource clock,
            Durability durability,
            Limits limits,
            Duration patience) {
        this.catalog = catalog;
        this.mutex = mutex;
        this.mutexFile = mutexFile;
        this.codec = codec;
        this.clock = clock;
        this.durability = durability;
        this.limits = limits;
        this.patience = patience;
    }

    /**
     * A line of the batch.
     *
     * @param start where it stands in the buffer; the byte before it is a newline
     * @param stored the entry that it is a repetition of; null for a line to be written
     * @param fresh whether it is to be written: not so where it repeats a stored line or one of the batch
     */
    private record Line(Entry.Kind kind, LineFacts facts, int start, int length, @Nullable Entry stored, boolean fresh) {
        int end() {
            return start + length;
        }
    }

    List<Entry> append(List<Prepared> batch) throws IOException {
        Map<LogFile, Long> written = new HashMap<>();
        List<Entry> entries;
        if (!mutex.acquire(patience.toNanos())) {
            throw new XMemException.Busy(mutexFile, patience);
        }
        try {
            catalog.lock();
            try {
                catalog.learn(numbered(batch) ? union(batch) : kinds(batch));
                entries = write(encode(batch), written);
            } finally {
                buffer.clear();
                catalog.unlock();
            }
        } finally {
            mutex.release();
        }
        for (Map.Entry<LogFile, Long> log : written.entrySet()) {
            makeDurable(log.getKey(), log.getValue());
        }
        return entries;
    }

    private void makeDurable(LogFile log, long length) throws IOException {
        switch (durability) {
            case OS -> {}
            case GROUP -> log.forceTo(length);
            case EACH -> log.force();
        }
    }

    private static List<Entry.Kind> kinds(List<Prepared> batch) {
        return batch.stream().map(Prepared::kind).distinct().toList();
    }

    private static boolean numbered(List<Prepared> batch) {
        return batch.stream().anyMatch(entry -> NUMBERED.contains(entry.kind()));
    }

    /** All logs that share the day's numbers, and those of the batch. */
    private static List<Entry.Kind> union(List<Prepared> batch) {
        boolean notes = batch.stream().anyMatch(entry -> entry.kind() == Entry.Kind.NOTE);
        if (!notes) {
            return NUMBERED;
        }
        List<Entry.Kind> all = new ArrayList<>(NUMBERED);
        all.add(Entry.Kind.NOTE);
        return all;
    }

    private List<Line> encode(List<Prepared> batch) {
        long millis = nextMillis();
        String ts = Instant.ofEpochMilli(millis).toString();
        long day = Math.floorDiv(millis, DAY_MILLIS);
        int number = NUMBERED.stream().mapToInt(kind -> catalog.log(kind).highestNumber(day)).max().orElse(0);
        Map<String, Line> given = new HashMap<>();
        List<Line> lines = new ArrayList<>(batch.size());
        buffer.clear();
        buffer.write('\n');
        for (Prepared prepared : batch) {
            String id = prepared.text("id");
            if (prepared.kind() == Entry.Kind.NOTE) {
                lines.add(encode(prepared, ts));
            } else if (id != null) {
                lines.add(encodeGiven(prepared, id, ts, given));
                number = Math.max(number, DayCounter.number(id, day));
            } else {
                prepared.fields().put("id", DayCounter.id(day, ++number));
                lines.add(encode(prepared, ts));
            }
        }
        return lines;
    }

    /** The time now, never before the store's last. */
    private long nextMillis() {
        long now = clock.millis();
        for (Entry.Kind kind : NUMBERED) {
            long newest = catalog.log(kind).newestMillis();
            lastMillis = newest <= now + DAY_MILLIS ? Math.max(lastMillis, newest) : lastMillis;
        }
        lastMillis = Math.max(lastMillis, now);
        return lastMillis;
    }

    private Line encode(Prepared prepared, String ts) {
        int start = buffer.length();
        prepared.fields().putIfAbsent("ts", ts);
        Map<String, @Nullable Object> line = Schema.of(prepared.kind()).inOrder(prepared.fields());
        codec.write(line, buffer);
        int length = buffer.length() - start - 1;
        if (length > limits.lineBytes()) {
            throw new XMemException.Limit("the length of the line in bytes", length, limits.lineBytes());
        }
        return new Line(prepared.kind(), facts(prepared.kind(), line), start, length, null, true);
    }

    /** A line whose id the caller gave: new, or the same as the one that has this id. */
    private Line encodeGiven(Prepared prepared, String id, String ts, Map<String, Line> given) {
        Line before = given.get(id);
        Entry stored = before == null ? storedWith(id) : null;
        Line line = encode(prepared, stored == null ? ts : tsOf(stored, ts));
        if (before == null && stored == null) {
            given.put(id, line);
            return line;
        }
        String text = text(line);
        if (!text.equals(stored != null ? stored.json() : text(Objects.requireNonNull(before)))) {
            throw new XMemException.DuplicateId(id);
        }
        buffer.truncate(line.start);
        return before == null
                ? new Line(line.kind, line.facts, 0, 0, stored, false)
                : new Line(before.kind, before.facts, before.start, before.length, null, false);
    }

    private String text(Line line) {
        return new String(buffer.array(), line.start, line.length, StandardCharsets.UTF_8);
    }

    private static String tsOf(Entry stored, String otherwise) {
        String ts = Entries.field(stored, "ts");
        return ts == null ? otherwise : ts;
    }

    private @Nullable Entry storedWith(String id) {
        for (Entry.Kind kind : NUMBERED) {
            LogIndex log = catalog.log(kind);
            int n = log.withId(id).countBelow(Integer.MAX_VALUE);
            if (n > 0) {
                int ordinal = log.withId(id).at(0);
                try {
                    return Entries.of(codec, log.kind(ordinal), log.bytes(ordinal), log.id(ordinal));
                } catch (IOException e) {
                    throw new XMemException.Io(log.file().path(), e);
                }
            }
        }
        return null;
    }

    private List<Entry> write(List<Line> lines, Map<LogFile, Long> written) throws IOException {
        checkRoom();
        List<Line> fresh = lines.stream().filter(Line::fresh).toList();
        int from = 0;
        while (from < fresh.size()) {
            int to = endOfRun(fresh, from);
            writeRun(fresh.subList(from, to), written);
            from = to;
        }
        return lines.stream().map(this::entry).toList();
    }

    private void checkRoom() {
        long bytes = buffer.length();
        for (Entry.Kind kind : NUMBERED) {
            bytes += catalog.log(kind).file().length();
        }
        if (bytes > limits.storeBytes()) {
            throw new XMemException.Limit("the size of the store in bytes", bytes, limits.storeBytes());
        }
    }

    private static int endOfRun(List<Line> lines, int from) {
        int to = from + 1;
        while (to < lines.size() && lines.get(to).kind == lines.get(from).kind) {
            to++;
        }
        return to;
    }

    private void writeRun(List<Line> run, Map<LogFile, Long> written) throws IOException {
        LogIndex log = catalog.log(run.get(0).kind);
        int start = run.get(0).start;
        int end = run.get(run.size() - 1).end() + 1;
        long offset = log.file().append(buffer.array(), start - 1, end - start + 1, log);
        for (Line line : run) {
            log.add(line.facts, offset + line.start - start, buffer.array(), line.start, line.length);
        }
        written.put(log.file(), log.file().length());
    }

    private Entry entry(Line line) {
        if (line.stored != null) {
            return line.stored;
        }
        byte[] bytes = Arrays.copyOfRange(buffer.array(), line.start, line.end());
        String id = line.facts.id();
        return Entries.of(codec, line.kind, bytes, id == null ? LogIndex.idOf(line.kind, bytes) : id);
    }

    private static LineFacts facts(Entry.Kind kind, Map<String, @Nullable Object> line) {
        return new LineFacts(
                kind,
                line.get("type") instanceof String type ? type : "",
                text(line, "id"),
                Math.max(0, LineCodec.millis(text(line, "ts"))),
                text(line, "tool"),
                text(line, "ctx_hash"),
                text(line, "session_id"),
                line.get("tags") instanceof List<?> tags
                        ? tags.stream().map(String.class::cast).toList()
                        : List.of());
    }

    private static @Nullable String text(Map<String, @Nullable Object> line, String field) {
        return line.get(field) instanceof String text ? text : null;
    }
}

package dev.xmem.core.write;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Limits;
import dev.xmem.XMemException;
import dev.xmem.core.answer.directive.DirectiveDraft;
import dev.xmem.core.answer.directive.DirectiveReader;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.segment.DailyIdCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Assigns ids and times to prepared entries and encodes whole batches into one buffer. Guarded by the store's lock,
 * with all lines of other processes indexed.
 */
final class BatchEncoder {
    private static final long DAY_MILLIS = 86_400_000;

    private final LogRegistry registry;
    private final IdHighWaterMarks marks;
    private final DirectiveReader directives;
    private final List<LogName> numbered;
    private final InstantSource clock;
    private final Limits limits;
    private final LineBuffer buffer = new LineBuffer();
    private long lastMillis;
    /** The logs that were open when the high-water marks were read. */
    private List<LogIndex> marked = List.of();

    BatchEncoder(LogRegistry registry, IdHighWaterMarks marks, DirectiveReader directives, StoreConfig config) {
        this.registry = registry;
        this.marks = marks;
        this.directives = directives;
        this.numbered = registry.names().stream().filter(LogName::numbered).toList();
        this.clock = config.clock();
        this.limits = config.limits();
    }

    /**
     * An encoded line of a batch.
     *
     * @param log the log that it is appended to
     * @param start its first byte in the buffer; the byte before it is a newline
     * @param stored the stored entry that it repeats; null for a new line
     * @param fresh whether it is to be written: false if it repeats a stored line or a line of the same batch
     * @param minted whether it has an id that was assigned now: no stored line can be the same
     */
    record EncodedLine(
            LogName log,
            IndexedFields fields,
            int start,
            int length,
            @Nullable Entry stored,
            boolean fresh,
            boolean minted) {
        int end() {
            return start + length;
        }

        EncodedLine repeated() {
            return new EncodedLine(log, fields, start, length, stored, false, minted);
        }
    }

    /** What batches that are written together share: the buffer, the time, and the last number of the day. */
    static final class BatchContext implements AutoCloseable {
        private final LineBuffer buffer;
        private final String ts;
        private String day;
        private int number;

        private BatchContext(LineBuffer buffer, String ts) {
            this.buffer = buffer;
            this.ts = ts;
            this.day = ts.substring(0, ts.indexOf('T'));
            buffer.clear();
            buffer.write('\n');
        }

        /** A newline, then the encoded lines, each ended by a newline. */
        LineBuffer buffer() {
            return buffer;
        }

        @Override
        public void close() {
            buffer.clear();
        }
    }

    /** Begins batches that are written together. */
    BatchContext begin() throws IOException {
        BatchContext context = new BatchContext(buffer, LineCodec.ts(nextMillis()));
        context.number = highestNumber(context.day);
        return context;
    }

    /** Assigns the next id of the day; of the next day that has one, if a line used up the numbers of this one. */
    private String nextId(BatchContext context) throws IOException {
        while (context.number >= DailyIdCounter.LAST) {
            context.day = LocalDate.parse(context.day).plusDays(1).toString();
            context.number = highestNumber(context.day);
        }
        return DailyIdCounter.id(context.day, ++context.number);
    }

    /** Encodes a batch behind the earlier ones of a context. A batch that is refused leaves nothing in it. */
    List<EncodedLine> encode(List<PreparedEntry> batch, BatchContext context) throws IOException {
        List<EncodedLine> lines = new ArrayList<>(batch.size());
        int end = buffer.length();
        int number = context.number;
        String day = context.day;
        try {
            encode(batch, context, lines);
            return lines;
        } catch (IOException | RuntimeException | Error e) {
            buffer.truncate(end);
            context.number = number;
            context.day = day;
            throw e;
        }
    }

    private void encode(List<PreparedEntry> batch, BatchContext context, List<EncodedLine> lines) throws IOException {
        Map<String, Map<String, @Nullable Object>> reinforced = new HashMap<>();
        Map<String, EncodedLine> given = new HashMap<>();
        Map<String, EncodedLine> directiveLines = new HashMap<>();
        for (PreparedEntry entry : batch) {
            EncodedLine same = entry.isDirective() ? sameDirective(entry, directiveLines) : null;
            if (same != null) {
                lines.add(same);
                continue;
            }
            boolean reinforces = entry.isDirective() && reinforce(entry, reinforced);
            String id = entry.text("id");
            if (entry.kind() == Entry.Kind.NOTE || entry.isEvent() || reinforces) {
                lines.add(encode(entry, context.ts, false));
            } else if (id != null) {
                lines.add(encodeGiven(entry, id, context.ts, given));
                context.number = Math.max(context.number, DailyIdCounter.number(id, context.day));
            } else {
                entry.fields().put("id", nextId(context));
                lines.add(encode(entry, context.ts, true));
            }
            if (entry.isDirective() && entry.line() != null) {
                directiveLines.put(entry.line(), lines.get(lines.size() - 1));
            }
        }
    }

    private EncodedLine encode(PreparedEntry entry, String ts, boolean minted) {
        int start = buffer.length();
        entry.fields().putIfAbsent("ts", ts);
        LineCodec.write(entry.schema(), entry.fields(), buffer);
        int length = buffer.length() - start - 1;
        if (length > limits.lineBytes()) {
            throw new XMemException.Limit("the length of the line in bytes", length, limits.lineBytes());
        }
        IndexedFields fields = IndexedFields.of(entry.schema().kind(), entry.fields());
        return new EncodedLine(entry.log(registry.names()), fields, start, length, null, true, minted);
    }

    /** Encodes an entry with an id that the caller gave: a new line, or a repetition of the line that has this id. */
    private EncodedLine encodeGiven(PreparedEntry entry, String id, String ts, Map<String, EncodedLine> given)
            throws IOException {
        EncodedLine before = given.get(id);
        Entry stored = before == null ? storedWith(id, entry.line()) : null;
        String storedTs = stored == null ? null : StoredEntries.field(stored, "ts");
        EncodedLine line = encode(entry, Objects.requireNonNullElse(storedTs, ts), false);
        if (before == null && stored == null) {
            given.put(id, line);
            return line;
        }
        String known = stored != null ? stored.json() : text(Objects.requireNonNull(before));
        if (!known.equals(text(line)) && !known.equals(entry.line())) {
            throw new XMemException.DuplicateId(id);
        }
        buffer.truncate(line.start);
        return before == null ? new EncodedLine(line.log, line.fields, 0, 0, stored, false, false) : before.repeated();
    }

    private String text(EncodedLine line) {
        return new String(buffer.array(), line.start, line.length, StandardCharsets.UTF_8);
    }

    /** Returns the line that a directive with a given id repeats byte for byte; null if there is none. */
    private @Nullable EncodedLine sameDirective(PreparedEntry entry, Map<String, EncodedLine> known)
            throws IOException {
        String id = entry.text("id");
        String json = entry.line();
        if (id == null || json == null) {
            return null;
        }
        EncodedLine before = known.get(json);
        if (before != null) {
            return before.repeated();
        }
        Entry stored = storedWith(id, json);
        if (stored == null || !stored.json().equals(json)) {
            return null;
        }
        IndexedFields fields = IndexedFields.of(entry.kind(), entry.fields());
        return new EncodedLine(entry.log(registry.names()), fields, 0, 0, stored, false, false);
    }

    /** Turns a directive that is stored already, or stands earlier in this batch, into its reinforcement. */
    private boolean reinforce(PreparedEntry entry, Map<String, Map<String, @Nullable Object>> earlier)
            throws IOException {
        Map<String, @Nullable Object> fields = entry.fields();
        String key = Objects.requireNonNull(entry.text("dedupe_key"));
        boolean global = "global".equals(fields.get("scope"));
        Directive.Scope scope = global ? Directive.Scope.GLOBAL : Directive.Scope.LOCAL;
        Map<String, @Nullable Object> before = earlier.put(scope + key, fields);
        if (before != null) {
            DirectiveDraft.reinforce(fields, before);
            return true;
        }
        List<LogIndex> logs = registry.names().stream()
                .filter(log -> log.kind() == Entry.Kind.DIRECTIVE)
                .map(registry::log)
                .toList();
        Directive known = directives.withKey(logs, scope, key);
        if (known != null) {
            DirectiveDraft.reinforce(fields, known);
        }
        return known != null;
    }

    /** Returns the entry with this id; if several have it, preferably the one that equals the given line. */
    private @Nullable Entry storedWith(String id, @Nullable String given) throws IOException {
        Entry first = null;
        for (LogIndex log : registry.own()) {
            int n = log.kind() == Entry.Kind.NOTE ? 0 : log.withId(id).countBelow(Integer.MAX_VALUE);
            for (int i = 0; i < n; i++) {
                int ordinal = log.withId(id).at(i);
                Entry entry = StoredEntries.of(log.lines().kind(ordinal), log.bytes(ordinal), log.id(ordinal));
                if (entry.json().equals(given)) {
                    return entry;
                }
                first = first == null ? entry : first;
            }
        }
        return first;
    }

    /**
     * The current time, but never before the newest entry; entries more than a day in the future do not count, also if
     * this process wrote them: see docs/adr/0061-impossible-times.md.
     */
    private long nextMillis() {
        long now = clock.millis();
        lastMillis = lastMillis <= now + DAY_MILLIS ? Math.max(lastMillis, now) : now;
        for (LogName log : numbered) {
            long newest = registry.log(log).statistics().times().newest();
            lastMillis = newest <= now + DAY_MILLIS ? Math.max(lastMillis, newest) : lastMillis;
        }
        return lastMillis;
    }

    /**
     * The highest id number of a day, in the logs and among the lines that left them. The high-water marks are read
     * again when a log was replaced: only then can lines have left it.
     */
    private int highestNumber(String day) throws IOException {
        List<LogIndex> logs = marked;
        boolean same = !logs.isEmpty();
        for (int i = 0; i < logs.size(); i++) {
            same &= logs.get(i) == registry.log(numbered.get(i));
        }
        if (!same) {
            marks.read();
            logs = numbered.stream().map(registry::log).toList();
            marked = logs;
        }
        int number = marks.highest(day);
        for (LogIndex log : logs) {
            number = Math.max(number, log.statistics().days().highest(day));
        }
        return number;
    }

    /** Returns the entries of encoded lines. */
    List<Entry> entries(List<EncodedLine> lines) {
        List<Entry> entries = new ArrayList<>(lines.size());
        for (EncodedLine line : lines) {
            if (line.stored != null) {
                entries.add(line.stored);
                continue;
            }
            byte[] bytes = Arrays.copyOfRange(buffer.array(), line.start, line.end());
            String id = line.fields.id();
            Entry.Kind kind = line.fields.kind();
            entries.add(StoredEntries.of(kind, bytes, id == null ? LogIndex.idOf(kind, bytes) : id));
        }
        return Collections.unmodifiableList(entries);
    }
}

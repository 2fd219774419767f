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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes lines of prepared entries: gives ids and times, and encodes whole batches into one buffer. Guarded by the store's
 * mutex, under which everything is known that others appended.
 */
final class BatchEncoder {
    private static final long DAY_MILLIS = 86_400_000;

    private final LogRegistry catalog;
    private final IdHighWaterMarks spent;
    private final LineCodec codec;
    private final DirectiveReader directives;
    private final List<LogName> numbered;
    private final InstantSource clock;
    private final Limits limits;
    private final LineBuffer buffer = new LineBuffer();
    private long lastMillis;
    /** The logs for which the spent numbers were read. */
    private List<LogIndex> counted = List.of();

    /** @param numbered the logs that share the numbers of a day */
    BatchEncoder(
            LogRegistry catalog,
            IdHighWaterMarks spent,
            LineCodec codec,
            DirectiveReader directives,
            List<LogName> numbered,
            StoreConfig settings) {
        this.catalog = catalog;
        this.spent = spent;
        this.codec = codec;
        this.directives = directives;
        this.numbered = numbered;
        this.clock = settings.clock();
        this.limits = settings.limits();
    }

    /**
     * A line of a batch.
     *
     * @param log where it belongs
     * @param start where it stands in the buffer; the byte before it is a newline
     * @param stored the entry that it is a repetition of; null for a line to be written
     * @param fresh whether it is to be written: not so where it repeats a stored line or one of the batch
     */
    record EncodedLine(
            LogName log,
            IndexedFields facts,
            int start,
            int length,
            @Nullable Entry stored,
            boolean fresh) {
        int end() {
            return start + length;
        }
    }

    /** Where the lines are. */
    LineBuffer buffer() {
        return buffer;
    }

    /** When lines are written, and the last number of that day that was given. */
    static final class BatchContext {
        private final String ts;
        private final String day;
        private int number;

        BatchContext(String ts, String day, int number) {
            this.ts = ts;
            this.day = day;
            this.number = number;
        }
    }

    /** Begins lines that are written together: there are none in the buffer. */
    BatchContext turn() throws IOException {
        String ts = LineCodec.ts(nextMillis());
        String day = ts.substring(0, ts.indexOf('T'));
        buffer.clear();
        buffer.write('\n');
        return new BatchContext(ts, day, highestNumber(day));
    }

    /** Encodes a batch that is written by itself. */
    List<EncodedLine> encode(List<PreparedEntry> batch) throws IOException {
        return encode(batch, turn());
    }

    /** Encodes a batch behind those of the same turn; one that is refused leaves nothing behind. */
    List<EncodedLine> encode(List<PreparedEntry> batch, BatchContext turn) throws IOException {
        List<EncodedLine> lines = new ArrayList<>(batch.size());
        int end = buffer.length();
        int number = turn.number;
        boolean encoded = false;
        try {
            encode(batch, turn, lines);
            encoded = true;
            return lines;
        } finally {
            if (!encoded) {
                buffer.truncate(end);
                turn.number = number;
            }
        }
    }

    private void encode(List<PreparedEntry> batch, BatchContext turn, List<EncodedLine> lines) throws IOException {
        Map<String, Map<String, @Nullable Object>> said = new HashMap<>();
        Map<String, EncodedLine> given = new HashMap<>();
        Map<String, EncodedLine> directiveLines = new HashMap<>();
        for (PreparedEntry prepared : batch) {
            EncodedLine same = prepared.isDirective() ? sameDirective(prepared, directiveLines) : null;
            if (same != null) {
                lines.add(same);
                continue;
            }
            boolean reinforces = prepared.isDirective() && reinforce(prepared, said);
            String id = prepared.text("id");
            if (prepared.kind() == Entry.Kind.NOTE || prepared.isEvent() || reinforces) {
                lines.add(encode(prepared, turn.ts));
            } else if (id != null) {
                lines.add(encodeGiven(prepared, id, turn.ts, given));
                turn.number = Math.max(turn.number, DailyIdCounter.number(id, turn.day));
            } else {
                prepared.fields().put("id", DailyIdCounter.id(turn.day, ++turn.number));
                lines.add(encode(prepared, turn.ts));
            }
            if (prepared.isDirective() && prepared.line() != null) {
                directiveLines.put(prepared.line(), lines.get(lines.size() - 1));
            }
        }
    }

    /** The line that a directive given with its id repeats as it stands; null where it says something new. */
    private @Nullable EncodedLine sameDirective(PreparedEntry prepared, Map<String, EncodedLine> known)
            throws IOException {
        String id = prepared.text("id");
        String json = prepared.line();
        if (id == null || json == null) {
            return null;
        }
        EncodedLine before = known.get(json);
        if (before != null) {
            return new EncodedLine(before.log, before.facts, before.start, before.length, before.stored, false);
        }
        Entry stored = storedWith(id, json);
        return stored == null || !stored.json().equals(json)
                ? null
                : new EncodedLine(
                        prepared.log(catalog.names()),
                        IndexedFields.of(prepared.kind(), prepared.fields()),
                        0,
                        0,
                        stored,
                        false);
    }

    /** Turns a directive that is known already, or was said in this batch before, into its reinforcement. */
    private boolean reinforce(PreparedEntry prepared, Map<String, Map<String, @Nullable Object>> said)
            throws IOException {
        Map<String, @Nullable Object> fields = prepared.fields();
        String key = Objects.requireNonNull(prepared.text("dedupe_key"));
        boolean global = "global".equals(fields.get("scope"));
        Directive.Scope scope = global ? Directive.Scope.GLOBAL : Directive.Scope.LOCAL;
        Map<String, @Nullable Object> before = said.put(scope + key, fields);
        if (before != null) {
            DirectiveDraft.reinforce(fields, before);
            return true;
        }
        List<LogIndex> logs = catalog.names().stream()
                .filter(log -> log.kind() == Entry.Kind.DIRECTIVE)
                .map(catalog::log)
                .toList();
        Directive known = directives.withKey(logs, scope, key);
        if (known != null) {
            DirectiveDraft.reinforce(fields, known);
        }
        return known != null;
    }

    /** The time now, never before the store's last. */
    private long nextMillis() {
        long now = clock.millis();
        for (LogName log : numbered) {
            long newest = catalog.log(log).statistics().times().newest();
            lastMillis = newest <= now + DAY_MILLIS ? Math.max(lastMillis, newest) : lastMillis;
        }
        lastMillis = Math.max(lastMillis, now);
        return lastMillis;
    }

    private EncodedLine encode(PreparedEntry prepared, String ts) {
        int start = buffer.length();
        prepared.fields().putIfAbsent("ts", ts);
        codec.write(prepared.schema(), prepared.fields(), buffer);
        int length = buffer.length() - start - 1;
        if (length > limits.lineBytes()) {
            throw new XMemException.Limit("the length of the line in bytes", length, limits.lineBytes());
        }
        IndexedFields facts = IndexedFields.of(prepared.schema().kind(), prepared.fields());
        return new EncodedLine(prepared.log(catalog.names()), facts, start, length, null, true);
    }

    /** The highest number of a day in the logs, and in what left them: a log that lost lines is another one since. */
    private int highestNumber(String day) throws IOException {
        if (!isCounted()) {
            spent.read();
            counted = numbered.stream().map(catalog::log).toList();
        }
        int number = spent.highest(day);
        for (LogIndex log : counted) {
            number = Math.max(number, log.statistics().days().highest(day));
        }
        return number;
    }

    private boolean isCounted() {
        boolean same = !counted.isEmpty();
        for (int i = 0; i < counted.size(); i++) {
            same &= counted.get(i) == catalog.log(numbered.get(i));
        }
        return same;
    }

    /** A line whose id the caller gave: new, or the same as the one that has this id. */
    private EncodedLine encodeGiven(PreparedEntry prepared, String id, String ts, Map<String, EncodedLine> given)
            throws IOException {
        EncodedLine before = given.get(id);
        Entry stored = before == null ? storedWith(id, prepared.line()) : null;
        EncodedLine line = encode(prepared, stored == null ? ts : tsOf(stored, ts));
        if (before == null && stored == null) {
            given.put(id, line);
            return line;
        }
        String known = stored != null ? stored.json() : text(Objects.requireNonNull(before));
        if (!known.equals(text(line)) && !known.equals(prepared.line())) {
            throw new XMemException.DuplicateId(id);
        }
        buffer.truncate(line.start);
        return before == null
                ? new EncodedLine(line.log, line.facts, 0, 0, stored, false)
                : new EncodedLine(before.log, before.facts, before.start, before.length, null, false);
    }

    private String text(EncodedLine line) {
        return new String(buffer.array(), line.start, line.length, StandardCharsets.UTF_8);
    }

    private static String tsOf(Entry stored, String otherwise) {
        String ts = StoredEntries.field(stored, "ts");
        return ts == null ? otherwise : ts;
    }

    /** The line with this id; of several the one that is the same as the given one. */
    private @Nullable Entry storedWith(String id, @Nullable String given) throws IOException {
        Entry first = null;
        for (LogIndex log : catalog.own()) {
            int n = log.kind() == Entry.Kind.NOTE ? 0 : log.withId(id).countBelow(Integer.MAX_VALUE);
            for (int i = 0; i < n; i++) {
                int ordinal = log.withId(id).at(i);
                Entry entry = StoredEntries.of(codec, log.lines().kind(ordinal), log.bytes(ordinal), log.id(ordinal));
                if (entry.json().equals(given)) {
                    return entry;
                }
                first = first == null ? entry : first;
            }
        }
        return first;
    }

    /** The entries that stand in lines, as they were encoded. */
    List<Entry> entries(List<EncodedLine> lines) {
        List<Entry> entries = new ArrayList<>(lines.size());
        for (EncodedLine line : lines) {
            entries.add(entry(line));
        }
        return Collections.unmodifiableList(entries);
    }

    private Entry entry(EncodedLine line) {
        if (line.stored != null) {
            return line.stored;
        }
        byte[] bytes = Arrays.copyOfRange(buffer.array(), line.start, line.end());
        String id = line.facts.id();
        Entry.Kind kind = line.facts.kind();
        return StoredEntries.of(codec, kind, bytes, id == null ? LogIndex.idOf(kind, bytes) : id);
    }
}

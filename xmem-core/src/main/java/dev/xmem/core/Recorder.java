package dev.xmem.core;

import dev.xmem.Directive;
import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Limits;
import dev.xmem.XMemException;
import dev.xmem.core.compact.Exclusive;
import dev.xmem.core.directive.DirectiveDraft;
import dev.xmem.core.directive.Directives;
import dev.xmem.core.index.Catalog;
import dev.xmem.core.index.DayCounter;
import dev.xmem.core.index.Log;
import dev.xmem.core.index.LogIndex;
import dev.xmem.core.index.SpentNumbers;
import dev.xmem.core.log.LogFile;
import dev.xmem.core.record.Entries;
import dev.xmem.core.record.LineBuffer;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.LineFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Appends prepared entries: under the store's mutex it learns what other processes appended, gives ids and times, encodes
 * the whole batch, and then writes it, one write for each run of one kind. Everything that can be refused is refused before
 * the first write. The commit point is in {@link LogFile#append}; the index follows it.
 */
final class Recorder {
    private static final long DAY_MILLIS = 86_400_000;
    private static final int TRIES = 40;
    private final Catalog catalog;
    private final Locks locks;
    private final SpentNumbers spent;
    private final LineCodec codec;
    private final Directives directives;
    private final List<Log> numbered;
    private final InstantSource clock;
    private final Durability durability;
    private final Limits limits;
    private final Set<Log> shared;
    /** The logs that others may have written to since they were last looked at. Guarded by the store's mutex. */
    private final Set<Log> unseen = EnumSet.allOf(Log.class);

    private final GroupCommit group = new GroupCommit(this::write, LogFile::forceTo);
    private final LineBuffer buffer = new LineBuffer();
    private long lastMillis;
    /** The logs for which the spent numbers were read. */
    private List<LogIndex> counted = List.of();

    Recorder(
            Catalog catalog,
            Locks locks,
            SpentNumbers spent,
            LineCodec codec,
            Directives directives,
            Settings settings) {
        this.catalog = catalog;
        this.locks = locks;
        this.spent = spent;
        this.shared = settings.places().shared();
        this.codec = codec;
        this.directives = directives;
        List<Log> withNumbers = new ArrayList<>();
        for (Log name : catalog.names()) {
            if (name.numbered()) {
                withNumbers.add(name);
            }
        }
        this.numbered = List.copyOf(withNumbers);
        this.clock = settings.clock();
        this.durability = settings.durability();
        this.limits = settings.limits();
    }

    /**
     * A line of the batch.
     *
     * @param log where it belongs
     * @param start where it stands in the buffer; the byte before it is a newline
     * @param stored the entry that it is a repetition of; null for a line to be written
     * @param fresh whether it is to be written: not so where it repeats a stored line or one of the batch
     */
    private record Line(
            Log log,
            LineFacts facts,
            int start,
            int length,
            @Nullable Entry stored,
            boolean fresh) {
        int end() {
            return start + length;
        }
    }

    /** What has to hold when nobody else can write any more. */
    interface Condition {
        boolean holds() throws IOException;
    }

    List<Entry> append(List<Prepared> batch) throws IOException {
        boolean shares = durability == Durability.GROUP
                && !hasGivenId(batch)
                && !touched(batch).contains(Log.GLOBAL_DIRECTIVES);
        return shares ? group.append(batch) : append(batch, () -> true);
    }

    /** Writes batches, those of one log together. */
    private void write(List<GroupCommit.Batch> batches) {
        Set<Log> touched = EnumSet.noneOf(Log.class);
        Map<Log, List<GroupCommit.Batch>> ofOneLog = new EnumMap<>(Log.class);
        List<GroupCommit.Batch> others = new ArrayList<>();
        for (GroupCommit.Batch batch : batches) {
            Set<Log> logs = touched(batch.drafts());
            touched.addAll(logs);
            boolean together = logs.size() == 1 && !logs.contains(Log.DIRECTIVES);
            (together ? ofOneLog.computeIfAbsent(logs.iterator().next(), log -> new ArrayList<>()) : others).add(batch);
        }
        try {
            locked(touched, () -> {
                for (List<GroupCommit.Batch> together : ofOneLog.values()) {
                    writeTogether(together, others);
                }
                for (GroupCommit.Batch batch : others) {
                    batch.does(() -> batch.entries(write(encode(batch.drafts()), batch.written(), false)));
                }
            });
        } catch (IOException | XMemException e) {
            batches.forEach(batch -> batch.failed(e));
        }
    }

    /** Writes batches of new entries of one log at once; where there may not be room for all, they go to the others. */
    private void writeTogether(List<GroupCommit.Batch> batches, List<GroupCommit.Batch> others) throws IOException {
        long drafts = 0;
        for (GroupCommit.Batch batch : batches) {
            drafts += batch.drafts().size();
        }
        if (batches.size() == 1 || storeBytes() + drafts * limits.lineBytes() > limits.storeBytes()) {
            others.addAll(batches);
            return;
        }
        Turn turn = turn();
        List<Line> all = new ArrayList<>();
        List<List<Line>> ofEach = new ArrayList<>();
        for (GroupCommit.Batch batch : batches) {
            List<Line> lines = new ArrayList<>(batch.drafts().size());
            int end = buffer.length();
            int number = turn.number;
            batch.does(() -> encode(batch.drafts(), turn, lines));
            if (batch.isFailed()) {
                buffer.truncate(end);
                turn.number = number;
                lines.clear();
            }
            all.addAll(lines);
            ofEach.add(lines);
        }
        Map<LogFile, Long> written = new HashMap<>();
        try {
            write(all, written, false);
        } catch (IOException | RuntimeException e) {
            batches.forEach(batch -> batch.failed(e));
        }
        for (int i = 0; i < batches.size(); i++) {
            GroupCommit.Batch batch = batches.get(i);
            List<Line> lines = ofEach.get(i);
            batch.does(() -> {
                batch.written().putAll(written);
                batch.entries(entries(lines));
            });
        }
    }

    private Set<Log> touched(List<Prepared> batch) {
        Set<Log> touched = EnumSet.noneOf(Log.class);
        for (Prepared entry : batch) {
            touched.add(entry.log(catalog.names()));
        }
        return touched;
    }

    /** As above; nothing is written, and the list is empty, unless a condition holds under the lock. */
    List<Entry> append(List<Prepared> batch, Condition condition) throws IOException {
        Map<LogFile, Long> written = new HashMap<>();
        List<Entry> entries = new ArrayList<>(batch.size());
        boolean given = hasGivenId(batch);
        if (given) {
            catalog.whole();
        }
        locked(touched(batch), () -> {
            if (condition.holds()) {
                entries.addAll(write(encode(batch), written, given));
            }
        });
        makeDurable(written);
        return Collections.unmodifiableList(entries);
    }

    /** Does something while nobody else writes to these logs, with all that others wrote to them known. */
    private void locked(Set<Log> touched, Exclusive.Work work) throws IOException {
        Locks.Held held = locks.acquire(touched);
        try {
            catalog.lock();
            try {
                if (held.othersWrote()) {
                    unseen.addAll(catalog.names());
                }
                List<Log> unknown = unknown(needed(touched), touched);
                catalog.learn(unknown);
                unseen.removeAll(unknown);
                work.run();
            } finally {
                buffer.clear();
                catalog.unlock();
            }
        } finally {
            held.close();
        }
    }

    /** Does something while nobody else writes to the store's own logs, with all of them known. */
    void alone(Exclusive.Work work) throws IOException {
        Locks.Held held = acquirePatiently();
        try {
            catalog.lock();
            try {
                catalog.learn(catalog.names());
                unseen.clear();
                work.run();
            } finally {
                catalog.unlock();
            }
        } finally {
            held.close();
        }
    }

    private Locks.Held acquirePatiently() throws IOException {
        for (int i = 1; i < TRIES; i++) {
            try {
                return locks.acquire(Set.of());
            } catch (XMemException.Busy e) {
                // a compaction has time: it waits longer than an append
            }
        }
        return locks.acquire(Set.of());
    }

    private static boolean hasGivenId(List<Prepared> batch) {
        for (Prepared entry : batch) {
            if (entry.text("id") != null) {
                return true;
            }
        }
        return false;
    }

    /** The logs of the batch, and all that share the day's numbers with them. */
    private List<Log> needed(Set<Log> touched) {
        if (numbered.containsAll(touched)) {
            return numbered;
        }
        boolean number = false;
        for (Log log : touched) {
            number |= log.numbered();
        }
        List<Log> needed = new ArrayList<>(catalog.names().size());
        for (Log log : catalog.names()) {
            if (touched.contains(log) || number && log.numbered()) {
                needed.add(log);
            }
        }
        return needed;
    }

    /** Of these the ones that may have lines which are not known. */
    private List<Log> unknown(List<Log> needed, Set<Log> touched) {
        List<Log> unknown = new ArrayList<>(needed.size());
        for (Log log : needed) {
            if (touched.contains(log) || unseen.contains(log) || shared.contains(log)) {
                unknown.add(log);
            }
        }
        return unknown;
    }

    private void makeDurable(Map<LogFile, Long> written) throws IOException {
        for (Map.Entry<LogFile, Long> log : written.entrySet()) {
            switch (durability) {
                case OS -> {}
                case GROUP -> log.getKey().forceTo(log.getValue());
                case EACH -> log.getKey().force();
            }
        }
    }

    /** When lines are written, and the last number of that day that was given. */
    private static final class Turn {
        private final String ts;
        private final String day;
        private int number;

        Turn(String ts, String day, int number) {
            this.ts = ts;
            this.day = day;
            this.number = number;
        }
    }

    /** Begins lines that are written together: the buffer has none. */
    private Turn turn() throws IOException {
        String ts = LineCodec.ts(nextMillis());
        String day = ts.substring(0, ts.indexOf('T'));
        buffer.clear();
        buffer.write('\n');
        return new Turn(ts, day, highestNumber(day));
    }

    private List<Line> encode(List<Prepared> batch) throws IOException {
        List<Line> lines = new ArrayList<>(batch.size());
        encode(batch, turn(), lines);
        return lines;
    }

    private void encode(List<Prepared> batch, Turn turn, List<Line> lines) throws IOException {
        Map<String, Map<String, @Nullable Object>> said = new HashMap<>();
        Map<String, Line> given = new HashMap<>();
        Map<String, Line> directiveLines = new HashMap<>();
        for (Prepared prepared : batch) {
            Line same = prepared.isDirective() ? sameDirective(prepared, directiveLines) : null;
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
                turn.number = Math.max(turn.number, DayCounter.number(id, turn.day));
            } else {
                prepared.fields().put("id", DayCounter.id(turn.day, ++turn.number));
                lines.add(encode(prepared, turn.ts));
            }
            if (prepared.isDirective() && prepared.line() != null) {
                directiveLines.put(prepared.line(), lines.get(lines.size() - 1));
            }
        }
    }

    /** The line that a directive given with its id repeats as it stands; null where it says something new. */
    private @Nullable Line sameDirective(Prepared prepared, Map<String, Line> known) throws IOException {
        String id = prepared.text("id");
        String json = prepared.line();
        if (id == null || json == null) {
            return null;
        }
        Line before = known.get(json);
        if (before != null) {
            return new Line(before.log, before.facts, before.start, before.length, before.stored, false);
        }
        Entry stored = storedWith(id, json);
        return stored == null || !stored.json().equals(json)
                ? null
                : new Line(
                        prepared.log(catalog.names()),
                        LineFacts.of(prepared.kind(), prepared.fields()),
                        0,
                        0,
                        stored,
                        false);
    }

    /** Turns a directive that is known already, or was said in this batch before, into its reinforcement. */
    private boolean reinforce(Prepared prepared, Map<String, Map<String, @Nullable Object>> said) throws IOException {
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
        for (Log log : numbered) {
            long newest = catalog.log(log).newestMillis();
            lastMillis = newest <= now + DAY_MILLIS ? Math.max(lastMillis, newest) : lastMillis;
        }
        lastMillis = Math.max(lastMillis, now);
        return lastMillis;
    }

    private Line encode(Prepared prepared, String ts) {
        int start = buffer.length();
        prepared.fields().putIfAbsent("ts", ts);
        codec.write(prepared.schema(), prepared.fields(), buffer);
        int length = buffer.length() - start - 1;
        if (length > limits.lineBytes()) {
            throw new XMemException.Limit("the length of the line in bytes", length, limits.lineBytes());
        }
        LineFacts facts = LineFacts.of(prepared.schema().kind(), prepared.fields());
        return new Line(prepared.log(catalog.names()), facts, start, length, null, true);
    }

    /** The highest number of a day in the logs, and in what left them: a log that lost lines is another one since. */
    private int highestNumber(String day) throws IOException {
        if (!isCounted()) {
            spent.read();
            counted = numbered.stream().map(catalog::log).toList();
        }
        int number = spent.highest(day);
        for (LogIndex log : counted) {
            number = Math.max(number, log.highestNumber(day));
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
    private Line encodeGiven(Prepared prepared, String id, String ts, Map<String, Line> given) throws IOException {
        Line before = given.get(id);
        Entry stored = before == null ? storedWith(id, prepared.line()) : null;
        Line line = encode(prepared, stored == null ? ts : tsOf(stored, ts));
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
                ? new Line(line.log, line.facts, 0, 0, stored, false)
                : new Line(before.log, before.facts, before.start, before.length, null, false);
    }

    private String text(Line line) {
        return new String(buffer.array(), line.start, line.length, StandardCharsets.UTF_8);
    }

    private static String tsOf(Entry stored, String otherwise) {
        String ts = Entries.field(stored, "ts");
        return ts == null ? otherwise : ts;
    }

    /** The line with this id; of several the one that is the same as the given one. */
    private @Nullable Entry storedWith(String id, @Nullable String given) throws IOException {
        Entry first = null;
        for (LogIndex log : catalog.own()) {
            int n = log.kind() == Entry.Kind.NOTE ? 0 : log.withId(id).countBelow(Integer.MAX_VALUE);
            for (int i = 0; i < n; i++) {
                int ordinal = log.withId(id).at(i);
                Entry entry = Entries.of(codec, log.kind(ordinal), log.bytes(ordinal), log.id(ordinal));
                if (entry.json().equals(given)) {
                    return entry;
                }
                first = first == null ? entry : first;
            }
        }
        return first;
    }

    private List<Entry> write(List<Line> lines, Map<LogFile, Long> written, boolean given) throws IOException {
        checkRoom();
        List<Line> fresh = fresh(lines);
        int from = 0;
        while (from < fresh.size()) {
            int to = endOfRun(fresh, from);
            writeRun(fresh.subList(from, to), written, given);
            from = to;
        }
        return entries(lines);
    }

    private List<Entry> entries(List<Line> lines) {
        List<Entry> entries = new ArrayList<>(lines.size());
        for (Line line : lines) {
            entries.add(entry(line));
        }
        return Collections.unmodifiableList(entries);
    }

    private static List<Line> fresh(List<Line> lines) {
        List<Line> fresh = new ArrayList<>(lines.size());
        for (Line line : lines) {
            if (line.fresh) {
                fresh.add(line);
            }
        }
        return fresh;
    }

    private long storeBytes() {
        long bytes = 0;
        for (Log log : catalog.names()) {
            bytes += catalog.log(log).file().length();
        }
        return bytes;
    }

    private void checkRoom() {
        long bytes = buffer.length() + storeBytes();
        if (bytes > limits.storeBytes()) {
            throw new XMemException.Limit("the size of the store in bytes", bytes, limits.storeBytes());
        }
    }

    private static int endOfRun(List<Line> lines, int from) {
        int to = from + 1;
        while (to < lines.size() && lines.get(to).log == lines.get(from).log) {
            to++;
        }
        return to;
    }

    private void writeRun(List<Line> run, Map<LogFile, Long> written, boolean given) throws IOException {
        LogIndex log = catalog.log(run.get(0).log);
        int start = run.get(0).start;
        int end = run.get(run.size() - 1).end() + 1;
        long offset = log.append(buffer.array(), start - 1, end - start + 1);
        int known = log.count();
        for (Line line : run) {
            log.add(line.facts, offset + line.start - start, buffer.array(), line.start, line.length);
        }
        if (given) {
            catalog.added(run.get(0).log, known);
        }
        written.put(log.file(), log.file().length());
    }

    private Entry entry(Line line) {
        if (line.stored != null) {
            return line.stored;
        }
        byte[] bytes = Arrays.copyOfRange(buffer.array(), line.start, line.end());
        String id = line.facts.id();
        Entry.Kind kind = line.facts.kind();
        return Entries.of(codec, kind, bytes, id == null ? LogIndex.idOf(kind, bytes) : id);
    }
}

package dev.xmem.core.store.index;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Entry;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LogStatistics;
import dev.xmem.core.store.segment.MergedKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The {@code index.json} of the X-MEM protocol, for other tools to read: derived from the index, replaced as a whole,
 * never read back for its content. A second file notes how far into each log it reaches, and the length and time that
 * {@code index.json} had when it was written; if either differs, it is written again.
 * Decision: docs/adr/0015-index-json.md.
 */
public final class IndexJson {
    private static final String VERSION = "1.0.0";
    private static final String LINES = "_lines";
    private static final int LONGEST_STATE = 1 << 20;

    private final FileSystem files;
    private final Path index;
    private final Path state;

    /** An index file and the file that notes what it covers. */
    public IndexJson(FileSystem files, Path index, Path state) {
        this.files = files;
        this.index = index;
        this.state = state;
    }

    /** Whether the file is whole and covers exactly these logs. */
    public boolean covers(StoreSnapshot snapshot) throws IOException {
        return behind(snapshot) == null;
    }

    /** What keeps the file from being whole and covering exactly these logs; null if nothing does. */
    public @Nullable String behind(StoreSnapshot snapshot) throws IOException {
        FileSystem.Stat now = files.stat(index);
        if (now == null) {
            return "index.json is missing";
        }
        Map<String, Object> known = knownState();
        if (known == null
                || number(known, "index_bytes") != now.length()
                || number(known, "index_modified_millis") != now.modifiedMillis()) {
            return "index.json is not the one that was written last";
        }
        Map<String, Long> covered = reach(known);
        Map<String, Long> needed = reach(snapshot);
        if (covered.equals(needed)) {
            return null;
        }
        return lines(covered) < lines(needed)
                ? "index.json covers " + lines(covered) + " of " + lines(needed) + " failures and successes"
                : "index.json was written from other lines than the logs have";
    }

    /** How long ago the file was written; very long if it is missing, or its time is in the future. */
    public Duration age() throws IOException {
        FileSystem.Stat now = files.stat(index);
        long millis = System.currentTimeMillis() - (now == null ? 0 : now.modifiedMillis());
        return Duration.ofMillis(millis < 0 ? Long.MAX_VALUE : millis);
    }

    private static long lines(Map<String, Long> reach) {
        long lines = 0;
        for (Map.Entry<String, Long> each : reach.entrySet()) {
            lines += each.getKey().endsWith(LINES) ? Math.max(0, each.getValue()) : 0;
        }
        return lines;
    }

    private void content(StoreSnapshot snapshot, OutputStream out) throws IOException {
        try (JsonGenerator json = LineCodec.generator(out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("version", VERSION);
            json.writeStringField(
                    "last_updated", Instant.ofEpochMilli(newest(snapshot)).toString());
            json.writeObjectFieldStart("total_entries");
            json.writeNumberField("failures", snapshot.total(Entry.Kind.FAILURE));
            json.writeNumberField("successes", snapshot.total(Entry.Kind.SUCCESS));
            json.writeEndObject();
            writeTools(snapshot, json);
            writeTags(snapshot, json);
            writeHashes(snapshot, json);
            json.writeEndObject();
        }
        out.write('\n');
    }

    /** Replaces the file and notes what it covers. The caller holds the lock of the index. */
    public void write(StoreSnapshot snapshot) throws IOException {
        files.replace(index, out -> content(snapshot, out));
        FileSystem.Stat now = files.stat(index);
        if (now != null) {
            files.replace(state, state(snapshot, now));
        }
    }

    private static long newest(StoreSnapshot snapshot) {
        long newest = 0;
        for (LogSnapshot log : snapshot.logs()) {
            for (int i = log.count() - 1; i >= 0; i--) {
                newest = Math.max(newest, log.index().lines().time(i));
                if (log.index().statistics().times().ascendsBelow(i + 1)) {
                    break;
                }
            }
        }
        return newest;
    }

    private static void writeTools(StoreSnapshot snapshot, JsonGenerator json) throws IOException {
        Map<String, Long> failures = snapshot.counts(LogStatistics::toolFailures);
        Map<String, Long> successes = snapshot.counts(LogStatistics::toolSuccesses);
        Map<String, Long> all = new TreeMap<>(failures);
        all.putAll(successes);
        json.writeObjectFieldStart("tool_index");
        for (String tool : all.keySet()) {
            json.writeObjectFieldStart(name(tool));
            json.writeNumberField("failures", failures.getOrDefault(tool, 0L));
            json.writeNumberField("successes", successes.getOrDefault(tool, 0L));
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void writeTags(StoreSnapshot snapshot, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("tag_index");
        for (Map.Entry<String, Long> tag : new TreeMap<>(snapshot.counts(LogStatistics::tags)).entrySet()) {
            json.writeNumberField(name(tag.getKey()), tag.getValue());
        }
        json.writeEndObject();
    }

    private static void writeHashes(StoreSnapshot snapshot, JsonGenerator json) throws IOException {
        DuplicateIds duplicates = new DuplicateIds(snapshot);
        MergedKeys hashes = new MergedKeys();
        List<LogSnapshot> logs = snapshot.logs();
        int[] ends = new int[logs.size()];
        int lines = 0;
        for (int i = 0; i < ends.length; i++) {
            logs.get(i)
                    .index()
                    .segments()
                    .addTo(hashes, IndexedField.HASH, lines, logs.get(i).count(), true);
            lines = Math.addExact(lines, logs.get(i).count());
            ends[i] = lines;
        }
        json.writeObjectFieldStart("ctx_hash_index");
        hashes.forEach(1, (hash, same) -> {
            boolean begun = false;
            int log = 0;
            for (int line : same) {
                while (line >= ends[log]) {
                    log++;
                }
                int ordinal = log == 0 ? line : line - ends[log - 1];
                begun = writeId(logs.get(log), ordinal, hash, duplicates, begun, json);
            }
            if (begun) {
                json.writeEndArray();
            }
        });
        json.writeEndObject();
    }

    /** Writes the id of an entry with a hash; returns whether there was one up to now. */
    private static boolean writeId(
            LogSnapshot log, int line, String hash, DuplicateIds duplicates, boolean begun, JsonGenerator json)
            throws IOException {
        Entry.Kind kind = log.index().lines().kind(line);
        boolean counted = kind == Entry.Kind.FAILURE || kind == Entry.Kind.SUCCESS;
        if (!counted || !log.shows(line)) {
            return begun;
        }
        if (!begun) {
            json.writeArrayFieldStart(name(hash));
        }
        json.writeString(duplicates.shownId(log, line));
        return true;
    }

    /** A name with unpaired surrogates replaced: a JSON parser would not read them back. */
    private static String name(String text) {
        StringBuilder name = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                name = name == null ? new StringBuilder(text) : name;
                name.setCharAt(i, '\uFFFD');
            }
        }
        return name == null ? text : name.toString();
    }

    private byte[] state(StoreSnapshot snapshot, FileSystem.Stat now) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = LineCodec.generator(out)) {
            json.writeStartObject();
            json.writeNumberField("index_bytes", now.length());
            json.writeNumberField("index_modified_millis", now.modifiedMillis());
            json.writeObjectFieldStart("covers");
            for (Map.Entry<String, Long> log : reach(snapshot).entrySet()) {
                json.writeNumberField(log.getKey(), log.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        out.write('\n');
        return out.toByteArray();
    }

    /** How far into each log the index reaches: the number of lines, and the offset and digest of the last. */
    private static Map<String, Long> reach(StoreSnapshot snapshot) {
        Map<String, Long> reach = new TreeMap<>();
        for (LogSnapshot log : snapshot.logs()) {
            if (log.index().kind() == Entry.Kind.FAILURE || log.index().kind() == Entry.Kind.SUCCESS) {
                int last = log.count() - 1;
                String name = log.index().part().origin().tier() == Origin.Tier.HOT
                        ? log.index().kind().name().toLowerCase(Locale.ROOT)
                        : log.index().file().path().toString();
                reach.put(name + LINES, (long) log.count());
                reach.put(
                        name + "_last_offset",
                        last < 0 ? 0 : log.index().lines().offset(last));
                reach.put(
                        name + "_last_digest",
                        last < 0 ? 0 : log.index().lines().digest(last));
            }
        }
        return reach;
    }

    private Map<String, Long> reach(Map<String, Object> known) {
        Map<String, Long> reach = new TreeMap<>();
        if (known.get("covers") instanceof RawJson raw) {
            try {
                Map<String, Object> logs = LineCodec.fields(raw.text().getBytes(StandardCharsets.UTF_8));
                for (String name : logs.keySet()) {
                    reach.put(name, number(logs, name));
                }
            } catch (MalformedLineException e) {
                return Map.of();
            }
        }
        return reach;
    }

    private static long number(Map<String, Object> fields, String name) {
        try {
            return fields.get(name) instanceof RawJson raw ? Long.parseLong(raw.text()) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private @Nullable Map<String, Object> knownState() throws IOException {
        FileSystem.Stat stat = files.stat(state);
        if (stat == null || stat.length() > LONGEST_STATE) {
            return null;
        }
        byte[] bytes = new byte[(int) stat.length()];
        try (FileSystem.Input source = files.open(state)) {
            source.read(0, bytes, 0, bytes.length);
            return LineCodec.fields(bytes);
        } catch (MalformedLineException e) {
            return null;
        }
    }
}

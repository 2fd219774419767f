package dev.xmem.core.answer.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.RecallHistory;
import dev.xmem.Stats;
import dev.xmem.Success;
import dev.xmem.UnknownEntry;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Entries, matches and figures made by hand. */
public final class Samples {
    /** Two days after the entries of the X-MEM protocol's examples. */
    public static final Instant NOW = Instant.parse("2026-02-16T17:00:00Z");

    /** The time of the first entry of the X-MEM protocol's examples. */
    public static final Instant TS = Instant.parse("2026-02-14T16:30:00Z");

    private Samples() {}

    public record Hit(Entry entry, MatchType matchType, double score, String explanation) implements Match {}

    public record SampleFailure(
            String id,
            Instant ts,
            String tool,
            String action,
            String error,
            @Nullable String patternAvoid,
            List<String> triedAlso,
            BlockLevel blockLevel,
            List<String> tags,
            String ctxHash,
            @Nullable String sessionId,
            @Nullable String notes)
            implements Failure {
        @Override
        public Kind kind() {
            return Kind.FAILURE;
        }

        @Override
        public String json() {
            Map<String, @Nullable Object> fields = line(id, ts, "tool_failure");
            fields.put("tool", tool);
            fields.put("action", action);
            fields.put("error", error);
            fields.put("pattern_avoid", patternAvoid);
            fields.put("tried_also", triedAlso);
            fields.put("block_level", blockLevel.name().toLowerCase(Locale.ROOT));
            fields.put("tags", tags);
            fields.put("ctx_hash", ctxHash);
            fields.put("notes", notes);
            return write(fields);
        }
    }

    public record SampleSuccess(
            String id,
            Instant ts,
            String tool,
            String patternName,
            List<String> keySteps,
            String criticalParams,
            double confidence,
            long usageCount,
            List<String> tags,
            String ctxHash,
            @Nullable String sessionId,
            List<String> answers)
            implements Success {
        @Override
        public Kind kind() {
            return Kind.SUCCESS;
        }

        @Override
        public String json() {
            Map<String, @Nullable Object> fields = line(id, ts, "tool_success");
            fields.put("tool", tool);
            fields.put("pattern_name", patternName);
            fields.put("key_steps", keySteps);
            fields.put("critical_params", Map.of());
            fields.put("tags", tags);
            fields.put("ctx_hash", ctxHash);
            return write(fields);
        }
    }

    public record SampleNote(
            String id,
            Instant ts,
            String type,
            String content,
            List<String> tags,
            @Nullable String meta) implements Note {
        @Override
        public Kind kind() {
            return Kind.NOTE;
        }

        @Override
        public String json() {
            Map<String, @Nullable Object> fields = line(null, ts, type);
            fields.put("content", content);
            fields.put("tags", tags);
            fields.put("meta", Objects.requireNonNullElse(meta, ""));
            return write(fields);
        }
    }

    public record SampleDirective(
            String id, Instant ts, Scope scope, Triple triple, String canonical, int strength, List<String> tags)
            implements Directive {
        @Override
        public Kind kind() {
            return Kind.DIRECTIVE;
        }

        @Override
        public String dedupeKey() {
            return triple.subject() + "|" + triple.predicate() + "|" + triple.object();
        }

        @Override
        public String confirmation() {
            return canonical;
        }

        @Override
        public String json() {
            Map<String, @Nullable Object> fields = line(id, ts, "directive");
            fields.put("canonical", canonical);
            fields.put("tags", tags);
            return write(fields);
        }
    }

    public record SampleOther(String id, Instant ts, List<String> tags, String json) implements UnknownEntry {
        @Override
        public Kind kind() {
            return Kind.UNKNOWN;
        }
    }

    /** Figures by the names of their methods; all others are nothing. */
    public static Stats stats(Map<String, Object> figures) {
        return (Stats) Proxy.newProxyInstance(
                Stats.class.getClassLoader(), new Class<?>[] {Stats.class}, (proxy, method, arguments) -> {
                    Object figure = figures.get(method.getName());
                    Class<?> type = method.getReturnType();
                    if (figure instanceof Map<?, ?> map && arguments != null) {
                        return first(map, (Integer) arguments[0]);
                    } else if (figure == null && type == RecallHistory.class) {
                        return new NothingTold(List.of(), List.of());
                    } else if (figure != null || !type.isPrimitive() && type != Map.class) {
                        return figure;
                    }
                    return type == Map.class ? Map.of() : type == long.class ? (Object) 0L : (Object) 0.0;
                });
    }

    /** The history of a store whose guards were not asked. */
    private record NothingTold(List<Recalled> recalls, List<Day> days) implements RecallHistory {}

    private static Map<Object, Object> first(Map<?, ?> all, int n) {
        Map<Object, Object> first = new LinkedHashMap<>();
        all.entrySet().stream().limit(n).forEach(e -> first.put(e.getKey(), e.getValue()));
        return first;
    }

    /** The failure entry of docs/PROTOCOL.md. */
    public static SampleFailure seedFailure() {
        return new SampleFailure(
                "2026-02-14-001",
                TS,
                "rclone",
                "sync gdrive-jimmy:folder /local/path",
                "Failed to create file system: didn't find section in config file",
                "Verify remote name exists before sync",
                List.of("rclone ls gdrive-jimmy:", "rclone config show"),
                Failure.BlockLevel.WARNING,
                List.of("rclone", "gdrive", "config"),
                "rclone-sync-config-not-found",
                "session-2026-02-14-001",
                "Remote name typo: 'gdrive-jimmy' vs 'gdrive-jimmy:'");
    }

    /** The success entry of docs/PROTOCOL.md. */
    public static SampleSuccess seedSuccess() {
        return new SampleSuccess(
                "2026-02-14-002",
                Instant.parse("2026-02-14T17:00:00Z"),
                "git",
                "Atomic commit with Co-Authored-By",
                List.of(
                        "Stage specific files only (avoid 'git add .')",
                        "Use HEREDOC for multi-line commit message",
                        "Include Co-Authored-By trailer"),
                "{\"commit_format\":\"$(cat <<'EOF'\\n...\\nEOF\\n)\"}",
                0.95,
                12,
                List.of("git", "commit", "best-practice"),
                "git-commit-heredoc",
                "session-2026-02-14-001",
                List.of());
    }

    /** A failure with nothing but what every failure has. */
    public static SampleFailure failure(String id, String tool, String ctxHash) {
        return failure(id, tool, "sync copy ls mount up commit install", ctxHash);
    }

    public static SampleFailure failure(String id, String tool, String action, String ctxHash) {
        return new SampleFailure(
                id,
                TS,
                tool,
                action,
                "it failed",
                null,
                List.of(),
                Failure.BlockLevel.WARNING,
                List.of(),
                ctxHash,
                null,
                null);
    }

    public static SampleSuccess success(String id, String name, double confidence, long used, String... steps) {
        return new SampleSuccess(
                id, TS, "git", name, List.of(steps), "{}", confidence, used, List.of(), "git-commit", null, List.of());
    }

    public static Hit hit(Entry entry) {
        return new Hit(entry, Match.MatchType.FILTER, 0, "it passed the filters");
    }

    private static Map<String, @Nullable Object> line(@Nullable String id, Instant ts, String type) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        if (id != null) {
            fields.put("id", id);
        }
        fields.put("ts", ts.toString());
        fields.put("type", type);
        return fields;
    }

    private static String write(Map<String, @Nullable Object> fields) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.writeStartObject();
            for (Map.Entry<String, @Nullable Object> field : fields.entrySet()) {
                json.writeFieldName(field.getKey());
                value(json, field.getValue());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    private static void value(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object item : list) {
                json.writeString(item.toString());
            }
            json.writeEndArray();
        } else if (value instanceof Map<?, ?>) {
            json.writeStartObject();
            json.writeEndObject();
        } else {
            json.writeString(value == null ? null : value.toString());
        }
    }
}

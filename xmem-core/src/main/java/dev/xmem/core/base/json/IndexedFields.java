package dev.xmem.core.base.json;

import dev.xmem.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a line that the index needs.
 *
 * @param kind the kind of the line
 * @param type the field {@code type}; empty if it is missing
 * @param id the field {@code id}; null if it is missing or blank
 * @param tsMillis the field {@code ts} in milliseconds since 1970; 0 if it is missing or not a time
 * @param tool the field {@code tool}
 * @param ctxHash the field {@code ctx_hash}
 * @param session the field {@code session_id}
 * @param tags the field {@code tags}
 * @param dedupeKey the field {@code dedupe_key}
 * @param proven whether it is a success with at least {@link #PROVEN_USES} uses and {@link #PROVEN_CONFIDENCE}
 *     confidence, so that it may become a rule
 * @param lesson whether it is a failure that says what to avoid or to do
 * @param answers the ids of the failures that a success solves
 * @param target the id of the entry that an outcome or an amendment is about; else null
 * @param covers the field {@code covers}: the ids of the lines that a compaction merged into this one
 * @param sessions the field {@code sessions}: the session ids of these lines
 * @param occurrences how often it happened: the field {@code occurrences}; 1 if it covers no other line
 */
public record IndexedFields(
        Entry.Kind kind,
        String type,
        @Nullable String id,
        long tsMillis,
        @Nullable String tool,
        @Nullable String ctxHash,
        @Nullable String session,
        List<String> tags,
        @Nullable String dedupeKey,
        boolean proven,
        boolean lesson,
        List<String> answers,
        @Nullable String target,
        List<String> covers,
        List<String> sessions,
        long occurrences) {
    /** The names of these fields, and of those whose presence tells the kind. */
    private static final Set<String> NAMES = Set.of(
            "type",
            "id",
            "ts",
            "tool",
            "ctx_hash",
            "session_id",
            "tags",
            "dedupe_key",
            "triple",
            "content",
            "usage_count",
            "confidence",
            "pattern_avoid",
            "answers",
            "target",
            "covers",
            "sessions",
            "occurrences");

    /** The least usage count of a proven success. */
    public static final long PROVEN_USES = 5;

    /** The least confidence of a proven success. */
    public static final double PROVEN_CONFIDENCE = 0.8;

    /** Whether a success is proven. Its confidence is compared as it is shown. */
    public static boolean isProven(double uses, double confidence) {
        return uses >= PROVEN_USES && shown(confidence) >= PROVEN_CONFIDENCE;
    }

    /** A confidence as it is shown and compared: with two decimals, rounded half up. */
    public static double shown(double confidence) {
        return Math.round(confidence * 100) / 100.0;
    }

    /** Whether the line is marked as private. */
    public boolean isPrivate() {
        return StoredEntries.isPrivate(tags);
    }

    public IndexedFields {
        id = id == null || id.isBlank() ? null : id;
    }

    /** The indexed fields of a line that is written with these fields. */
    public static IndexedFields of(Entry.Kind kind, Map<String, @Nullable Object> fields) {
        return of(kind, fields::get);
    }

    /** The indexed fields of a line of a log. */
    static IndexedFields of(Entry.Kind log, LineFields fields) {
        boolean directive = fields.has("dedupe_key") || fields.has("triple");
        Object type = fields.get("type");
        return of(kind(log, textOf(type), directive, fields.has("content")), fields::get);
    }

    /** The indexed fields of a line of a log, in any form. */
    static IndexedFields of(Entry.Kind log, byte[] bytes, int offset, int length) throws MalformedLineException {
        Map<String, @Nullable Object> fields = new HashMap<>();
        JsonText.read(bytes, offset, length, (name, parser) -> {
            if (NAMES.contains(name)) {
                fields.put(name, JsonText.value(parser, (field, text) -> text));
            } else {
                parser.skipChildren();
            }
        });
        boolean directive = fields.containsKey("dedupe_key") || fields.containsKey("triple");
        String type = textOf(fields.get("type"));
        return of(kind(log, type, directive, fields.containsKey("content")), fields::get);
    }

    private static Entry.Kind kind(Entry.Kind log, @Nullable String type, boolean directive, boolean content) {
        if ("tool_failure".equals(type)) {
            return Entry.Kind.FAILURE;
        }
        if ("tool_success".equals(type)) {
            return Entry.Kind.SUCCESS;
        }
        if (directive && log == Entry.Kind.DIRECTIVE) {
            return Entry.Kind.DIRECTIVE;
        }
        return log == Entry.Kind.NOTE && content ? Entry.Kind.NOTE : Entry.Kind.UNKNOWN;
    }

    private static IndexedFields of(Entry.Kind kind, Function<String, @Nullable Object> values) {
        String type = Objects.requireNonNullElse(textOf(values.apply("type")), "");
        String lesson = textOf(values.apply("pattern_avoid"));
        boolean success = kind == Entry.Kind.SUCCESS;
        boolean event = type.equals(Schema.OUTCOME.type()) || type.equals(Schema.AMENDMENT.type());
        List<String> covers = strings(values.apply("covers"));
        return new IndexedFields(
                kind,
                type,
                textOf(values.apply("id")),
                Math.max(0, LineCodec.millis(textOf(values.apply("ts")))),
                textOf(values.apply("tool")),
                textOf(values.apply("ctx_hash")),
                textOf(values.apply("session_id")),
                strings(values.apply("tags")),
                textOf(values.apply("dedupe_key")),
                success && isProven(numberOf(values.apply("usage_count")), numberOf(values.apply("confidence"))),
                kind == Entry.Kind.FAILURE && lesson != null && !lesson.isBlank(),
                success ? strings(values.apply("answers")) : List.of(),
                event && kind == Entry.Kind.UNKNOWN ? textOf(values.apply("target")) : null,
                covers,
                strings(values.apply("sessions")),
                occurrences(covers, numberOf(values.apply("occurrences"))));
    }

    /** How often the event of a line happened: 1, or at least 2 if it covers other lines. */
    static long occurrences(List<String> covers, double given) {
        return covers.isEmpty() ? 1 : Math.max(2, Math.min(Integer.MAX_VALUE, (long) given));
    }

    /** The same count as a peer may claim it: at most one for its line and one for each line that it names. */
    static long ofPeer(List<String> covers, long given) {
        return Math.min(given, 1L + new HashSet<>(covers).size());
    }

    /** The same fields of a line that a peer published. */
    public IndexedFields ofPeer() {
        long bound = ofPeer(covers, occurrences);
        return bound == occurrences
                ? this
                : new IndexedFields(
                        kind, type, id, tsMillis, tool, ctxHash, session, tags, dedupeKey, proven, lesson, answers,
                        target, covers, sessions, bound);
    }

    /** A value as text; null if it is an object, a list or missing. */
    private static @Nullable String textOf(@Nullable Object value) {
        return value instanceof RawJson raw && !raw.isNested()
                ? raw.text()
                : value instanceof String text ? text : null;
    }

    private static double numberOf(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        return value instanceof RawJson raw && raw.isNumber() ? Double.parseDouble(raw.text()) : 0;
    }

    /** A value as a list: the texts, numbers and literals in it, or one of these. */
    private static List<String> strings(@Nullable Object value) {
        if (value instanceof List<?> items) {
            List<String> texts = new ArrayList<>(items.size());
            for (Object item : items) {
                texts.add((String) item);
            }
            return texts;
        }
        if (value instanceof RawJson raw && raw.text().startsWith("[")) {
            return JsonText.scalars(raw.text());
        }
        String one = textOf(value);
        return one == null ? List.of() : List.of(one);
    }
}

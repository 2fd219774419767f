package dev.xmem.core.base.json;

import dev.xmem.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the index needs to know of a line.
 *
 * @param kind what the line is
 * @param type the field {@code type}; empty if it has none
 * @param id the field {@code id}; null if it has none, or a blank one
 * @param tsMillis the time in milliseconds since 1970; 0 if it has none that can be read
 * @param tool the field {@code tool}
 * @param ctxHash the field {@code ctx_hash}
 * @param session the field {@code session_id}
 * @param tags the field {@code tags}
 * @param dedupeKey the field {@code dedupe_key}
 * @param proven whether it is a success that was used often and reliably enough to become a rule
 * @param answers the failures that it answers; empty unless it is a success
 * @param target the entry that the line says something of; null unless it is an outcome or an amendment
 * @param covers the field {@code covers}: the ids of the lines that a compaction made this one of
 * @param sessions the field {@code sessions}: those of the lines that a compaction made this one of
 * @param occurrences how often it happened: the field {@code occurrences}, 1 where it covers nothing
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
        List<String> answers,
        @Nullable String target,
        List<String> covers,
        List<String> sessions,
        long occurrences) {
    /** How often a success must have been used to be proven. */
    public static final long PROVEN_USES = 5;

    /** How reliable a success must be to be proven. */
    public static final double PROVEN_CONFIDENCE = 0.8;

    public IndexedFields {
        id = id == null || id.isBlank() ? null : id;
    }

    /** The facts of a line that is written of these fields. */
    public static IndexedFields of(Entry.Kind kind, Map<String, @Nullable Object> fields) {
        String type = text(fields, "type");
        return new IndexedFields(
                kind,
                type == null ? "" : type,
                text(fields, "id"),
                Math.max(0, LineCodec.millis(text(fields, "ts"))),
                text(fields, "tool"),
                text(fields, "ctx_hash"),
                text(fields, "session_id"),
                texts(fields.get("tags")),
                text(fields, "dedupe_key"),
                kind == Entry.Kind.SUCCESS
                        && number(fields.get("usage_count")) >= PROVEN_USES
                        && number(fields.get("confidence")) >= PROVEN_CONFIDENCE,
                kind == Entry.Kind.SUCCESS ? texts(fields.get("answers")) : List.of(),
                target(kind, type, text(fields, "target")),
                texts(fields.get("covers")),
                texts(fields.get("sessions")),
                occurrences(texts(fields.get("covers")), number(fields.get("occurrences"))));
    }

    /** The target of a line of this kind and type, where such a line has one. */
    static @Nullable String target(Entry.Kind kind, @Nullable String type, @Nullable String target) {
        boolean word =
                Schema.OUTCOME.type().equals(type) || Schema.AMENDMENT.type().equals(type);
        return kind == Entry.Kind.UNKNOWN && word ? target : null;
    }

    /** How often a line happened that covers others. */
    static long occurrences(List<String> covers, double given) {
        return covers.isEmpty() ? 1 : Math.max(2, Math.min(Integer.MAX_VALUE, (long) given));
    }

    private static @Nullable String text(Map<String, @Nullable Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : null;
    }

    private static List<String> texts(@Nullable Object value) {
        if (!(value instanceof List<?> items)) {
            return List.of();
        }
        List<String> texts = new ArrayList<>(items.size());
        for (Object item : items) {
            texts.add((String) item);
        }
        return texts;
    }

    private static double number(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        return value instanceof RawJson raw ? Double.parseDouble(raw.text()) : 0;
    }
}

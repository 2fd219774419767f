package dev.xmem.core.base.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        Reader line = new Reader(kind);
        line.all(fields::get);
        return line.fields(kind);
    }

    /** The indexed fields of a line of a log; null if only the parser can tell them. */
    static @Nullable IndexedFields of(Entry.Kind log, LineFields fields) {
        Reader line = new Reader(log);
        line.directive = fields.has("dedupe_key") || fields.has("triple");
        line.content = fields.has("content");
        return line.all(fields::get) ? line.fields() : null;
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

    /** What {@link Reader#scalar(JsonParser)} makes of a value. */
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

    /** Collects the indexed fields of one line. Not thread-safe. */
    static final class Reader {
        private final Entry.Kind log;
        private String type = "";
        private @Nullable String id;
        private @Nullable String ts;
        private @Nullable String tool;
        private @Nullable String ctxHash;
        private @Nullable String session;
        private @Nullable String dedupeKey;
        private double usageCount;
        private double confidence;
        private @Nullable String lesson;
        private boolean directive;
        private boolean content;
        private List<String> answers = List.of();
        private @Nullable String target;
        private List<String> tags = List.of();
        private List<String> covers = List.of();
        private List<String> sessions = List.of();
        private double occurrences;
        private boolean mixed;

        Reader(Entry.Kind log) {
            this.log = log;
        }

        /**
         * Takes the values of all fields by their names; false if one is a list of which only the parser knows texts.
         */
        boolean all(Function<String, @Nullable Object> values) {
            type = Objects.requireNonNullElse(textOf(values.apply("type")), "");
            id = textOf(values.apply("id"));
            ts = textOf(values.apply("ts"));
            tool = textOf(values.apply("tool"));
            ctxHash = textOf(values.apply("ctx_hash"));
            session = textOf(values.apply("session_id"));
            dedupeKey = textOf(values.apply("dedupe_key"));
            target = textOf(values.apply("target"));
            lesson = textOf(values.apply("pattern_avoid"));
            usageCount = numberOf(values.apply("usage_count"));
            confidence = numberOf(values.apply("confidence"));
            occurrences = numberOf(values.apply("occurrences"));
            tags = strings(values.apply("tags"));
            answers = strings(values.apply("answers"));
            covers = strings(values.apply("covers"));
            sessions = strings(values.apply("sessions"));
            return !mixed;
        }

        private List<String> strings(@Nullable Object value) {
            if (value instanceof List<?> items) {
                List<String> texts = new ArrayList<>(items.size());
                for (Object item : items) {
                    texts.add((String) item);
                }
                return texts;
            }
            mixed |= value instanceof RawJson raw && raw.text().startsWith("[");
            String one = textOf(value);
            return one == null ? List.of() : List.of(one);
        }

        void field(String name, JsonParser parser) throws IOException {
            switch (name) {
                case "type" -> type = Objects.requireNonNullElse(scalar(parser), "");
                case "id" -> id = scalar(parser);
                case "ts" -> ts = scalar(parser);
                case "tool" -> tool = scalar(parser);
                case "ctx_hash" -> ctxHash = scalar(parser);
                case "session_id" -> session = scalar(parser);
                case "dedupe_key" -> {
                    directive = true;
                    dedupeKey = scalar(parser);
                }
                case "triple" -> {
                    directive = true;
                    parser.skipChildren();
                }
                case "usage_count" -> usageCount = number(parser);
                case "confidence" -> confidence = number(parser);
                case "content" -> {
                    content = true;
                    parser.skipChildren();
                }
                case "tags" -> tags = strings(parser);
                case "answers" -> answers = strings(parser);
                case "target" -> target = scalar(parser);
                case "pattern_avoid" -> lesson = scalar(parser);
                case "covers" -> covers = strings(parser);
                case "sessions" -> sessions = strings(parser);
                case "occurrences" -> occurrences = number(parser);
                default -> parser.skipChildren();
            }
        }

        IndexedFields fields() {
            return fields(kind());
        }

        IndexedFields fields(Entry.Kind kind) {
            boolean success = kind == Entry.Kind.SUCCESS;
            boolean event = type.equals(Schema.OUTCOME.type()) || type.equals(Schema.AMENDMENT.type());
            return new IndexedFields(
                    kind,
                    type,
                    id,
                    Math.max(0, LineCodec.millis(ts)),
                    tool,
                    ctxHash,
                    session,
                    tags,
                    dedupeKey,
                    success && isProven(usageCount, confidence),
                    kind == Entry.Kind.FAILURE && lesson != null && !lesson.isBlank(),
                    success ? answers : List.of(),
                    event && kind == Entry.Kind.UNKNOWN ? target : null,
                    covers,
                    sessions,
                    occurrences(covers, occurrences));
        }

        private static double number(JsonParser parser) throws IOException {
            boolean number = parser.currentToken().isNumeric();
            parser.skipChildren();
            return number ? parser.getDoubleValue() : 0;
        }

        private Entry.Kind kind() {
            if (type.equals("tool_failure")) {
                return Entry.Kind.FAILURE;
            }
            if (type.equals("tool_success")) {
                return Entry.Kind.SUCCESS;
            }
            if (directive && log == Entry.Kind.DIRECTIVE) {
                return Entry.Kind.DIRECTIVE;
            }
            return log == Entry.Kind.NOTE && content ? Entry.Kind.NOTE : Entry.Kind.UNKNOWN;
        }

        private static @Nullable String scalar(JsonParser parser) throws IOException {
            if (parser.currentToken().isScalarValue() && parser.currentToken() != JsonToken.VALUE_NULL) {
                return parser.getText();
            }
            parser.skipChildren();
            return null;
        }

        private static List<String> strings(JsonParser parser) throws IOException {
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                String one = scalar(parser);
                return one == null ? List.of() : List.of(one);
            }
            List<String> strings = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                String item = scalar(parser);
                if (item != null) {
                    strings.add(item);
                }
            }
            return strings;
        }
    }
}

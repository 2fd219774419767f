package dev.xmem.core.base.json;

import dev.xmem.Entry;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of each kind of line, in the order in which they are written. A field with a default is always written; a
 * field without one is written if it has a value. Fields that the schema does not name follow at the end.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are immutable
public enum Schema {
    /** A line of {@code failures.jsonl}. */
    FAILURE(
            Entry.Kind.FAILURE,
            "tool_failure",
            field("id"),
            field("ts"),
            field("type"),
            field("tool"),
            with("action", ""),
            field("error"),
            field("evidence"),
            field("exit_code"),
            with("pattern_avoid", null),
            with("tried_also", List.of()),
            with("block_level", "warning"),
            with("tags", List.of()),
            field("ctx_hash"),
            field("subject"),
            with("session_id", null),
            with("notes", null),
            field("first_ts"),
            field("occurrences"),
            field("covers"),
            field("sessions"),
            field("further_advice")),
    /** A line of {@code successes.jsonl}. */
    SUCCESS(
            Entry.Kind.SUCCESS,
            "tool_success",
            field("id"),
            field("ts"),
            field("type"),
            field("tool"),
            field("action"),
            field("pattern_name"),
            field("signature"),
            with("key_steps", List.of()),
            with("critical_params", new RawJson("{}")),
            with("confidence", 0.5),
            with("usage_count", 1),
            with("tags", List.of()),
            field("ctx_hash"),
            with("session_id", null),
            field("answers"),
            field("first_ts"),
            field("occurrences"),
            field("covers"),
            field("sessions"),
            field("further_steps"),
            field("further_params")),
    /** A line of {@code notes.jsonl}. It has no id; missing fields are null. */
    NOTE(Entry.Kind.NOTE, "", field("ts"), field("type"), field("content"), with("tags", null), with("meta", null)),
    /** A line of {@code memories.ndjson}. */
    DIRECTIVE(
            Entry.Kind.DIRECTIVE,
            "",
            field("id"),
            field("ts"),
            with("scope", "local"),
            field("kind"),
            field("triple"),
            field("canonical"),
            with("strength", 1),
            with("source", "user_direct"),
            with("tags", List.of()),
            field("dedupe_key")),
    /** Whether the advice of an entry helped in a session; in the log of the entry's kind. */
    OUTCOME(
            Entry.Kind.UNKNOWN,
            "outcome",
            field("ts"),
            field("type"),
            field("target"),
            field("outcome"),
            field("session_id")),
    /** A later change of an entry; in the log of the entry's kind. */
    AMENDMENT(
            Entry.Kind.UNKNOWN,
            "amendment",
            field("ts"),
            field("type"),
            field("target"),
            field("change"),
            field("by"),
            field("add"),
            field("remove"),
            field("why")),
    /** Any other line, as another version or another program wrote it: its fields keep their order. */
    UNKNOWN(Entry.Kind.UNKNOWN, "");

    private static final Set<String> NAMES = new HashSet<>();

    static {
        for (Schema schema : values()) {
            NAMES.addAll(schema.own);
        }
    }

    private final Entry.Kind kind;
    private final String type;
    private final Field[] fields;
    private final Set<String> own;

    Schema(Entry.Kind kind, String type, Field... fields) {
        this.kind = kind;
        this.type = type;
        this.fields = fields;
        this.own = new HashSet<>();
        for (Field field : fields) {
            own.add(field.name);
        }
    }

    /**
     * A field of a schema.
     *
     * @param quoted its name as a line has it, with quotation marks and a colon
     * @param always whether it is written even without a value
     * @param otherwise what is written then
     */
    @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
    record Field(
            String name,
            byte[] quoted,
            boolean always,
            @Nullable Object otherwise) {
        Field(String name, boolean always, @Nullable Object otherwise) {
            this(name, ('"' + name + "\":").getBytes(StandardCharsets.US_ASCII), always, otherwise);
        }
    }

    private static Field field(String name) {
        return new Field(name, false, null);
    }

    private static Field with(String name, @Nullable Object otherwise) {
        return new Field(name, true, otherwise);
    }

    /** The schema of the entries of a kind. */
    public static Schema of(Entry.Kind kind) {
        return switch (kind) {
            case FAILURE -> FAILURE;
            case SUCCESS -> SUCCESS;
            case NOTE -> NOTE;
            case DIRECTIVE -> DIRECTIVE;
            case UNKNOWN -> UNKNOWN;
        };
    }

    /** The fields in their order. */
    Field[] fields() {
        return fields;
    }

    /** Whether this schema names a field. */
    boolean hasField(String name) {
        return own.contains(name);
    }

    /** Whether a schema names this field. */
    static boolean names(String field) {
        return NAMES.contains(field);
    }

    /** The kind of its lines. */
    public Entry.Kind kind() {
        return kind;
    }

    /** The value of {@code type} in its lines; empty if the caller gives it. */
    public String type() {
        return type;
    }
}

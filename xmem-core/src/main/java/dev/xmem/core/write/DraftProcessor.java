package dev.xmem.core.write;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Limits;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.core.answer.directive.DirectiveDraft;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.store.segment.DailyIdCounter;
import dev.xmem.core.text.hash.Excerpt;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.core.text.redact.Redaction;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a draft what can be stored: redacts every text, checks types and limits, cuts the error to its telling lines,
 * and hashes. Stateless and thread-safe; nothing here touches a file.
 */
public final class DraftProcessor {
    private final LineCodec codec;
    private final Redaction redaction;
    private final boolean rejectSecrets;
    private final ContextHasher hasher;
    private final Limits limits;

    public DraftProcessor(
            LineCodec codec, Redaction redaction, boolean rejectSecrets, ContextHasher hasher, Limits limits) {
        this.codec = codec;
        this.rejectSecrets = rejectSecrets;
        this.redaction = redaction;
        this.hasher = hasher;
        this.limits = limits;
    }

    public PreparedEntry prepare(EntryDraft draft) {
        if (draft instanceof JsonDraft json) {
            Map<String, @Nullable Object> fields = parsed(json, redaction::clean);
            if (rejectSecrets || isDirective(fields)) {
                parsed(json, this::refusing);
            }
            return prepare(fields).ofLine(json.json().strip());
        }
        if (rejectSecrets || draft instanceof Directive.Draft) {
            draft.fields().values().forEach(this::refuseSecrets);
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        draft.fields().forEach((name, value) -> fields.put(name, clean(name, value)));
        return prepare(kind(draft), fields);
    }

    /**
     * A word about an entry.
     *
     * @param said the fields of its line but type and target
     */
    PreparedEntry event(Schema schema, Entry about, Map<String, Object> said) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("type", schema.type());
        fields.put("target", about.id());
        said.forEach((name, value) -> fields.put(name, clean(name, value instanceof Set<?> set ? sorted(set) : value)));
        if (about instanceof Directive directive && directive.scope() == Directive.Scope.GLOBAL) {
            fields.put("scope", "global");
        }
        FieldSizeCheck checks = new FieldSizeCheck(limits);
        checks.check(fields);
        for (String tags : List.of("add", "remove")) {
            Object given = fields.get(tags);
            checks.check(given == null ? Map.of() : Map.of("tags", given));
        }
        return new PreparedEntry(about.kind(), fields, null, schema);
    }

    private static List<String> sorted(Set<?> texts) {
        return texts.stream().map(String.class::cast).sorted().toList();
    }

    /** A call that failed, as what would be stored of it: the same hash, the same lines of its error. */
    public RecallQuery question(String tool, String action, ToolError error) {
        String cleanTool = redaction.clean(tool);
        String cleanAction = redaction.cleanAction(cleanTool, action);
        Excerpt excerpt = Excerpt.of(cleanTool, cleanAction, redaction.clean(error.text()));
        ContextHash hash = hasher.hash(HashInput.of(cleanTool, cleanAction).error(excerpt.text(), error.exitCode()));
        return new RecallQuery(hash, excerpt.text());
    }

    /** An action as it is stored. */
    public String cleanAction(String tool, String action) {
        return redaction.cleanAction(tool, redaction.clean(action));
    }

    /** The family of a call that has not happened; tool and action are clean. */
    public String operation(String tool, String action) {
        return hasher.hash(HashInput.of(tool, action)).value();
    }

    /** Throws at the first secret in a value; says which rule, never what. */
    private void refuseSecrets(Object value) {
        if (value instanceof String text) {
            String rule = redaction.firstSecret(text);
            if (rule != null) {
                throw new XMemException.Secret(rule);
            }
        } else if (value instanceof List<?> items) {
            items.forEach(this::refuseSecrets);
        } else if (value instanceof Directive.Triple triple) {
            refuseSecrets(List.of(triple.subject(), triple.predicate(), triple.object()));
        }
    }

    private static Entry.Kind kind(EntryDraft draft) {
        if (draft instanceof Failure.Draft) {
            return Entry.Kind.FAILURE;
        } else if (draft instanceof Success.Draft) {
            return Entry.Kind.SUCCESS;
        }
        return draft instanceof Note.Draft ? Entry.Kind.NOTE : Entry.Kind.DIRECTIVE;
    }

    private Object clean(String name, Object value) {
        if (name.equals("critical_params") || name.equals("meta")) {
            return object(name, (String) value);
        } else if (value instanceof String text) {
            return redaction.clean(text);
        } else if (value instanceof List<?> items) {
            return clean(items);
        } else if (value instanceof Directive.Triple triple) {
            return new Directive.Triple(
                    redaction.clean(triple.subject()),
                    redaction.clean(triple.predicate()),
                    redaction.clean(triple.object()));
        } else if (value instanceof Failure.BlockLevel || value instanceof Directive.Scope) {
            return value.toString().toLowerCase(Locale.ROOT);
        }
        return value;
    }

    private List<String> clean(List<?> items) {
        List<String> clean = new ArrayList<>(items.size());
        for (Object item : items) {
            clean.add(redaction.clean((String) item));
        }
        return clean;
    }

    private RawJson object(String name, String json) {
        try {
            return codec.object(json, limits.nesting(), redaction::clean);
        } catch (MalformedLineException e) {
            checkDepth("the nesting of " + name, e);
            throw new XMemException.Invalid(name, e.getMessage() + ". Give the text of one JSON object.");
        }
    }

    private String refusing(String name, String text) {
        String rule = redaction.firstSecret(name, text);
        if (rule != null) {
            throw new XMemException.Secret(rule);
        }
        return text;
    }

    private Map<String, @Nullable Object> parsed(JsonDraft draft, BinaryOperator<String> text) {
        if (draft.json().length() > 4L * limits.lineBytes()) {
            throw new XMemException.Limit("a line in characters", draft.json().length(), limits.lineBytes());
        }
        try {
            return new LinkedHashMap<>(codec.parse(draft.json(), limits.nesting(), text));
        } catch (MalformedLineException e) {
            checkDepth("the nesting of the line", e);
            throw new XMemException.Invalid("", "The line " + e.getMessage() + ". Give one JSON object.");
        }
    }

    private void checkDepth(String what, MalformedLineException e) {
        if (e.depth() > 0) {
            throw new XMemException.Limit(what, e.depth(), limits.nesting());
        }
    }

    private PreparedEntry prepare(Map<String, @Nullable Object> fields) {
        dropEmpty(fields, "id", "ts", "ctx_hash");
        checkGiven(fields);
        String type = fields.get("type") instanceof String text ? text : "";
        if (type.equals("tool_failure")) {
            return prepare(Entry.Kind.FAILURE, fields);
        } else if (type.equals("tool_success")) {
            return prepare(Entry.Kind.SUCCESS, fields);
        } else if (isDirective(fields)) {
            return prepare(Entry.Kind.DIRECTIVE, fields);
        } else if (fields.get("content") != null && !type.isEmpty()) {
            return prepare(Entry.Kind.NOTE, fields);
        }
        throw new XMemException.Invalid(
                "type",
                "must be tool_failure or tool_success, or another word beside a content; found \"" + type + "\".");
    }

    private static boolean isDirective(Map<String, @Nullable Object> fields) {
        Object type = fields.get("type");
        boolean tool = "tool_failure".equals(type) || "tool_success".equals(type);
        return !tool && (fields.get("dedupe_key") != null || fields.get("triple") != null);
    }

    private static void dropEmpty(Map<String, @Nullable Object> fields, String... names) {
        for (String name : names) {
            if ("".equals(fields.get(name))) {
                fields.remove(name);
            }
        }
    }

    private static void checkGiven(Map<String, @Nullable Object> fields) {
        Object id = fields.get("id");
        if (id != null && !(id instanceof String text && DailyIdCounter.isId(text))) {
            throw new XMemException.Invalid("id", "must have the form YYYY-MM-DD-NNN; leave it out and one is given.");
        }
        Object ts = fields.get("ts");
        if (ts != null && !(ts instanceof String text && LineCodec.millis(text) >= 0)) {
            throw new XMemException.Invalid(
                    "ts", "must be a time such as 2026-02-14T16:30:00Z; leave it out and the time is now.");
        }
        Object hash = fields.get("ctx_hash");
        boolean slug = hash instanceof String text && text.length() <= ContextHash.MAX_CHARS && isSlug(text);
        if (hash != null && !slug) {
            throw new XMemException.Invalid(
                    "ctx_hash", "must be lower-case words joined by hyphens, such as git-push-no-upstream.");
        }
    }

    /** Words of small letters and digits, joined by hyphens. */
    private static boolean isSlug(String text) {
        boolean between = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean inWord = c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
            if (!inWord && !(c == '-' && between)) {
                return false;
            }
            between = inWord;
        }
        return between;
    }

    private PreparedEntry prepare(Entry.Kind kind, Map<String, @Nullable Object> fields) {
        switch (kind) {
            case FAILURE -> prepareFailure(fields);
            case SUCCESS -> prepareSuccess(fields);
            case NOTE -> prepareNote(fields);
            default -> prepareDirective(fields);
        }
        new FieldSizeCheck(limits).check(fields);
        return new PreparedEntry(kind, fields);
    }

    private void prepareFailure(Map<String, @Nullable Object> fields) {
        DraftValidator checks = new DraftValidator(fields);
        fields.put("type", "tool_failure");
        String tool = checks.required("tool");
        String action = action(fields, tool, checks.textOrJson("action", ""));
        Excerpt excerpt = Excerpt.of(tool, action, checks.present("error"));
        checks.texts("tried_also", "tags");
        checks.optional("pattern_avoid", "session_id", "notes");
        checks.oneOf("block_level", "warning", "critical");
        fields.put("error", excerpt.error());
        fields.remove("evidence");
        if (excerpt.evidence() != null) {
            fields.put("evidence", excerpt.evidence());
        }
        hash(fields, HashInput.of(tool, action).error(excerpt.text(), checks.integer("exit_code")));
    }

    private void prepareSuccess(Map<String, @Nullable Object> fields) {
        DraftValidator checks = new DraftValidator(fields);
        fields.put("type", "tool_success");
        String tool = checks.required("tool");
        String name = checks.required("pattern_name");
        checks.texts("key_steps", "tags", "answers");
        checks.optional("action", "signature", "session_id");
        checks.object("critical_params");
        checks.number("confidence", 0, 1);
        checks.number("usage_count", 0, Long.MAX_VALUE);
        HashInput input = HashInput.of(tool, action(fields, tool, checks.text("action", "")))
                .patternName(name)
                .keySteps(checks.list("key_steps"));
        String signature = fields.get("signature") instanceof String text ? text : null;
        hash(fields, signature == null ? input : input.signature(signature));
    }

    /** The action, redacted once more: some options carry a secret for some tools only. */
    private String action(Map<String, @Nullable Object> fields, String tool, String action) {
        String clean = redaction.cleanAction(tool, action);
        if (fields.get("action") != null) {
            fields.put("action", clean);
        }
        return clean;
    }

    private static void prepareNote(Map<String, @Nullable Object> fields) {
        DraftValidator checks = new DraftValidator(fields);
        checks.required("type");
        checks.present("content");
        checks.texts("tags");
        checks.object("meta");
        fields.remove("id");
    }

    private void prepareDirective(Map<String, @Nullable Object> fields) {
        DraftValidator checks = new DraftValidator(fields);
        checks.optional("canonical", "source", "scope", "kind");
        checks.texts("tags");
        fields.remove("strength");
        DirectiveDraft.complete(fields, triple(fields.get("triple")));
    }

    private Directive.Triple triple(@Nullable Object given) {
        if (given instanceof Directive.Triple triple) {
            return triple;
        }
        try {
            Map<String, Object> parts =
                    given instanceof RawJson raw && raw.text().startsWith("{")
                            ? codec.fields(raw.text().getBytes(StandardCharsets.UTF_8))
                            : Map.of();
            if (parts.get("subject") instanceof String subject
                    && parts.get("predicate") instanceof String predicate
                    && parts.get("object") instanceof String object) {
                return new Directive.Triple(subject, predicate, object);
            }
        } catch (MalformedLineException e) {
            // told below, with the same words
        }
        throw new XMemException.Invalid("triple", "must be an object with the texts subject, predicate and object.");
    }

    private void hash(Map<String, @Nullable Object> fields, HashInput input) {
        ContextHash hash = hasher.hash(input);
        fields.putIfAbsent("ctx_hash", hash.value());
        fields.remove("subject");
        if (!hash.subject().isEmpty()) {
            fields.put("subject", hash.subject());
        }
    }
}

package dev.xmem.core.write;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Limits;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.core.answer.directive.DirectiveDraft;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.text.hash.Excerpt;
import dev.xmem.core.text.redact.Redaction;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns drafts into entries that can be stored: redacts every text, checks types and limits, cuts the error to its
 * salient lines, and hashes. Stateless and thread-safe; no file is touched.
 */
final class DraftProcessor {
    private final DraftRedactor redactor;
    private final ContextHasher hasher;
    private final Limits limits;

    DraftProcessor(Redaction redaction, StoreConfig config) {
        this.redactor = new DraftRedactor(redaction, config);
        this.hasher = config.hasher();
        this.limits = config.limits();
    }

    PreparedEntry prepare(EntryDraft draft) {
        Map<String, @Nullable Object> fields = redactor.fields(draft);
        if (!(draft instanceof JsonDraft json)) {
            return prepare(kind(draft), fields, null);
        }
        new DraftValidator(fields).given();
        return prepare(kind(fields), fields, json.json().strip());
    }

    private static Entry.Kind kind(EntryDraft draft) {
        if (draft instanceof Failure.Draft) {
            return Entry.Kind.FAILURE;
        } else if (draft instanceof Success.Draft) {
            return Entry.Kind.SUCCESS;
        }
        return draft instanceof Note.Draft ? Entry.Kind.NOTE : Entry.Kind.DIRECTIVE;
    }

    private static Entry.Kind kind(Map<String, @Nullable Object> fields) {
        String type = fields.get("type") instanceof String text ? text : "";
        if (type.equals("tool_failure")) {
            return Entry.Kind.FAILURE;
        } else if (type.equals("tool_success")) {
            return Entry.Kind.SUCCESS;
        } else if (DraftRedactor.isDirective(fields)) {
            return Entry.Kind.DIRECTIVE;
        } else if (fields.get("content") != null && !type.isEmpty()) {
            return Entry.Kind.NOTE;
        }
        if (!type.isEmpty()) {
            throw new XMemException.Invalid(
                    "content",
                    "is missing: every type but tool_failure and tool_success needs one, also \"" + type + "\".");
        }
        throw new XMemException.Invalid(
                "type",
                "must be tool_failure or tool_success, or another word beside a content; found "
                        + (fields.get("type") == null ? "none." : "no text."));
    }

    private PreparedEntry prepare(Entry.Kind kind, Map<String, @Nullable Object> fields, @Nullable String line) {
        DraftValidator checks = new DraftValidator(fields);
        switch (kind) {
            case FAILURE -> prepareFailure(fields, checks);
            case SUCCESS -> prepareSuccess(fields, checks);
            case NOTE -> prepareNote(fields, checks);
            default -> prepareDirective(fields, checks);
        }
        checks.sizes(limits);
        return new PreparedEntry(kind, fields, line, Schema.of(kind));
    }

    private void prepareFailure(Map<String, @Nullable Object> fields, DraftValidator checks) {
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
        HashInput input = HashInput.of(tool, action).error(excerpt.text(), checks.integer("exit_code"));
        hash(fields, excerpt.hash(hasher, input));
    }

    private void prepareSuccess(Map<String, @Nullable Object> fields, DraftValidator checks) {
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
        hash(fields, hasher.hash(signature == null ? input : input.signature(signature)));
    }

    private String action(Map<String, @Nullable Object> fields, String tool, String action) {
        String clean = redactor.action(tool, action);
        if (fields.get("action") != null) {
            fields.put("action", clean);
        }
        return clean;
    }

    private static void hash(Map<String, @Nullable Object> fields, ContextHash hash) {
        fields.putIfAbsent("ctx_hash", hash.value());
        fields.remove("subject");
        if (!hash.subject().isEmpty()) {
            fields.put("subject", hash.subject());
        }
    }

    private static void prepareNote(Map<String, @Nullable Object> fields, DraftValidator checks) {
        checks.required("type");
        checks.present("content");
        checks.texts("tags");
        checks.object("meta");
        fields.remove("id");
    }

    private void prepareDirective(Map<String, @Nullable Object> fields, DraftValidator checks) {
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
                            ? LineCodec.fields(raw.text().getBytes(StandardCharsets.UTF_8))
                            : Map.of();
            if (parts.get("subject") instanceof String subject
                    && parts.get("predicate") instanceof String predicate
                    && parts.get("object") instanceof String object) {
                return new Directive.Triple(subject, predicate, object);
            }
        } catch (MalformedLineException e) {
            // reported below
        }
        throw new XMemException.Invalid("triple", "must be an object with the texts subject, predicate and object.");
    }

    /**
     * Prepares an outcome or an amendment.
     *
     * @param values the fields of its line except type and target
     */
    PreparedEntry event(Schema schema, Entry target, Map<String, Object> values) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("type", schema.type());
        fields.put("target", target.id());
        values.forEach((name, value) ->
                fields.put(name, redactor.clean(name, value instanceof Set<?> set ? sorted(set) : value)));
        if (StoredEntries.isPrivate(target.tags())) {
            fields.put("tags", List.of(Entry.PRIVATE));
        }
        if (target instanceof Directive directive && directive.scope() == Directive.Scope.GLOBAL) {
            fields.put("scope", "global");
        }
        new DraftValidator(fields).sizes(limits);
        for (String tags : List.of("add", "remove")) {
            Object given = fields.get(tags);
            DraftValidator checks = new DraftValidator(given == null ? Map.of() : Map.of("tags", given));
            checks.sizes(limits);
            if (tags.equals("add")) {
                checks.texts("tags");
            }
        }
        return new PreparedEntry(target.kind(), fields, null, schema);
    }

    private static List<String> sorted(Set<?> texts) {
        return texts.stream().map(String.class::cast).sorted().toList();
    }
}

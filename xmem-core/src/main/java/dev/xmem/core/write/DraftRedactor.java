package dev.xmem.core.write;

import dev.xmem.Directive;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Limits;
import dev.xmem.XMemException;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.text.redact.Redaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a draft and replaces every secret in them, or refuses the draft. Thread-safe. */
final class DraftRedactor {
    private static final int SHORT_CHARS = 40;
    private static final int REMEMBERED = 256;
    /** For the fields of a line without growing. */
    private static final int ROOM = 32;
    /** How much longer a line may be before its error is cut to what is stored of it. */
    private static final int FACTOR_BEFORE_CUTS = 4;

    private final Redaction redaction;
    private final boolean rejectSecrets;
    private final Limits limits;
    /** Whether the rules alone decide what a text becomes, so that the answer for a text may be remembered. */
    private final boolean fixed;
    /** Short texts without a secret, by their hash: the names of tools, tags and sessions come again and again. */
    private final @Nullable String[] clean = new @Nullable String[REMEMBERED];

    DraftRedactor(Redaction redaction, StoreConfig config) {
        this.redaction = redaction;
        this.rejectSecrets = config.rejectSecrets();
        this.limits = config.limits();
        this.fixed = config.redactor() == null;
    }

    /** Returns the redacted fields of a draft. A directive with a secret is always refused. */
    Map<String, @Nullable Object> fields(EntryDraft draft) {
        if (draft instanceof JsonDraft json) {
            Map<String, @Nullable Object> fields = parsed(json, redaction::clean);
            if (rejectSecrets || isDirective(fields)) {
                parsed(json, this::refuseSecret);
            }
            if (isDirective(fields)) {
                parsed(json, (name, text) -> refuseSpokenSecret(text));
            }
            return fields;
        }
        if (rejectSecrets || draft instanceof Directive.Draft) {
            draft.fields().values().forEach(this::refuseSecrets);
        }
        if (draft instanceof Directive.Draft && draft.fields().get("triple") instanceof Directive.Triple triple) {
            refuseSpokenSecret(String.valueOf(draft.fields().get("canonical")));
            refuseSpokenSecret(triple.subject() + " " + triple.predicate() + " " + triple.object());
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(ROOM);
        draft.fields().forEach((name, value) -> fields.put(name, clean(name, value)));
        return fields;
    }

    static boolean isDirective(Map<String, @Nullable Object> fields) {
        Object type = fields.get("type");
        boolean tool = "tool_failure".equals(type) || "tool_success".equals(type);
        return !tool && (fields.get("dedupe_key") != null || fields.get("triple") != null);
    }

    /** Returns the redacted value of a field. */
    Object clean(String name, Object value) {
        if (name.equals("critical_params") || name.equals("meta")) {
            return object(name, (String) value);
        } else if (value instanceof String text) {
            return clean(text);
        } else if (value instanceof List<?> items) {
            List<String> texts = new ArrayList<>(items.size());
            for (Object item : items) {
                texts.add(clean((String) item));
            }
            return texts;
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

    private String clean(String text) {
        if (!fixed || text.length() > SHORT_CHARS) {
            return redaction.clean(text);
        }
        int place = text.hashCode() & REMEMBERED - 1;
        if (!text.equals(clean[place])) {
            String redacted = redaction.clean(text);
            if (!redacted.equals(text)) {
                return redacted;
            }
            clean[place] = text;
        }
        return text;
    }

    /** Redacts a clean action once more: some options carry a secret for some tools only. */
    String action(String tool, String action) {
        return redaction.cleanAction(tool, action);
    }

    /** Throws at the first secret in a value. The exception names the rule, never the secret. */
    private void refuseSecrets(Object value) {
        if (value instanceof String text) {
            refuse(redaction.firstSecret(text));
        } else if (value instanceof List<?> items) {
            items.forEach(this::refuseSecrets);
        } else if (value instanceof Directive.Triple triple) {
            refuseSecrets(List.of(triple.subject(), triple.predicate(), triple.object()));
        }
    }

    private String refuseSecret(String name, String text) {
        refuse(redaction.firstSecret(name, text));
        return text;
    }

    private String refuseSpokenSecret(String sentence) {
        refuse(redaction.firstSpokenSecret(sentence));
        return sentence;
    }

    private static void refuse(@Nullable String rule) {
        if (rule != null) {
            throw new XMemException.Secret(rule);
        }
    }

    private Map<String, @Nullable Object> parsed(JsonDraft draft, BinaryOperator<String> text) {
        long most = (long) FACTOR_BEFORE_CUTS * limits.lineBytes();
        if (draft.json().length() > most) {
            throw new XMemException.Limit(
                    "the length of the line in characters", draft.json().length(), most);
        }
        try {
            return new LinkedHashMap<>(LineCodec.parse(draft.json(), nesting(), text));
        } catch (MalformedLineException e) {
            checkDepth("the nesting of the line", e);
            throw new XMemException.Invalid("", "The line " + e.getMessage() + ". Give one JSON object.");
        }
    }

    private RawJson object(String name, String json) {
        try {
            return LineCodec.object(json, nesting(), redaction::clean);
        } catch (MalformedLineException e) {
            checkDepth("the nesting of " + name, e);
            throw new XMemException.Invalid(name, e.getMessage() + ". Give the text of one JSON object.");
        }
    }

    private void checkDepth(String what, MalformedLineException e) {
        if (e.depth() > 0) {
            throw new XMemException.Limit(what, e.depth(), nesting());
        }
    }

    /** The deepest nesting that is stored: a limit of the caller does not lift the one of reading. */
    private int nesting() {
        return Math.min(limits.nesting(), LineCodec.READ_NESTING);
    }
}

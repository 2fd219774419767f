package dev.xmem.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Success;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entry as the page shows it: its own fields, and what votes and amendments made of it. Immutable. */
final class EntryFields {
    static final int LINE = 300;
    static final int LONG = 4_000;

    final Entry entry;
    final Map<String, Object> fields;

    EntryFields(Entry entry) {
        this.entry = entry;
        Map<String, Object> read;
        try {
            read = Json.read(entry.json());
        } catch (IOException e) {
            read = Map.of();
        }
        fields = read;
    }

    boolean isPinned() {
        return Boolean.TRUE.equals(fields.get("pinned"));
    }

    boolean isHidden() {
        return fields.containsKey("dismissed") || isReplaced();
    }

    boolean isReplaced() {
        return fields.containsKey("superseded_by");
    }

    /** Whether the entry must not leave its store. */
    boolean isPrivate() {
        return entry.tags().stream().anyMatch(Entry.PRIVATE::equalsIgnoreCase);
    }

    /** The exit code of the call; null if it is not known. */
    @Nullable Integer exitCode() {
        return fields.get("exit_code") instanceof Number number ? (Integer) number.intValue() : null;
    }

    /** The sessions that voted {@code worked}, {@code failed} or {@code irrelevant}. */
    int votes(String outcome) {
        return fields.get("outcomes") instanceof Map<?, ?> votes && votes.get(outcome) instanceof Number number
                ? number.intValue()
                : 0;
    }

    /** How many lines a merged line stands for. */
    int occurrences() {
        return fields.get("occurrences") instanceof Number number && number.intValue() > 0 ? number.intValue() : 1;
    }

    /** The further advice of a merged line. */
    List<String> furtherAdvice() {
        return fields.get("further_advice") instanceof List<?> texts
                ? texts.stream().map(String::valueOf).toList()
                : List.of();
    }

    private String text(String name) {
        return fields.get(name) instanceof String text ? text : "";
    }

    /** The output that the context hash was made of. */
    String evidence() {
        return text("evidence").isEmpty() ? text("error") : text("evidence");
    }

    private String title() {
        if (entry instanceof Failure failure) {
            return failure.tool() + ' ' + failure.action();
        } else if (entry instanceof Success success) {
            return success.patternName();
        } else if (entry instanceof Directive directive) {
            return directive.canonical();
        } else if (entry instanceof Note note) {
            return note.content();
        }
        return entry.id();
    }

    private String detail() {
        if (entry instanceof Failure failure) {
            return failure.error();
        } else if (entry instanceof Success success) {
            return String.join(" ⏎ ", success.keySteps());
        } else if (entry instanceof Directive directive) {
            return directive.confirmation();
        }
        return "";
    }

    /** Writes what a row of a list shows. */
    void row(JsonGenerator out) throws IOException {
        out.writeStringField("id", Json.shown(entry.id(), 200));
        out.writeStringField("kind", entry.kind().name().toLowerCase(Locale.ROOT));
        Json.time(out, "ts", entry.ts());
        Json.text(out, "title", title(), LINE);
        Json.text(out, "detail", detail(), LINE);
        Json.texts(
                out, "tags", entry.tags().subList(0, Math.min(20, entry.tags().size())), 100);
        out.writeBooleanField("pinned", isPinned());
        for (String name : List.of("dismissed", "superseded_by", "session_id")) {
            Json.text(out, name, fields.containsKey(name) ? String.valueOf(fields.get(name)) : null, LINE);
        }
        Json.object(out, "votes", o -> {
            for (String outcome : List.of("worked", "failed", "irrelevant")) {
                o.writeNumberField(outcome, votes(outcome));
            }
        });
        if (entry instanceof Failure failure) {
            Json.text(out, "tool", failure.tool(), 100);
            Json.text(out, "family", failure.ctxHash(), 200);
            Json.text(out, "lesson", failure.patternAvoid(), LONG);
            out.writeNumberField("occurrences", occurrences());
        } else if (entry instanceof Success success) {
            Json.text(out, "tool", success.tool(), 100);
            Json.text(out, "family", success.ctxHash(), 200);
            out.writeNumberField("confidence", success.confidence());
            out.writeNumberField("uses", success.usageCount());
            List<String> answers = success.answers();
            Json.texts(out, "answers", answers.subList(0, Math.min(10, answers.size())), 200);
            out.writeBooleanField("mined", entry.tags().contains("retry"));
        } else if (entry instanceof Directive directive) {
            out.writeStringField("scope", directive.scope().name().toLowerCase(Locale.ROOT));
            out.writeNumberField("strength", directive.strength());
        } else if (entry instanceof Note note) {
            Json.text(out, "type", note.type(), 100);
        }
    }

    /** Writes all fields of the line, each as text. */
    void all(JsonGenerator out) throws IOException {
        row(out);
        Json.object(out, "fields", o -> {
            for (Map.Entry<String, Object> field : fields.entrySet()) {
                Json.text(o, Json.shown(field.getKey(), 100), text(field.getValue()), LONG);
            }
        });
    }

    private static String text(Object value) {
        return value instanceof List<?> items
                ? String.join("\n", items.stream().map(String::valueOf).toList())
                : String.valueOf(value);
    }
}

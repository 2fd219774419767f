package dev.xmem.core.agent.command;

import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.render.TextSanitizer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The seed's questions about a failure or a success, and the answers: as a filled form or as {@code key=value}. */
final class RecordCommand {
    private static final Map<String, String> FAILURE = questions(
            "tool", "Tool name",
            "command", "Command",
            "error", "Error message",
            "avoid", "Pattern to avoid",
            "tags", "Tags (comma-separated)",
            "notes", "Additional notes");
    private static final Map<String, String> SUCCESS = questions(
            "tool", "Tool name",
            "name", "Pattern name",
            "steps", "Key steps (numbered list)",
            "params", "Critical parameters",
            "tags", "Tags (comma-separated)");
    private static final Map<String, String> ALIASES = Map.of(
            "action",
            "command",
            "pattern_avoid",
            "avoid",
            "pattern_name",
            "name",
            "pattern",
            "name",
            "key_steps",
            "steps",
            "critical_params",
            "params",
            "error_message",
            "error");
    private static final Set<String> MORE_OF_FAILURE = Set.of("tried_also", "block_level");
    private static final Set<String> MORE_OF_SUCCESS = Set.of("signature", "operation", "confidence");

    private final boolean failure;
    private final Map<String, String> questions;
    private final Map<String, String> values;

    private RecordCommand(boolean failure, String filled) {
        this.failure = failure;
        this.questions = failure ? FAILURE : SUCCESS;
        this.values = read(filled);
    }

    static RecordCommand failure(String filled) {
        return new RecordCommand(true, filled);
    }

    static RecordCommand success(String filled) {
        return new RecordCommand(false, filled);
    }

    /** The empty form; questions that were answered already keep their answers. */
    static String failureForm(Map<String, String> known) {
        return form("failure", FAILURE, known);
    }

    private static Map<String, String> questions(String... keysAndLabels) {
        Map<String, String> questions = new LinkedHashMap<>();
        for (int i = 0; i < keysAndLabels.length; i += 2) {
            questions.put(keysAndLabels[i], keysAndLabels[i + 1]);
        }
        return questions;
    }

    private static String form(String kind, Map<String, String> questions, Map<String, String> known) {
        StringBuilder form = new StringBuilder("/xmem:record " + kind);
        questions.forEach((key, label) -> {
            String answer = known.getOrDefault(key, "");
            form.append('\n')
                    .append(label)
                    .append(':')
                    .append(answer.isEmpty() ? "" : " " + TextSanitizer.line(answer, 400));
        });
        return form.toString();
    }

    CommandResult answer(XMemStore store, String session) {
        String kind = failure ? "failure" : "success";
        if (values.isEmpty()) {
            return CommandResult.ok(form(kind, questions, values));
        }
        Entry entry = store.recordAll(List.of(draft(session))).get(0);
        store.flush();
        String hash = entry instanceof Failure stored ? stored.ctxHash() : ((Success) entry).ctxHash();
        return CommandResult.ok("✅ Recorded " + kind + " " + entry.id()
                + "\nContext hash: " + hash
                + "\nEntry added to: data/" + (failure ? "failures.jsonl" : "successes.jsonl")
                + "\nIndex updated: data/index.json");
    }

    private EntryDraft draft(String session) {
        return failure ? failureDraft(session) : successDraft(session);
    }

    private EntryDraft failureDraft(String session) {
        Failure.Draft draft = Failure.of(required("tool"), value("command"), required("error"))
                .sessionId(session);
        draft = has("avoid") ? draft.patternAvoid(value("avoid")) : draft;
        draft = has("notes") ? draft.notes(value("notes")) : draft;
        draft = has("tried_also") ? draft.triedAlso(items("tried_also", ";")) : draft;
        draft = has("block_level") ? draft.blockLevel(blockLevel()) : draft;
        return draft.tags(items("tags", ","));
    }

    private EntryDraft successDraft(String session) {
        Success.Draft draft = Success.of(required("tool"), required("name")).sessionId(session);
        draft = has("steps") ? draft.keySteps(steps()) : draft;
        draft = has("params") ? draft.criticalParams(params(value("params"))) : draft;
        draft = has("operation") ? draft.action(value("operation")) : draft;
        draft = has("signature") ? draft.signature(value("signature")) : draft;
        draft = has("confidence") ? draft.confidence(confidence()) : draft;
        return draft.tags(items("tags", ","));
    }

    private Failure.BlockLevel blockLevel() {
        return switch (value("block_level").toLowerCase(Locale.ROOT)) {
            case "warning" -> Failure.BlockLevel.WARNING;
            case "critical" -> Failure.BlockLevel.CRITICAL;
            default -> throw new XMemException.Invalid("block_level", "must be warning or critical.");
        };
    }

    private double confidence() {
        try {
            double confidence = Double.parseDouble(value("confidence"));
            if (confidence >= 0 && confidence <= 1) {
                return confidence;
            }
        } catch (NumberFormatException e) {
            // told below, with the same words
        }
        throw new XMemException.Invalid("confidence", "must be a number from 0.0 to 1.0.");
    }

    private boolean has(String key) {
        return !value(key).isEmpty();
    }

    private String value(String key) {
        return values.getOrDefault(key, "");
    }

    private String required(String key) {
        String value = value(key);
        if (value.isBlank()) {
            throw new XMemException.Invalid(questions.getOrDefault(key, key), "is missing.");
        }
        return value;
    }

    private String[] items(String key, String separator) {
        return Arrays.stream(value(key).split(separator))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toArray(String[]::new);
    }

    /** One step a line, or separated by semicolons; numbers and bullets in front go. */
    private String[] steps() {
        return Arrays.stream(value("steps").split("[\\n;]"))
                .map(step -> step.strip().replaceFirst("^(?:\\d{1,3}[.)]|[-*])\\s+", ""))
                .filter(step -> !step.isEmpty())
                .toArray(String[]::new);
    }

    /** A JSON object as it stands, or {@code name: value} pairs separated by commas or lines. */
    private static String params(String text) {
        if (text.startsWith("{")) {
            return text;
        }
        StringBuilder object = new StringBuilder("{");
        for (String pair : text.split("[\\n,]")) {
            String[] parts = pair.strip().split("\\s*[:=]\\s*", 2);
            if (parts[0].isEmpty()) {
                continue;
            }
            object.append(object.length() > 1 ? "," : "")
                    .append(TextSanitizer.json(parts[0]))
                    .append(':')
                    .append(TextSanitizer.json(parts.length > 1 ? parts[1] : ""));
        }
        return object.append('}').toString();
    }

    private Map<String, String> read(String filled) {
        if (filled.isBlank()) {
            return Map.of();
        }
        Map<String, String> form = readForm(filled);
        Map<String, String> given = form.isEmpty() ? ArgumentParser.of(filled) : form;
        Map<String, String> named = new LinkedHashMap<>();
        given.forEach((key, value) -> named.put(ALIASES.getOrDefault(key, key), value.strip()));
        for (String key : named.keySet()) {
            if (!questions.containsKey(key) && !(failure ? MORE_OF_FAILURE : MORE_OF_SUCCESS).contains(key)) {
                throw new XMemException.Syntax(
                        "unknown key " + key + "; known are " + String.join(", ", questions.keySet()), 0);
            }
        }
        return named;
    }

    /**
     * Lines that begin with a question, the first of them at the top; what follows without one, or with one that was
     * answered before, belongs to the last.
     */
    private Map<String, String> readForm(String filled) {
        Map<String, String> answers = new LinkedHashMap<>();
        String current = "";
        for (String line : filled.split("\\R", -1)) {
            String key = question(line);
            if (!key.isEmpty() && !answers.containsKey(key)) {
                current = key;
                answers.put(key, line.substring(line.indexOf(':') + 1).strip());
            } else if (!current.isEmpty()) {
                answers.merge(current, line, (before, more) -> before + "\n" + more);
            } else if (!line.isBlank()) {
                return answers;
            }
        }
        return answers;
    }

    private String question(String line) {
        int colon = line.indexOf(':');
        String label = colon < 0 ? "" : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
        for (Map.Entry<String, String> question : questions.entrySet()) {
            String full = question.getValue().toLowerCase(Locale.ROOT);
            String shortened = full.replaceFirst("\\s*\\(.*", "");
            if (!label.isEmpty() && (label.equals(full) || label.equals(shortened))) {
                return question.getKey();
            }
        }
        return "";
    }
}

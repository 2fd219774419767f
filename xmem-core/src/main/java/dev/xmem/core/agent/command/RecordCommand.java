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
import java.util.stream.Collectors;

/**
 * {@code /xmem:record}: the form for a failure or a success in the X-MEM protocol, and the answers to it, as a filled
 * form or as {@code key=value} arguments.
 */
final class RecordCommand {
    static final Form FAILURE = new Form(
            "failure",
            Set.of("tried_also", "block_level"),
            List.of(
                    new Question("tool", "Tool name", "tool"),
                    new Question("command", "Command", "command|action"),
                    new Question("error", "Error message", "error|error_message"),
                    new Question("avoid", "Pattern to avoid", "avoid|pattern_avoid"),
                    new Question("tags", "Tags (comma-separated)", "tags"),
                    new Question("notes", "Additional notes", "notes")));
    static final Form SUCCESS = new Form(
            "success",
            Set.of("signature", "operation", "confidence"),
            List.of(
                    new Question("tool", "Tool name", "tool"),
                    new Question("name", "Pattern name", "name|pattern|pattern_name"),
                    new Question("steps", "Key steps (numbered list)", "steps|key_steps"),
                    new Question("params", "Critical parameters", "params|critical_params"),
                    new Question("tags", "Tags (comma-separated)", "tags")));

    private final Form form;
    private final Map<String, String> values;

    /** A question of a form: its key, its label, and a regular expression of all keys that answer it. */
    record Question(String key, String label, String keys) {
        /** Whether a line begins with this question; the remark in parentheses may be missing. */
        boolean isAskedIn(String line) {
            int colon = line.indexOf(':');
            String given = colon < 0 ? "" : line.substring(0, colon).strip();
            return given.equalsIgnoreCase(label) || given.equalsIgnoreCase(label.replaceFirst("\\s*\\(.*", ""));
        }
    }

    /** The questions for a kind of entry, and the keys that are accepted without a question. */
    record Form(String kind, Set<String> optional, List<Question> questions) {
        /** The form as text, filled with the known answers. */
        String text(Map<String, String> known) {
            StringBuilder form = new StringBuilder("/xmem:record " + kind);
            for (Question question : questions) {
                String answer = known.getOrDefault(question.key, "");
                form.append('\n').append(question.label).append(answer.isEmpty() ? ":" : ": ");
                form.append(TextSanitizer.line(answer, 400));
            }
            return form.toString();
        }

        String canonicalKey(String key) {
            for (Question question : questions) {
                if (key.matches(question.keys)) {
                    return question.key;
                }
            }
            if (!optional.contains(key)) {
                String known = questions.stream().map(Question::key).collect(Collectors.joining(", "));
                throw new XMemException.Syntax("unknown key " + key + "; known are " + known, 0);
            }
            return key;
        }
    }

    RecordCommand(Form form, String arguments) {
        this.form = form;
        this.values = parse(arguments);
    }

    /** Shows the form if there are no answers, else records the entry. */
    CommandResult execute(XMemStore store, String session) {
        if (values.isEmpty()) {
            return CommandResult.ok(form.text(values));
        }
        EntryDraft draft = form.equals(FAILURE) ? failureDraft(session) : successDraft(session);
        Entry entry = store.recordAll(List.of(draft)).get(0);
        store.flush();
        String hash = entry instanceof Failure stored ? stored.ctxHash() : ((Success) entry).ctxHash();
        return CommandResult.ok("✅ Recorded " + form.kind + " " + entry.id()
                + "\nContext hash: " + hash
                + "\nEntry added to: data/" + (form.equals(FAILURE) ? "failures.jsonl" : "successes.jsonl")
                + "\nIndex updated: data/index.json");
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
            // reported below
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
        if (value(key).isBlank()) {
            String label = form.questions.stream()
                    .filter(question -> question.key.equals(key))
                    .map(Question::label)
                    .findFirst()
                    .orElse(key);
            throw new XMemException.Invalid(label, "is missing.");
        }
        return value(key);
    }

    private String[] items(String key, String separator) {
        return Arrays.stream(value(key).split(separator))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toArray(String[]::new);
    }

    /** The steps, separated by newlines or semicolons, without leading numbers and bullets. */
    private String[] steps() {
        return Arrays.stream(items("steps", "[\\n;]"))
                .map(step -> step.replaceFirst("^(?:\\d{1,3}[.)]|[-*])\\s+", ""))
                .filter(step -> !step.isEmpty())
                .toArray(String[]::new);
    }

    /** The parameters as a JSON object; {@code name: value} pairs, separated by commas or newlines, are converted. */
    private static String params(String text) {
        if (text.startsWith("{")) {
            return text;
        }
        return Arrays.stream(text.split("[\\n,]"))
                .map(pair -> pair.strip().split("\\s*[:=]\\s*", 2))
                .filter(pair -> !pair[0].isEmpty())
                .map(pair -> TextSanitizer.json(pair[0]) + ':' + TextSanitizer.json(pair.length > 1 ? pair[1] : ""))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private Map<String, String> parse(String arguments) {
        Map<String, String> answers = parseForm(arguments);
        Map<String, String> given = answers.isEmpty() ? ArgumentParser.of(arguments) : answers;
        Map<String, String> canonical = new LinkedHashMap<>();
        given.forEach((key, value) -> canonical.put(form.canonicalKey(key), value.strip()));
        return canonical;
    }

    /**
     * Parses a filled form: lines that begin with a question, the first of them at the top. A line without a question,
     * or with one that was answered before, continues the last answer.
     */
    private Map<String, String> parseForm(String filled) {
        Map<String, String> answers = new LinkedHashMap<>();
        String current = "";
        for (String line : filled.split("\\R", -1)) {
            String key = form.questions.stream()
                    .filter(question -> question.isAskedIn(line))
                    .map(Question::key)
                    .findFirst()
                    .orElse("");
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
}

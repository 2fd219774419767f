package dev.xmem.core.agent.command;

import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.config.LogName;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code /xmem:record}: the form for a failure or a success in the X-MEM protocol, and the answers to it, as a filled
 * form or as {@code key=value} arguments.
 */
final class RecordCommand {
    static final Form FAILURE = new Form(
            "failure",
            List.of("tried_also", "block_level"),
            List.of(
                    new Question("tool", "Tool name", "tool", Need.REQUIRED),
                    new Question("command", "Command", "command|action", Need.ASKED),
                    new Question("error", "Error message", "error|error_message", Need.REQUIRED),
                    new Question("avoid", "Pattern to avoid", "avoid|pattern_avoid", Need.ASKED),
                    new Question("tags", "Tags (comma-separated)", "tags", Need.OPTIONAL),
                    new Question("notes", "Additional notes", "notes", Need.OPTIONAL)));
    static final Form SUCCESS = new Form(
            "success",
            List.of("signature", "operation", "confidence", "answers"),
            List.of(
                    new Question("tool", "Tool name", "tool", Need.REQUIRED),
                    new Question("name", "Pattern name", "name|pattern|pattern_name", Need.REQUIRED),
                    new Question("steps", "Key steps (numbered list)", "steps|key_steps", Need.ASKED),
                    new Question("params", "Critical parameters", "params|critical_params", Need.OPTIONAL),
                    new Question("tags", "Tags (comma-separated)", "tags", Need.OPTIONAL)));

    static final String USAGE = "Usage: /xmem:record failure | success, alone for the form, or with the filled form, or"
            + " with key=\"value\" words."
            + "\nKeys of a failure: " + FAILURE.keys() + ". Keys of a success: " + SUCCESS.keys() + ".";

    private static final String NONE = "-";
    private static final String CANCEL = "cancel";

    private final Form form;
    private final BooleanSupplier isLarge;
    private final Map<String, String> values;

    /** What happens if a question of an otherwise incomplete form has no answer. */
    private enum Need {
        /** The entry cannot be recorded; the session is asked. */
        REQUIRED,
        /** The session is asked, and may answer that there is none. */
        ASKED,
        OPTIONAL
    }

    /** A question of a form: its key, its label, and a regular expression of all keys that answer it. */
    private record Question(String key, String label, String keys, Need need) {
        /** Whether a line begins with this question; the remark in parentheses may be missing. */
        boolean isAskedIn(String line) {
            int colon = line.indexOf(':');
            String given = colon < 0 ? "" : line.substring(0, colon).strip();
            return given.equalsIgnoreCase(label) || given.equalsIgnoreCase(label.replaceFirst("\\s*\\(.*", ""));
        }
    }

    /** The questions for a kind of entry, and the keys that are accepted without a question. */
    record Form(String kind, List<String> optional, List<Question> questions) {
        /** All keys, each with its other names. */
        String keys() {
            return Stream.concat(
                            questions.stream()
                                    .map(question -> question.keys
                                                    .replaceFirst("\\|", " (or ")
                                                    .replace("|", ", ")
                                            + (question.keys.contains("|") ? ")" : "")),
                            optional.stream())
                    .collect(Collectors.joining(", "));
        }

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
                throw new XMemException.Syntax("unknown key " + key + "; known are " + keys(), 0);
            }
            return key;
        }
    }

    RecordCommand(Form form, String arguments, BooleanSupplier isLarge) {
        this.form = form;
        this.isLarge = isLarge;
        this.values = parse(arguments);
    }

    /** Shows the form if there are no answers, asks for missing ones, else records the entry. */
    CommandResult execute(XMemStore store, String session, OpenQuestions questions) {
        if (values.isEmpty()) {
            return CommandResult.ok(form.text(values));
        }
        List<String> missing = form.questions.stream()
                .filter(question ->
                        question.need == Need.REQUIRED && value(question.key).isBlank())
                .map(Question::label)
                .toList();
        if (missing.isEmpty()) {
            return record(store, session);
        }
        return CommandResult.refused(String.join(" and ", missing) + (missing.size() == 1 ? " is" : " are")
                + " missing.\n" + USAGE + "\n" + ask(store, session, questions));
    }

    /** Opens the next question, or records the entry if there is none. */
    private CommandResult next(XMemStore store, String session, OpenQuestions questions) {
        return openQuestion() == null ? record(store, session) : CommandResult.ok(ask(store, session, questions));
    }

    private String ask(XMemStore store, String session, OpenQuestions questions) {
        Question question = Objects.requireNonNull(openQuestion());
        questions.ask(session, text -> {
            if (text.equalsIgnoreCase(CANCEL)) {
                return CommandResult.ok("Nothing was recorded.");
            }
            values.put(question.key, text.equals(NONE) && question.need != Need.REQUIRED ? "" : text);
            return next(store, session, questions);
        });
        String none = question.need == Need.REQUIRED ? "" : "\"" + NONE + "\" for none, ";
        return question.label + "? (" + none + "\"" + CANCEL + "\" to record nothing)";
    }

    /** The first question without an answer that is to be asked; null if there is none. */
    private @Nullable Question openQuestion() {
        for (Question question : form.questions) {
            if (question.need == Need.REQUIRED && value(question.key).isBlank()
                    || question.need == Need.ASKED && !values.containsKey(question.key)) {
                return question;
            }
        }
        return null;
    }

    private CommandResult record(XMemStore store, String session) {
        EntryDraft draft = form.equals(FAILURE) ? failureDraft(session) : successDraft(session);
        Entry entry = store.recordAll(List.of(draft)).get(0);
        String index = "Index updated: data/index.json";
        try {
            store.flush();
            index = isLarge.getAsBoolean() ? "Index not yet updated: that of a large store is written later" : index;
        } catch (XMemException.Busy e) {
            index = "Index not yet updated: another process holds its lock";
        }
        String hash = entry instanceof Failure stored ? stored.ctxHash() : ((Success) entry).ctxHash();
        String text = "✅ Recorded " + form.kind + " " + entry.id()
                + "\nContext hash: " + hash
                + "\nEntry added to: data/" + LogName.of(entry.kind()).fileName()
                + "\n" + index;
        return new CommandResult(true, text, entry.id());
    }

    private EntryDraft failureDraft(String session) {
        Failure.Draft draft =
                Failure.of(value("tool"), value("command"), value("error")).sessionId(session);
        draft = has("avoid") ? draft.patternAvoid(value("avoid")) : draft;
        draft = has("notes") ? draft.notes(value("notes")) : draft;
        draft = has("tried_also") ? draft.triedAlso(items("tried_also", ";")) : draft;
        draft = has("block_level") ? draft.blockLevel(blockLevel()) : draft;
        return draft.tags(items("tags", ","));
    }

    private EntryDraft successDraft(String session) {
        Success.Draft draft = Success.of(value("tool"), value("name")).sessionId(session);
        draft = has("steps") ? draft.keySteps(steps()) : draft;
        draft = has("params") ? draft.criticalParams(params(value("params"))) : draft;
        draft = has("operation") ? draft.action(value("operation")) : draft;
        draft = has("signature") ? draft.signature(value("signature")) : draft;
        draft = has("confidence") ? draft.confidence(confidence()) : draft;
        draft = has("answers") ? draft.answers(items("answers", ",")) : draft;
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

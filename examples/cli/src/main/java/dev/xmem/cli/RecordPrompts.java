package dev.xmem.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Asks for the fields of a failure or a success, one after another, at a terminal. */
final class RecordPrompts {
    private static final List<Prompt> FAILURE = List.of(
            Prompt.required("tool", "Tool name"),
            Prompt.line("command", "Command"),
            Prompt.required("error", "Error message").lines(),
            Prompt.line("avoid", "Pattern to avoid"),
            Prompt.line("tags", "Tags (comma-separated)"),
            Prompt.line("notes", "Additional notes"));
    private static final List<Prompt> SUCCESS = List.of(
            Prompt.required("tool", "Tool name"),
            Prompt.required("name", "Pattern name"),
            Prompt.line("steps", "Key steps").lines(),
            Prompt.line("params", "Critical parameters"),
            Prompt.line("tags", "Tags (comma-separated)"));

    private final Terminal terminal;

    RecordPrompts(Terminal terminal) {
        this.terminal = terminal;
    }

    /** One question, the key of its answer, whether an answer is required, and whether it may have several lines. */
    private record Prompt(String key, String text, boolean required, boolean manyLines) {
        static Prompt line(String key, String text) {
            return new Prompt(key, text, false, false);
        }

        static Prompt required(String key, String text) {
            return new Prompt(key, text, true, false);
        }

        Prompt lines() {
            return new Prompt(key, text, required, true);
        }
    }

    /** Asks what is to be recorded, a failure or a success. */
    String kind() throws IOException {
        while (true) {
            terminal.ask("Record a failure or a success? ");
            String typed = terminal.readTyped();
            if (typed == null) {
                throw new UsageException("nothing was recorded; record - reads lines of JSON");
            }
            String answer = typed.strip().toLowerCase(Locale.ROOT);
            if (!answer.isEmpty() && ("failure".startsWith(answer) || "success".startsWith(answer))) {
                return answer.charAt(0) == 'f' ? "failure" : "success";
            }
        }
    }

    /** Asks all questions for {@code /xmem:record failure} or {@code success}, and returns the complete command. */
    String complete(String line) throws IOException {
        List<Prompt> questions = line.strip().toLowerCase(Locale.ROOT).endsWith("failure") ? FAILURE : SUCCESS;
        List<String> pairs = new ArrayList<>();
        for (Prompt question : questions) {
            String answer = answer(question);
            if (!answer.isEmpty()) {
                pairs.add(SlashCommandLine.pair(question.key, answer));
            }
        }
        return line.strip() + " " + String.join(" ", pairs);
    }

    private String answer(Prompt question) throws IOException {
        while (true) {
            terminal.ask(question.text + (question.manyLines ? " (end with an empty line): " : ": "));
            String line = terminal.readTyped();
            if (line == null && question.required) {
                throw new UsageException("nothing was recorded: the input ended before \"" + question.text + "\"");
            }
            String answer = line == null ? "" : question.manyLines ? rest(line) : line.strip();
            if (!answer.isEmpty() || !question.required) {
                return answer;
            }
        }
    }

    /** Reads the following lines up to an empty one. */
    private String rest(String first) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = first; line != null && !line.isBlank(); line = terminal.readTyped()) {
            lines.add(line.stripTrailing());
        }
        return String.join("\n", lines);
    }
}

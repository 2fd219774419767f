package dev.xmem.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The questions about a failure or a success, asked one after another at a terminal. */
final class Interview {
    private static final List<Prompt> FAILURE = List.of(
            Prompt.needed("tool", "Tool name"),
            Prompt.line("command", "Command"),
            Prompt.needed("error", "Error message").lines(),
            Prompt.line("avoid", "Pattern to avoid"),
            Prompt.line("tags", "Tags (comma-separated)"),
            Prompt.line("notes", "Additional notes"));
    private static final List<Prompt> SUCCESS = List.of(
            Prompt.needed("tool", "Tool name"),
            Prompt.needed("name", "Pattern name"),
            Prompt.line("steps", "Key steps").lines(),
            Prompt.line("params", "Critical parameters"),
            Prompt.line("tags", "Tags (comma-separated)"));

    private final Terminal terminal;
    private final BufferedReader typed;

    Interview(Terminal terminal) {
        this.terminal = terminal;
        this.typed = terminal.typed();
    }

    /** One question, the key of its answer, whether it must be answered, and whether in several lines. */
    private record Prompt(String key, String text, boolean needed, boolean manyLines) {
        static Prompt line(String key, String text) {
            return new Prompt(key, text, false, false);
        }

        static Prompt needed(String key, String text) {
            return new Prompt(key, text, true, false);
        }

        Prompt lines() {
            return new Prompt(key, text, needed, true);
        }
    }

    /** Asks, and returns what the slash command for it takes: the kind and the answers. */
    String about(String kind) throws IOException {
        List<Prompt> questions = kind.equals("failure") ? FAILURE : SUCCESS;
        List<String> pairs = new ArrayList<>();
        for (Prompt question : questions) {
            String answer = answer(question);
            if (!answer.isEmpty()) {
                pairs.add(SlashLine.pair(question.key, answer));
            }
        }
        return kind + " " + String.join(" ", pairs);
    }

    private String answer(Prompt question) throws IOException {
        while (true) {
            terminal.ask(question.text + (question.manyLines ? " (an empty line ends it): " : ": "));
            String line = typed.readLine();
            if (line == null && question.needed) {
                throw new UsageException("nothing was recorded: the input ended before \"" + question.text + "\"");
            }
            String answer = line == null ? "" : question.manyLines ? rest(line) : line.strip();
            if (!answer.isEmpty() || !question.needed) {
                return answer;
            }
        }
    }

    /** The line and those that follow, up to an empty one. */
    private String rest(String first) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = first; line != null && !line.isBlank(); line = typed.readLine()) {
            lines.add(line.stripTrailing());
        }
        return String.join("\n", lines);
    }
}

package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.ShellCommands.Command;
import dev.xmem.core.text.hash.ShellCommands.Part;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Selects the command of a shell line that an error is of. Decision: docs/adr/0055-one-shell-reader.md. */
final class FailedCommand {
    private static final LiteralPattern NUMBER = new LiteralPattern("(?:\\p{L}{1,10} ?)?\\d+\\p{L}? ?");

    private FailedCommand() {}

    /**
     * The command whose name begins a line of the error, or whose way of reporting errors a line has; else the one with
     * an operand that the error names; else the last one that does work. Of several the one that {@link #last} selects,
     * else the one that the last such line names.
     */
    static Command of(List<Part> parts, String error) {
        Command last = last(parts);
        if (parts.size() <= 1 || error.isBlank()) {
            return last;
        }
        Command built = built(parts, last);
        if (built != null) {
            return built;
        }
        Command named = reporting(parts, last, error);
        if (named == null) {
            return namesOperand(last, error) ? last : operandOf(parts, last, error);
        }
        return named;
    }

    /**
     * The last command that is not quiet and does not read from a pipe; else the last that is not quiet, else the
     * first.
     */
    static Command last(List<Part> parts) {
        @Nullable Command best = null;
        @Nullable Command piped = null;
        for (Part part : parts) {
            if (!part.isQuiet() && !part.reads()) {
                best = part.command();
            } else if (!part.isQuiet() || piped == null) {
                piped = part.command();
            }
        }
        return best != null ? best : piped != null ? piped : new Command(List.of(), null);
    }

    /** {@code go run} for a program that an earlier command of the line built with that tool; else null. */
    private static @Nullable Command built(List<Part> parts, Command last) {
        String path = last.words().isEmpty() ? "" : last.words().get(0);
        if (path.indexOf('/') < 0) {
            return null;
        }
        for (Part part : parts) {
            List<String> words = part.command().words();
            if (words.size() > 1
                    && words.get(1).equals("build")
                    && ToolTable.listed("builds", part.command().tool())) {
                return new Command(List.of(words.get(0), "run"), part.command().wrapper());
            }
        }
        return null;
    }

    private static @Nullable Command reporting(List<Part> parts, Command last, String error) {
        @Nullable Command found = null;
        boolean own = false;
        for (Iterator<String> lines = lines(error).iterator(); lines.hasNext() && !own; ) {
            String line = lines.next();
            own = reports(last, line);
            for (int i = 0; i < parts.size() && !own; i++) {
                found = reports(parts.get(i).command(), line) ? parts.get(i).command() : found;
            }
        }
        Command tool = own ? last : found;
        return tool == null ? null : ofTool(parts, tool, error);
    }

    /** Of several commands of one tool the one whose operand the error names, else the last. */
    private static Command ofTool(List<Part> parts, Command command, String error) {
        Command last = command;
        for (Part part : parts) {
            if (part.command().tool().equals(command.tool())) {
                if (namesOperand(part.command(), error)) {
                    return part.command();
                }
                last = part.command();
            }
        }
        return last;
    }

    private static Command operandOf(List<Part> parts, Command last, String error) {
        for (Part part : parts) {
            boolean works = !part.isQuiet()
                    && !ToolTable.listed("printers", part.command().tool());
            if (works && namesOperand(part.command(), error)) {
                return part.command();
            }
        }
        return last;
    }

    private static boolean reports(Command command, String line) {
        String tool = command.tool();
        return MessagePrefixes.toolPrefix(line, tool) > 0 || ToolTable.reports(tool, line);
    }

    /** The known program whose name begins a line of the error, other than a shell; null if none does. */
    static @Nullable String program(String error) {
        for (String line : lines(error)) {
            int colon = line.indexOf(": ");
            String name = colon > 0 && colon < 30 && line.indexOf(' ') > colon
                    ? ToolTable.canonical(line.substring(0, colon))
                    : "";
            if (name.equals("fatal") || ToolTable.isKnown(name) && !ToolTable.listed("shells", name)) {
                return name.equals("fatal") ? "git" : name;
            }
        }
        return null;
    }

    /** The first and the last lines of an error, without the name of a shell in front. */
    private static List<String> lines(String error) {
        List<String> lines = new ArrayList<>();
        for (int from = 0, end; from < error.length() && lines.size() < 2 * TerminalText.END_LINES; from = end + 1) {
            from = lines.size() == TerminalText.END_LINES ? TerminalText.lastLines(error, from) : from;
            end = error.indexOf('\n', from);
            end = end < 0 ? error.length() : end;
            lines.add(withoutShell(error.substring(from, end).strip()));
        }
        return lines;
    }

    private static boolean namesOperand(Command command, String error) {
        List<String> words = command.words();
        for (String word : words.subList(Math.min(1, words.size()), words.size())) {
            if (word.length() > 3 && word.charAt(0) != '-' && error.contains(word)) {
                return true;
            }
        }
        return false;
    }

    /** A line without the name of the shell and the number of the line in front: {@code bash: line 3: }. */
    static String withoutShell(String line) {
        int colon = line.indexOf(": ");
        if (colon <= 0 || colon > 40 || !ToolTable.listed("shells", ToolTable.canonical(line.substring(0, colon)))) {
            return line;
        }
        String rest = line.substring(colon + 2);
        int next = rest.indexOf(": ");
        boolean number = next > 0 && NUMBER.matcher(rest).region(0, next).matches();
        return number ? rest.substring(next + 2) : rest;
    }
}

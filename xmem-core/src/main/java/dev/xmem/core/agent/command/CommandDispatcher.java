package dev.xmem.core.agent.command;

import dev.xmem.Directive;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.render.TextSanitizer;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Executes slash commands. Thread-safe; keeps the open questions of at most 1,000 sessions. */
public final class CommandDispatcher {
    private static final String PREFIX = "/xmem:";
    private static final int NAME_CHARS = 60;
    private static final int MESSAGE_CHARS = 400;
    private static final String HELP = """
            Usage:
              /xmem:load [QUERY]                  lists the entries, newest first
              /xmem:search QUERY                  words, "a phrase", /regex/, tool= tag= ctx_hash= type= limit= offset=
              /xmem:record failure|success [FORM] records an entry; without a form it shows the form
              /xmem:recall tool= action= error=   looks a failure up
              /xmem:remember SENTENCE             stores a rule, preference or constraint of the user
              /xmem:stats                         shows statistics
              /xmem:compact [--dry-run]           merges duplicates and moves old entries to archives""";

    private final XMemStore store;
    private final OpenQuestions questions = new OpenQuestions();
    private final RecallDialog dialog;
    private final Predicate<String> fits;
    private final BooleanSupplier isLarge;

    /**
     * @param fits whether a text costs no more than a page may
     * @param isLarge whether a flush of the store leaves {@code index.json} to the background
     */
    public CommandDispatcher(XMemStore store, InstantSource clock, Predicate<String> fits, BooleanSupplier isLarge) {
        this.store = store;
        this.fits = fits;
        this.isLarge = isLarge;
        this.dialog = new RecallDialog(store, clock, questions);
    }

    /**
     * Executes a line of a session: a command, or the answer to a question. Invalid input leads to a refusal.
     *
     * @throws XMemException.Closed if the store is closed
     * @throws XMemException.Busy if another process holds a lock of the store for too long; nothing was written
     * @throws XMemException.Io if a file cannot be read or written
     */
    public CommandResult execute(String line, String session) {
        String text = line.strip();
        if (!text.startsWith(PREFIX)) {
            return answered(text, session);
        }
        questions.interrupted(session);
        int end = PREFIX.length();
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        String name = text.substring(PREFIX.length(), end).toLowerCase(Locale.ROOT);
        String rest = text.substring(end).strip();
        return refusing(name, () -> run(name, rest, session));
    }

    /** Whether the last reply to a session asks a question that the session has not answered. */
    public boolean asks(String session) {
        return questions.isOpen(session);
    }

    private CommandResult answered(String text, String session) {
        return refusing("record", () -> {
            CommandResult result = questions.answered(text, session);
            return result == null
                    ? CommandResult.refused("A command begins with /xmem: and a name; /xmem:help lists them.")
                    : result;
        });
    }

    /** Runs a command; a mistake of the user becomes a refusal, a failure of the store is thrown. */
    private static CommandResult refusing(String name, Supplier<CommandResult> command) {
        try {
            return command.get();
        } catch (XMemException.Closed | XMemException.Busy | XMemException.Io e) {
            throw e;
        } catch (XMemException e) {
            return CommandResult.refused(
                    TextSanitizer.line(String.valueOf(e.getMessage()), MESSAGE_CHARS) + "\n" + usage(name));
        }
    }

    private CommandResult run(String name, String rest, String session) {
        return switch (name) {
            case "load" -> search(Query.parse(rest).order(Query.Order.NEWEST).layout(Query.Layout.CARDS));
            case "search" ->
                rest.isEmpty()
                        ? CommandResult.refused("What should be searched for?\n" + usage(name))
                        : search(Query.parse(rest));
            case "stats" ->
                rest.isEmpty()
                        ? CommandResult.ok(store.stats().text())
                        : CommandResult.refused("/xmem:stats takes no arguments, found: "
                                + TextSanitizer.line(rest, NAME_CHARS) + "\n" + usage(name));
            case "record" -> record(rest, session);
            case "remember" ->
                rest.isEmpty() ? CommandResult.refused("What should be remembered?\n" + usage(name)) : remember(rest);
            case "recall" -> dialog.recall(ArgumentParser.of(rest), session);
            case "compact" -> CompactCommand.execute(store, rest, fits);
            case "help" -> CommandResult.ok(HELP);
            default ->
                CommandResult.refused(
                        "There is no command " + PREFIX + TextSanitizer.line(name, NAME_CHARS) + ".\n" + HELP);
        };
    }

    private CommandResult search(Query query) {
        return CommandResult.ok(store.search(query).text());
    }

    private CommandResult remember(String sentences) {
        return CommandResult.ok(store.recordAll(Directive.parseAll(sentences)).stream()
                .map(entry -> TextSanitizer.line(((Directive) entry).confirmation()))
                .collect(Collectors.joining("\n")));
    }

    private CommandResult record(String rest, String session) {
        String[] parts = rest.split("\\s+", 2);
        String arguments = parts.length > 1 ? parts[1] : "";
        return switch (parts[0].toLowerCase(Locale.ROOT)) {
            case "failure" ->
                new RecordCommand(RecordCommand.FAILURE, arguments, isLarge).execute(store, session, questions);
            case "success" ->
                new RecordCommand(RecordCommand.SUCCESS, arguments, isLarge).execute(store, session, questions);
            default ->
                CommandResult.refused((rest.isEmpty()
                                ? "What should be recorded?"
                                : "Cannot record \"" + TextSanitizer.line(parts[0], NAME_CHARS) + "\".")
                        + "\n" + usage("record"));
        };
    }

    private static String usage(String name) {
        return switch (name) {
            case "load" -> "Usage: /xmem:load [tool=<name>] [tag=<tag>] [limit=<N>] [offset=<N>] [budget=<tokens>]";
            case "search" ->
                "Usage: /xmem:search <words> | \"<phrase>\" | /<regex>/ | tool=<name> | tag=<tag> | ctx_hash=<hash>"
                        + " [limit=<N>] [--offset=<N>] [budget=<tokens>]";
            case "record" -> RecordCommand.USAGE;
            case "recall" -> "Usage: /xmem:recall tool=<name> action=\"<command>\" error=\"<message>\" [exit_code=<N>]";
            case "remember" ->
                "Usage: /xmem:remember [global:] never … | always … | I prefer … [over …] | … must …; a rule, preference"
                        + " or constraint, or several sentences of this kind";
            case "stats" -> "Usage: /xmem:stats";
            case "compact" -> CompactCommand.USAGE;
            default -> HELP;
        };
    }
}

package dev.xmem.core.agent.command;

import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.render.TextSanitizer;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Supplier;

/** Carries out one command. Thread-safe; remembers the last offer of at most a thousand sessions. */
public final class CommandDispatcher {
    private static final String PREFIX = "/xmem:";
    private static final int NAME_CHARS = 60;
    private static final int PROBLEM_CHARS = 400;
    private static final String ALL = """
            Usage:
              /xmem:load [QUERY]                  what is known, newest first
              /xmem:search QUERY                  words, "a phrase", /regex/, tool= tag= ctx_hash= type= limit= offset=
              /xmem:record failure|success [FORM] asks for what is missing
              /xmem:recall tool= action= error=   what is known of a failure
              /xmem:stats                         totals
              /xmem:compact [--dry-run]           makes duplicates one, moves what is old to archives""";

    private final XMemStore store;
    private final RecallDialog conversation;

    /** The commands of a store. */
    public CommandDispatcher(XMemStore store, InstantSource clock) {
        this.store = store;
        this.conversation = new RecallDialog(store, clock);
    }

    /** Carries out a line of a session; never throws for what a user typed. */
    public CommandResult execute(String line, String session) {
        String text = line.strip();
        if (!text.startsWith(PREFIX)) {
            return conversation.reply(text, session);
        }
        int end = PREFIX.length();
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        String name = text.substring(PREFIX.length(), end).toLowerCase(Locale.ROOT);
        String rest = text.substring(end).strip();
        try {
            return run(name, rest, session);
        } catch (XMemException.Closed e) {
            throw e;
        } catch (XMemException e) {
            return CommandResult.refused(
                    TextSanitizer.line(String.valueOf(e.getMessage()), PROBLEM_CHARS) + "\n" + usage(name));
        }
    }

    private CommandResult run(String name, String rest, String session) {
        return switch (name) {
            case "load" -> load(rest);
            case "search" -> search(rest);
            case "stats" ->
                none(rest, name, () -> CommandResult.ok(store.stats().text()));
            case "record" -> record(rest, session);
            case "recall" -> conversation.failed(ArgumentParser.of(rest), session);
            case "compact" -> CompactCommand.answer(store, rest);
            case "help" -> CommandResult.ok(ALL);
            default ->
                CommandResult.refused(
                        "There is no command " + PREFIX + TextSanitizer.line(name, NAME_CHARS) + ".\n" + ALL);
        };
    }

    private static CommandResult none(String rest, String name, Supplier<CommandResult> step) {
        return rest.isEmpty()
                ? step.get()
                : CommandResult.refused(PREFIX + name + " takes nothing, found: " + TextSanitizer.line(rest, NAME_CHARS)
                        + "\n" + usage(name));
    }

    private CommandResult load(String rest) {
        Query query = Query.parse(rest).order(Query.Order.NEWEST).layout(Query.Layout.CARDS);
        return CommandResult.ok(store.search(query).text());
    }

    private CommandResult search(String rest) {
        if (rest.isEmpty()) {
            return CommandResult.refused("What should be searched for?\n" + usage("search"));
        }
        return CommandResult.ok(store.search(Query.parse(rest)).text());
    }

    private CommandResult record(String rest, String session) {
        String[] parts = rest.split("\\s+", 2);
        String filled = parts.length > 1 ? parts[1] : "";
        return switch (parts[0].toLowerCase(Locale.ROOT)) {
            case "failure" -> RecordCommand.failure(filled).answer(store, session);
            case "success" -> RecordCommand.success(filled).answer(store, session);
            default ->
                CommandResult.refused((rest.isEmpty()
                                ? "What should be recorded?"
                                : "Cannot record \"" + TextSanitizer.line(parts[0], NAME_CHARS) + "\".")
                        + "\n" + usage("record"));
        };
    }

    private static String usage(String name) {
        return switch (name) {
            case "load" -> "Usage: /xmem:load [tool=<name>] [tag=<tag>] [limit=<N>] [offset=<N>]";
            case "search" ->
                "Usage: /xmem:search <words> | \"<phrase>\" | /<regex>/ | tool=<name> | tag=<tag> | ctx_hash=<hash>"
                        + " [limit=<N>] [--offset=<N>]";
            case "record" ->
                "Usage: /xmem:record failure | success, alone for the form, or with the filled form, or with"
                        + " tool=<name> command=\"<command>\" error=\"<message>\" avoid=\"<advice>\" tags=<a,b> notes=\"<text>\"";
            case "recall" -> "Usage: /xmem:recall tool=<name> action=\"<command>\" error=\"<message>\" [exit_code=<N>]";
            case "stats" -> "Usage: /xmem:stats";
            case "compact" -> CompactCommand.USAGE;
            default -> ALL;
        };
    }
}

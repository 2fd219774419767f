package dev.xmem.cli;

import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem "/xmem:search tool=git"}: runs a slash command as an agent's user types it. */
@Command(
        name = "slash",
        description = {
            "Runs a slash command and prints its reply. \"slash\" may be left out before an argument that"
                    + " starts with /xmem:.",
            "The commands are /xmem:load, record, search, recall, stats, compact and help, in one argument or"
                    + " in several."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem \"/xmem:search tool=git\"",
            "  xmem /xmem:search rclone remote --limit=5",
            "  xmem /xmem:record failure tool=git command=\"git push\" error=\"rejected\" avoid=\"Pull first\"",
            "  xmem \"/xmem:help\"",
            "The exit code is 0 if the command was executed, 1 if it was refused; the reply then says why.",
            "With --json the reply is {\"ok\":…,\"text\":\"…\"}."
        })
final class SlashSubcommand extends Subcommand {
    private static final String OFFER = "(yes/no)";
    /** The session of commands that name none. */
    private static final String NO_SESSION = "cli";

    @Option(
            names = "--session",
            paramLabel = "SESSION",
            defaultValue = "cli",
            description = "The session of the command; default ${DEFAULT-VALUE}.")
    String session = "cli";

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The slash command, /xmem:…, and its arguments.")
    List<String> words = new ArrayList<>();

    /**
     * Inserts {@code slash} in front of the arguments if the first one that is not an option starts a slash command.
     */
    static String[] insertName(String[] args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith(SlashCommandLine.PREFIX)) {
                List<String> result = new ArrayList<>(List.of(args));
                result.add(0, "slash");
                return result.toArray(String[]::new);
            } else if (args[i].equals("--store") || args[i].equals("--session")) {
                i++;
            } else if (!args[i].startsWith("-")) {
                break;
            }
        }
        return args;
    }

    @Override
    public Integer call() throws IOException {
        String line = SlashCommandLine.of(words);
        if (root.environment().terminal() && line.strip().equalsIgnoreCase(SlashCommandLine.PREFIX + "record")) {
            line = line.strip() + ' ' + new RecordPrompts(root.terminal()).kind();
        }
        boolean prompts = root.environment().terminal() && SlashCommandLine.isEmptyRecord(line);
        try (XMemStore store = prompts ? root.stores().openOrCreate() : store(line)) {
            String complete = prompts ? new RecordPrompts(root.terminal()).complete(line) : line;
            return converse(root, store, complete, session);
        }
    }

    /**
     * Executes a slash command, and prints the reply. At a terminal, asks the user what the reply asks. A failure with
     * a lesson takes the place of the same one that a hook has recorded without.
     *
     * @return the exit code
     */
    static int converse(RootCommand root, XMemStore store, String line, String session) throws IOException {
        Instant begin = Instant.now();
        SlashCommands commands = SlashCommands.on(store);
        SlashCommands.Reply reply = BusyRetry.call(() -> commands.execute(line, session));
        print(root, reply);
        while (root.environment().terminal() && commands.asks(session)) {
            root.terminal().ask("> ");
            String typed = root.terminal().readTyped();
            boolean offer = reply.text().endsWith(OFFER);
            if (typed == null && !offer) {
                return Main.REFUSED; // the question stays without an answer
            }
            String answer = typed == null || typed.isBlank() && offer ? "no" : typed;
            reply = BusyRetry.call(() -> commands.execute(answer, session));
            print(root, reply);
            if (offer) {
                break;
            }
        }
        String recorded = reply.recorded();
        if (recorded != null) {
            String of = session.equals(NO_SESSION) ? null : session;
            String replaced = store.find(recorded)
                    .map(entry -> RecordSubcommand.replaced(store, entry, of, begin))
                    .orElse(null);
            if (replaced != null) {
                root.terminal().notice(root.json, recorded + " is in place of " + replaced);
            }
        }
        return reply.ok() ? Main.OK : Main.REFUSED;
    }

    /** Opens a store for the commands that need one; only {@code record} creates a store. */
    private XMemStore store(String line) {
        return switch (SlashCommandLine.name(line)) {
            case "record" ->
                line.strip().split("\\s+", 3).length < 3
                        ? XMem.inMemory() // prints the form
                        : root.stores().openOrCreate();
            case "load", "search", "recall", "stats" -> root.stores().openForReading();
            case "compact" ->
                line.contains("--dry-run")
                        ? root.stores().openForReading()
                        : root.stores().openExisting();
            default -> XMem.inMemory();
        };
    }

    static void print(RootCommand root, SlashCommands.Reply reply) throws IOException {
        root.terminal().answer(root.json ? json(reply) : reply.text());
        root.terminal().flush();
    }

    private static String json(SlashCommands.Reply reply) {
        return JsonText.object(g -> {
            g.writeBooleanField("ok", reply.ok());
            g.writeStringField("text", reply.text());
        });
    }
}

package dev.xmem.cli;

import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem "/xmem:search tool=git"}: a slash command, as an agent's user types it. */
@Command(
        name = "slash",
        description = {
            "Runs a slash command and prints its reply. \"slash\" may be left out: what begins with /xmem: is one.",
            "The commands are /xmem:load, record, search, recall, stats, compact and help, in one argument or in several."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem \"/xmem:search tool=git\"",
            "  xmem /xmem:search rclone remote --limit=5",
            "  xmem /xmem:record failure tool=git command=\"git push\" error=\"rejected\" avoid=\"Pull first\"",
            "  xmem \"/xmem:help\"",
            "The exit code is 0 when the command was carried out, 1 when it was refused; the reply then says why.",
            "With --json the reply is {\"ok\":…,\"text\":\"…\"}."
        })
final class SlashCommand implements Callable<Integer> {
    private static final String OFFER = "(yes/no)";

    private final Root root;

    @Option(
            names = "--session",
            paramLabel = "ID",
            defaultValue = "cli",
            description = "The session it is typed in; default ${DEFAULT-VALUE}.")
    String session = "cli";

    @Parameters(
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "The slash command, /xmem:… and what belongs to it.")
    List<String> words = new ArrayList<>();

    SlashCommand(Root root) {
        this.root = root;
    }

    /** The arguments with this command named, if the first of them that is no option begins a slash command. */
    static String[] named(String[] args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith(SlashLine.PREFIX)) {
                List<String> named = new ArrayList<>(List.of(args));
                named.add(0, "slash");
                return named.toArray(String[]::new);
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
        String line = SlashLine.of(words);
        try (XMemStore store = store(line)) {
            SlashCommands commands = SlashCommands.on(store);
            SlashCommands.Reply reply = commands.execute(line, session);
            print(root, reply);
            if (root.surroundings().terminal() && reply.text().endsWith(OFFER)) {
                reply = answered(commands);
            }
            return reply.ok() ? Main.OK : Main.REFUSED;
        }
    }

    private SlashCommands.Reply answered(SlashCommands commands) throws IOException {
        root.terminal().ask("> ");
        BufferedReader typed = root.terminal().typed();
        String answer = typed.readLine();
        SlashCommands.Reply reply = commands.execute(answer == null || answer.isBlank() ? "no" : answer, session);
        print(root, reply);
        return reply;
    }

    /** Only a command that needs the store has one, and only a record makes one. */
    private XMemStore store(String line) {
        return switch (SlashLine.name(line)) {
            case "record" ->
                line.strip().split("\\s+", 3).length < 3
                        ? XMem.inMemory() // it answers the form
                        : root.stores().writing();
            case "load", "search", "recall", "stats" -> root.stores().reading();
            case "compact" ->
                line.contains("--dry-run")
                        ? root.stores().reading()
                        : root.stores().changing();
            default -> XMem.inMemory();
        };
    }

    static void print(Root root, SlashCommands.Reply reply) throws IOException {
        root.terminal().answer(root.json ? json(reply) : reply.text());
        root.terminal().flush();
    }

    private static String json(SlashCommands.Reply reply) {
        return Json.object(g -> {
            g.writeBooleanField("ok", reply.ok());
            g.writeStringField("text", reply.text());
        });
    }
}

package dev.xmem.cli;

import dev.xmem.XMemException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where the program {@code xmem} begins: streams, command line, exit codes. */
public final class Main {
    /** All went well. */
    static final int OK = 0;
    /** Something in the input was refused, or a verification found something. */
    static final int REFUSED = 1;
    /** The command line is wrong, or the store could not do its work. */
    static final int FAILED = 2;

    private static final int OUT_BYTES = 1 << 16;

    private Main() {}

    public static void main(String[] args) {
        PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUT_BYTES),
                false,
                StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.exit(run(args, new FileInputStream(FileDescriptor.in), out, err));
    }

    /** The whole program on other streams; returns the exit code. */
    static int run(String[] args, InputStream in, PrintStream out, PrintStream err) {
        return run(args, in, out, err, Surroundings.ofProcess());
    }

    /** The whole program on other streams and in other surroundings; returns the exit code. */
    static int run(String[] args, InputStream in, PrintStream out, PrintStream err, Surroundings surroundings) {
        Terminal terminal = new Terminal(in, out, err);
        Root root = new Root(terminal, surroundings);
        CommandLine line = commandLine(root);
        boolean json = Arrays.asList(args).contains("--json");
        line.setOut(new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true));
        line.setErr(new PrintWriter(new OutputStreamWriter(err, StandardCharsets.UTF_8), true));
        line.setParameterExceptionHandler((e, given) -> misused(terminal, json, e));
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(terminal, json, e));
        int code = line.execute(SlashCommand.named(args));
        AutomaticExport.after(root, code == FAILED ? null : root.changed());
        return out.checkError() ? FAILED : code;
    }

    static CommandLine commandLine(Root root) {
        CommandLine line = new CommandLine(root)
                .addSubcommand(new RecordCommand(root))
                .addSubcommand(new RecallCommand(root))
                .addSubcommand(new SearchCommand(root))
                .addSubcommand(new LoadCommand(root))
                .addSubcommand(new StatsCommand(root))
                .addSubcommand(new VerifyCommand(root))
                .addSubcommand(new CompactCommand(root))
                .addSubcommand(new RestoreCommand(root))
                .addSubcommand(new PurgeCommand(root))
                .addSubcommand(new HashCommand(root))
                .addSubcommand(new MemoryWriteCommand(root))
                .addSubcommand(new MemorySearchCommand(root))
                .addSubcommand(new RememberCommand(root))
                .addSubcommand(new DirectivesCommand(root))
                .addSubcommand(new PromoteCommand(root))
                .addSubcommand(new OutcomeCommand(root))
                .addSubcommand(new AmendCommand(root))
                .addSubcommand(new CommandLine(new SyncCommand(root)).addSubcommand(new SyncStatusCommand(root)))
                .addSubcommand(new CloneCommand(root))
                .addSubcommand(new ExportCommand(root))
                .addSubcommand(new SlashCommand(root))
                .addSubcommand(new CompletionCommand(root))
                .setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setUsageHelpLongOptionsMaxWidth(16)
                .setUsageHelpWidth(100);
        // A QUERY has options of its own, such as --limit=5; the query's parser names those that it does not know.
        for (String command : List.of("search", "load", "slash")) {
            line.getSubcommands().get(command).setUnmatchedOptionsArePositionalParams(true);
        }
        return line;
    }

    private static int misused(Terminal terminal, boolean json, ParameterException e) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        terminal.error(json, problem(e) + ". Try: " + command + " --help");
        return FAILED;
    }

    private static String problem(ParameterException e) {
        boolean top = e.getCommandLine().getParent() == null;
        if (top && e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            List<String> like = unmatched.getSuggestions();
            String hint = like.isEmpty() ? "" : "; did you mean " + String.join(" or ", like);
            return "unknown command " + unmatched.getUnmatched().get(0) + hint;
        }
        return e.getMessage();
    }

    private static int failed(Terminal terminal, boolean json, Exception e) {
        if (e instanceof Terminal.Closed) {
            return FAILED; // nobody reads the answers any more, and nobody would read a complaint
        }
        boolean known = e instanceof XMemException || e instanceof UsageException || e instanceof IOException;
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        terminal.error(json, known ? message : "a defect in xmem, please report it: " + e);
        return FAILED;
    }
}

package dev.xmem.cli;

import dev.xmem.XMemException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point of the program {@code xmem}: streams, command line, exit codes. */
public final class Main {
    /** Success. */
    static final int OK = 0;
    /** Part of the input was refused, or {@code verify} reported findings. */
    static final int REFUSED = 1;
    /** The command line is wrong, or the store failed. */
    static final int FAILED = 2;

    private static final int OUT_BYTES = 1 << 16;

    private Main() {}

    public static void main(String[] args) {
        StandardOutput output = new StandardOutput();
        PrintStream out = new PrintStream(new BufferedOutputStream(output, OUT_BYTES), false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        InputStream in = StandardInput.open();
        Terminal terminal = new Terminal(in, out, err);
        String[] whole = ArgumentLetters.restored(args);
        int code = whole == null ? incomplete(args, terminal) : run(whole, in, out, err);
        String failure = output.failure();
        if (failure != null) {
            terminal.error(Arrays.asList(args).contains("--json"), failure);
        }
        System.exit(code);
    }

    private static int incomplete(String[] args, Terminal terminal) {
        terminal.error(
                Arrays.asList(args).contains("--json"),
                "the command line has letters that the locale does not have. For other letters than those of ASCII, use"
                        + " a UTF-8 locale, such as LC_ALL=C.UTF-8");
        return FAILED;
    }

    /**
     * Runs the program on the given streams.
     *
     * @return the exit code
     */
    static int run(String[] args, InputStream in, PrintStream out, PrintStream err) {
        return run(args, in, out, err, Environment.ofProcess());
    }

    /**
     * Runs the program on the given streams and environment.
     *
     * @return the exit code
     */
    static int run(String[] args, InputStream in, PrintStream out, PrintStream err, Environment environment) {
        Terminal terminal = new Terminal(in, out, err);
        RootCommand root = new RootCommand(terminal, environment);
        CommandLine line = commandLine(root);
        boolean json = Arrays.asList(args).contains("--json");
        line.setOut(new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true));
        line.setErr(new PrintWriter(new OutputStreamWriter(err, StandardCharsets.UTF_8), true));
        line.setParameterExceptionHandler((e, given) -> misused(terminal, json, e));
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(terminal, json, e));
        int code = line.execute(SlashSubcommand.insertName(args));
        AutomaticExport.after(root, code == FAILED ? null : root.changedStore());
        return out.checkError() && !isRun(line.getParseResult()) ? FAILED : code;
    }

    /** Whether the exit code is that of another program, which alone knows whether its closed output is an error. */
    private static boolean isRun(CommandLine.@Nullable ParseResult parsed) {
        return parsed != null
                && parsed.hasSubcommand()
                && parsed.subcommand().commandSpec().userObject() instanceof RunSubcommand;
    }

    static CommandLine commandLine(RootCommand root) {
        CommandLine line = new CommandLine(root)
                .addSubcommand(new RecordSubcommand())
                .addSubcommand(new RecallSubcommand())
                .addSubcommand(new SearchSubcommand())
                .addSubcommand(new LoadSubcommand())
                .addSubcommand(new StatsSubcommand())
                .addSubcommand(new ReportSubcommand())
                .addSubcommand(new VerifySubcommand())
                .addSubcommand(new CompactSubcommand())
                .addSubcommand(new RestoreSubcommand())
                .addSubcommand(new PurgeSubcommand())
                .addSubcommand(new HashSubcommand())
                .addSubcommand(new MemoryWriteSubcommand())
                .addSubcommand(new MemorySearchSubcommand())
                .addSubcommand(new RememberSubcommand())
                .addSubcommand(new DirectivesSubcommand())
                .addSubcommand(new PromoteSubcommand())
                .addSubcommand(new OutcomeSubcommand())
                .addSubcommand(new AmendSubcommand())
                .addSubcommand(new CommandLine(new SyncSubcommand()).addSubcommand(new SyncStatusSubcommand()))
                .addSubcommand(new CloneSubcommand())
                .addSubcommand(new ExportSubcommand())
                .addSubcommand(new ImportSubcommand())
                .addSubcommand(new ReplaySubcommand())
                .addSubcommand(new RunSubcommand())
                .addSubcommand(new ServeSubcommand())
                .addSubcommand(new SlashSubcommand())
                .addSubcommand(new InstallSubcommand())
                .addSubcommand(new DoctorSubcommand())
                .addSubcommand(new WhySubcommand())
                .addSubcommand(new CompletionSubcommand())
                .setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setUsageHelpLongOptionsMaxWidth(16)
                .setUsageHelpWidth(100);
        // A QUERY has its own options, such as --limit=5; the query parser reports unknown ones.
        for (String command : List.of("search", "load", "slash")) {
            line.getSubcommands().get(command).setUnmatchedOptionsArePositionalParams(true);
        }
        line.getSubcommands().get("run").setStopAtPositional(true);
        return line.registerConverter(Path.class, Main::path);
    }

    private static Path path(String named) {
        try {
            return Path.of(named);
        } catch (InvalidPathException e) {
            throw new TypeConversionException(Environment.noPath(e));
        }
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
        if (e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            String option = "--" + unmatched.getUnmatched().get(0);
            boolean known = e.getCommandLine().getCommandSpec().optionsMap().containsKey(option);
            return e.getMessage() + (known ? "; did you mean " + option : "");
        }
        return e.getMessage();
    }

    private static int failed(Terminal terminal, boolean json, Exception e) {
        if (e instanceof Terminal.Closed) {
            return FAILED; // the reader of standard output has closed it
        }
        boolean known = e instanceof XMemException || e instanceof UsageException || e instanceof IOException;
        // the message of a FileSystemException may be a path and nothing else
        Exception shown = e instanceof FileSystemException file && file.getFile() != null
                ? new XMemException.Io(Path.of(file.getFile()), file)
                : e;
        String message = shown.getMessage() == null ? shown.toString() : shown.getMessage();
        terminal.error(json, known ? message : "internal error, please report it: " + e);
        return FAILED;
    }
}

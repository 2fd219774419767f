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
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
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

    /** The commands, in the order of the help. */
    static final List<String> COMMANDS = List.of(
            "record",
            "recall",
            "search",
            "load",
            "stats",
            "report",
            "verify",
            "compact",
            "restore",
            "purge",
            "hash",
            "memory-write",
            "memory-search",
            "remember",
            "directives",
            "promote",
            "outcome",
            "amend",
            "sync",
            "clone",
            "export",
            "import",
            "replay",
            "run",
            "serve",
            "slash",
            "install",
            "doctor",
            "why",
            "completion");

    /** A QUERY has its own options, such as --limit=5; the query parser reports unknown ones. */
    private static final Set<String> WITH_QUERY = Set.of("search", "load", "slash");

    /** What is often before the command. */
    private static final Set<String> COMMON = Set.of("--store", "--json");

    /** What the value of an option or parameter names, where an empty one can only be a variable that is not set. */
    private static final Set<String> NAMES = Set.of("ID", "DIR", "PATH", "FILE", "URL", "URL-OR-PATH");

    /** Types that no option has; picocli looks for the classes of each, for each command. */
    private static final String UNUSED_TYPES = "java[.](sql|time)[.].*";

    private static final int OUT_BYTES = 1 << 16;

    private Main() {}

    public static void main(String[] args) {
        System.setProperty("picocli.converters.excludes", UNUSED_TYPES);
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
        String[] words = SlashSubcommand.insertName(args);
        CommandLine line = commandLine(root, needed(words));
        boolean json = Arrays.asList(args).contains("--json");
        line.setOut(new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true));
        line.setErr(new PrintWriter(new OutputStreamWriter(err, StandardCharsets.UTF_8), true));
        line.setExecutionStrategy(Main::execute);
        line.setParameterExceptionHandler((e, given) -> misused(terminal, json, e));
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(terminal, json, e));
        int code = line.execute(words);
        AutomaticExport.after(root, code == FAILED ? null : root.changedStore());
        return out.checkError() && !isRun(line.getParseResult()) ? FAILED : code;
    }

    /** Whether the exit code is that of another program, which alone knows whether its closed output is an error. */
    private static boolean isRun(CommandLine.@Nullable ParseResult parsed) {
        return parsed != null
                && parsed.hasSubcommand()
                && parsed.subcommand().commandSpec().userObject() instanceof RunSubcommand;
    }

    /** The command line with all commands. */
    static CommandLine commandLine(RootCommand root) {
        return commandLine(root, COMMANDS);
    }

    private static CommandLine commandLine(RootCommand root, List<String> commands) {
        CommandLine line = new CommandLine(root);
        for (String command : commands) {
            line.addSubcommand(subcommand(command));
        }
        line.setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setUsageHelpLongOptionsMaxWidth(16)
                .setUsageHelpWidth(100);
        for (String command : commands) {
            if (WITH_QUERY.contains(command)) {
                line.getSubcommands().get(command).setUnmatchedOptionsArePositionalParams(true);
            } else if (command.equals("run")) {
                line.getSubcommands().get(command).setStopAtPositional(true);
            }
        }
        return line.registerConverter(Path.class, Main::path);
    }

    private static Object subcommand(String name) {
        return switch (name) {
            case "record" -> new RecordSubcommand();
            case "recall" -> new RecallSubcommand();
            case "search" -> new SearchSubcommand();
            case "load" -> new LoadSubcommand();
            case "stats" -> new StatsSubcommand();
            case "report" -> new ReportSubcommand();
            case "verify" -> new VerifySubcommand();
            case "compact" -> new CompactSubcommand();
            case "restore" -> new RestoreSubcommand();
            case "purge" -> new PurgeSubcommand();
            case "hash" -> new HashSubcommand();
            case "memory-write" -> new MemoryWriteSubcommand();
            case "memory-search" -> new MemorySearchSubcommand();
            case "remember" -> new RememberSubcommand();
            case "directives" -> new DirectivesSubcommand();
            case "promote" -> new PromoteSubcommand();
            case "outcome" -> new OutcomeSubcommand();
            case "amend" -> new AmendSubcommand();
            case "sync" -> new CommandLine(new SyncSubcommand()).addSubcommand(new SyncStatusSubcommand());
            case "clone" -> new CloneSubcommand();
            case "export" -> new ExportSubcommand();
            case "import" -> new ImportSubcommand();
            case "replay" -> new ReplaySubcommand();
            case "run" -> new RunSubcommand();
            case "serve" -> new ServeSubcommand();
            case "slash" -> new SlashSubcommand();
            case "install" -> new InstallSubcommand();
            case "doctor" -> new DoctorSubcommand();
            case "why" -> new WhySubcommand();
            case "completion" -> new CompletionSubcommand();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /**
     * The commands that these arguments may need: the one that they name, if nothing but the common options is before
     * it. To describe a command takes some milliseconds, and there are thirty.
     */
    private static List<String> needed(String[] args) {
        int first = 0;
        while (first < args.length && (args[first].startsWith("--store=") || COMMON.contains(args[first]))) {
            first += args[first].equals("--store") ? 2 : 1;
        }
        boolean known = first < args.length && COMMANDS.contains(args[first]);
        return known ? List.of(args[first]) : COMMANDS;
    }

    private static int execute(CommandLine.ParseResult parsed) {
        for (CommandLine.ParseResult part : parsed.asCommandLineList().stream()
                .map(CommandLine::getParseResult)
                .toList()) {
            for (ArgSpec arg : part.matchedArgs()) {
                if (NAMES.contains(arg.paramLabel()) && arg.stringValues().contains("")) {
                    String name = arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
                    throw new ParameterException(part.commandSpec().commandLine(), name + " must not be empty");
                }
            }
        }
        return new CommandLine.RunLast().execute(parsed);
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

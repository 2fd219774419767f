package dev.xmem.cli;

import dev.xmem.Query;
import dev.xmem.XMemException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The top-level command: options, output format and streams that all subcommands share. */
@Command(
        name = "xmem",
        description = "An experience memory for agents: records failures and what fixed them, as plain JSON lines.",
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions, before or after the command:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Success.",
            "1:Part of the input was refused, verify reported findings, or doctor a problem.",
            "2:The command line is wrong, or the store failed."
        },
        footerHeading = "%nGetting started:%n",
        footer = {
            "  export XMEM_STORE=.xmem-store",
            "  echo '{\"type\":\"tool_failure\",\"tool\":\"npm\",\"error\":\"connect ETIMEDOUT\",'\\",
            "    '\"action\":\"install left-pad\",\"pattern_avoid\":\"Set the proxy first\"}' | xmem record",
            "  echo '{\"tool\":\"npm\",\"action\":\"install express\",\"error\":\"connect ETIMEDOUT\"}' | xmem recall",
            "  xmem search tool=npm",
            "  xmem \"/xmem:search tool=npm\"",
            "  xmem remember \"never run build repeatedly because it is heavy\"",
            "where xmem is an alias of: java -jar xmem.jar"
        })
final class RootCommand implements Runnable {
    private final Terminal terminal;
    private final Environment environment;
    private @Nullable Path changed;

    @Option(
            names = "--store",
            scope = ScopeType.INHERIT,
            paramLabel = "DIR",
            description = "The store's directory; default: the environment variable XMEM_STORE, else the project's"
                    + " .xmem-store, else the user's own. The journal and the directives have their own defaults; see"
                    + " the commands.")
    @Nullable Path store;

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print answers and errors as JSON.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Show the help of the command.")
    boolean help;

    @Option(names = "--version", versionHelp = true, description = "Print the version.")
    boolean version;

    RootCommand(Terminal terminal, Environment environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    @Override
    public void run() {
        throw new UsageException(
                "no command given: use one of " + String.join(", ", Main.COMMANDS) + "; xmem --help describes them.");
    }

    Terminal terminal() {
        return terminal;
    }

    Environment environment() {
        return environment;
    }

    StoreOpener stores() {
        return stores(json);
    }

    /** @param asJson whether the store's directory is told as JSON */
    StoreOpener stores(boolean asJson) {
        return new StoreOpener(store, environment, this::markChanged, folder -> tellStore(asJson, folder));
    }

    /** Names a store that is written to, unless the user did: it may be one that came with a clone. */
    void tellStore(boolean asJson, Path folder) {
        if (store == null) {
            terminal.notice(asJson, "store: " + folder.toAbsolutePath().normalize());
        }
    }

    /** Marks this store as possibly changed by the command. */
    void markChanged(Path folder) {
        changed = folder;
    }

    /** The store that the command may have changed; null if none. */
    @Nullable Path changedStore() {
        return changed;
    }

    /** Parses a QUERY, in the syntax of the slash commands. */
    static Query query(List<String> words) {
        try {
            return Query.parse(words.toArray(String[]::new));
        } catch (XMemException.Syntax e) {
            boolean option = e.getMessage().startsWith("unknown option");
            throw option
                    ? new UsageException(e.getMessage() + "; outside the query: --store, --json, --batch, --help")
                    : e;
        }
    }
}

package dev.xmem.cli;

import dev.xmem.Query;
import dev.xmem.XMemException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** What every command has: the store, the form of the answer, the streams. */
@Command(
        name = "xmem",
        description = "What went wrong before, and what helped: an experience memory in plain JSON lines.",
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions, before or after the command:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:All went well.",
            "1:A line, an object or a command of the input was refused, or verify found something.",
            "2:The command line is wrong, or the store could not do its work."
        },
        footerHeading = "%nA first round:%n",
        footer = {
            "  export XMEM_STORE=.xmem-store",
            "  echo '{\"type\":\"tool_failure\",\"tool\":\"npm\",\"error\":\"connect ETIMEDOUT\",'\\",
            "    '\"action\":\"install left-pad\",\"pattern_avoid\":\"Set the proxy first\"}' | xmem record",
            "  echo '{\"tool\":\"npm\",\"action\":\"install express\",\"error\":\"connect ETIMEDOUT\"}' | xmem recall",
            "  xmem search tool=npm",
            "  xmem \"/xmem:search tool=npm\"",
            "  xmem remember \"never run build repeatedly because it is heavy\"",
            "where xmem stands for: java -jar xmem.jar"
        })
final class Root implements Runnable {
    private final Terminal terminal;
    private final Surroundings surroundings;
    private @Nullable Path changed;

    @Option(
            names = "--store",
            scope = ScopeType.INHERIT,
            paramLabel = "DIR",
            description =
                    "The store's folder; default: the environment variable XMEM_STORE. Journal and directives have"
                            + " defaults of their own; see the commands.")
    @Nullable Path store;

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Answers and errors as JSON.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Explains the command.")
    boolean help;

    @Option(names = "--version", versionHelp = true, description = "Prints the version.")
    boolean version;

    Root(Terminal terminal, Surroundings surroundings) {
        this.terminal = terminal;
        this.surroundings = surroundings;
    }

    @Override
    public void run() {
        throw new UsageException(
                "which command? One of record, recall, search, load, stats, verify, compact, restore, purge, hash,"
                        + " memory-write, memory-search, remember, directives, promote, outcome, amend, sync, clone, export, slash, completion;"
                        + " xmem --help explains them.");
    }

    Terminal terminal() {
        return terminal;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    Stores stores() {
        return new Stores(store, surroundings, this::changes);
    }

    /** The command may change this store. */
    void changes(Path folder) {
        changed = folder;
    }

    /** The store that the command may have changed; null if it changes none. */
    @Nullable Path changed() {
        return changed;
    }

    /** A QUERY in the language of the slash commands. */
    static Query query(List<String> words) {
        try {
            return Query.parse(words.toArray(String[]::new));
        } catch (XMemException.Syntax e) {
            boolean option = e.getMessage().startsWith("unknown option");
            throw option
                    ? new UsageException(e.getMessage() + ", and outside the query --store, --json, --batch, --help")
                    : e;
        }
    }
}

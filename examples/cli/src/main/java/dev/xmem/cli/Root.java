package dev.xmem.cli;

import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Files;
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
            "1:A line of the input was refused, or verify found something.",
            "2:The command line is wrong, or the store could not do its work."
        },
        footerHeading = "%nA first round:%n",
        footer = {
            "  export XMEM_STORE=.xmem-store",
            "  echo '{\"type\":\"tool_failure\",\"tool\":\"npm\",\"error\":\"connect ETIMEDOUT\",'\\",
            "    '\"action\":\"install left-pad\",\"pattern_avoid\":\"Set the proxy first\"}' | xmem record",
            "  echo '{\"tool\":\"npm\",\"action\":\"install express\",\"error\":\"connect ETIMEDOUT\"}' | xmem recall",
            "  xmem search tool=npm",
            "where xmem stands for: java -jar xmem.jar"
        })
final class Root implements Runnable {
    private final Terminal terminal;

    @Option(
            names = "--store",
            scope = ScopeType.INHERIT,
            paramLabel = "DIR",
            description = "The store's folder; default: the environment variable XMEM_STORE.")
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

    Root(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        throw new UsageException("which command? One of record, recall, search, load, stats, verify, hash, completion;"
                + " xmem --help explains them.");
    }

    Terminal terminal() {
        return terminal;
    }

    /** The store, made where it is not there yet. */
    XMemStore writing() {
        return XMem.open(folder());
    }

    /** The store that is there already: asking makes none. Where its files cannot be written it is opened read-only. */
    XMemStore reading() {
        Path folder = existing();
        boolean writable = Files.isWritable(folder) && Files.isWritable(folder.resolve("data"));
        return writable ? XMem.open(folder) : XMem.builder(folder).readOnly().open();
    }

    /** The store that is there already, for looking only: not even derived files are renewed. */
    XMemStore inspecting() {
        return XMem.builder(existing()).readOnly().open();
    }

    private Path existing() {
        Path folder = folder();
        if (!Files.isDirectory(folder.resolve("data"))) {
            throw new UsageException("no xmem store in " + folder + "; record something first");
        }
        return folder;
    }

    private Path folder() {
        String named = System.getenv("XMEM_STORE");
        Path folder = store != null || named == null || named.isEmpty() ? store : Path.of(named);
        if (folder == null) {
            throw new UsageException("which store? Give --store DIR, or set XMEM_STORE to its folder.");
        }
        return folder;
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

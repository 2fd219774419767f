package dev.xmem.cli;

import dev.xmem.cli.install.InstallRequest;
import dev.xmem.cli.install.Installer;
import dev.xmem.cli.install.Installer.Change;
import dev.xmem.core.StoreFolders;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem install}: adds the hooks of xmem to the settings of a coding agent, or removes them. */
@Command(
        name = "install",
        description = {
            "Adds the hooks of xmem to the settings of a coding agent, or removes them.",
            "AGENT is one of claude, codex, gemini, copilot, vscode, cursor, opencode, kiro. Everything else in the"
                    + " settings keeps its bytes. A backup is next to each file that is changed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem install claude --dry-run",
            "  xmem install claude",
            "  xmem install cursor --project --mcp --store .xmem-store",
            "  xmem install claude --uninstall"
        })
final class InstallSubcommand extends Subcommand {
    @Parameters(arity = "1", paramLabel = "AGENT", description = "The coding agent.")
    String agent = "";

    @Option(names = "--uninstall", description = "Remove what was installed.")
    boolean uninstall;

    @Option(names = "--dry-run", description = "Print the changes as a unified diff; write nothing.")
    boolean dryRun;

    @Option(names = "--user", description = "For all projects of the user (default).")
    boolean user;

    @Option(names = "--project", description = "For the project of the working directory only.")
    boolean project;

    @Option(names = "--mcp", description = "Register the MCP server too.")
    boolean mcp;

    @Option(
            names = "--hook",
            paramLabel = "FILE",
            description = "The script xmem-hook; default: beside this program, or in the folder of its build.")
    @Nullable Path hook;

    @Option(names = "--mcp-jar", paramLabel = "FILE", description = "The jar of the MCP server; default: likewise.")
    @Nullable Path mcpJar;

    @Override
    public Integer call() throws IOException {
        if (user && project) {
            throw new UsageException("--user and --project exclude each other");
        }
        Installer installer = new Installer(request());
        List<Change> changes = installer.plan();
        if (!dryRun) {
            List<Change> order = new ArrayList<>(changes);
            if (uninstall) {
                // A folder was made for the first file in it, and is empty once that is the last.
                Collections.reverse(order);
            }
            for (Change change : order) {
                change.write();
            }
        }
        return answer(root.json ? json(changes, installer.notes()) : text(changes, installer.notes()));
    }

    private InstallRequest request() throws IOException {
        Environment environment = root.environment();
        Path base = project ? environment.projectFolder() : environment.home();
        Path script = file(hook, "--hook", "xmem-hook", "../../mcp-server/xmem-hook");
        if (!uninstall && !Files.isExecutable(script)) {
            throw new UsageException(script + " is not executable; make it so, then retry");
        }
        Path server = mcp || uninstall
                ? file(mcpJar, "--mcp-jar", "xmem-mcp.jar", "../../mcp-server/target/xmem-mcp.jar")
                : null;
        Path store = root.store != null ? environment.folder().resolve(root.store) : environment.store();
        if (store == null) {
            store = project ? StoreFolders.project(base) : environment.userStore();
        }
        return new InstallRequest(
                agent,
                !project,
                base,
                environment.variables(),
                script,
                store.toAbsolutePath().normalize(),
                server,
                uninstall);
    }

    private Path file(@Nullable Path named, String option, String name, String built) {
        Path here = program();
        Path path = named != null
                ? root.environment().folder().resolve(named)
                : Files.exists(here.resolve(name)) ? here.resolve(name) : here.resolve(built);
        path = path.toAbsolutePath().normalize();
        if (!uninstall && !Files.isRegularFile(path)) {
            throw new UsageException("there is no " + path + "; name the file with " + option);
        }
        if (path.toString().chars().anyMatch(c -> c < ' ')) {
            throw new UsageException("a path with control characters cannot be installed: " + path);
        }
        return path;
    }

    /** The folder of this program. */
    private static Path program() {
        try {
            Path code = Path.of(InstallSubcommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path folder = code.getParent();
            return folder == null ? code : folder;
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private String text(List<Change> changes, List<String> notes) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Change change : changes) {
            text.append(dryRun ? change.diff() : change.name() + " " + change.path() + "\n");
        }
        if (text.isEmpty()) {
            text.append("unchanged\n");
        }
        notes.forEach(note -> text.append(note).append('\n'));
        return text.toString();
    }

    private String json(List<Change> changes, List<String> notes) {
        return JsonText.object(g -> {
            g.writeBooleanField("dry_run", dryRun);
            JsonText.objects(g, "files", changes, change -> {
                g.writeStringField("path", change.path().toString());
                g.writeStringField("change", change.name());
                if (dryRun) {
                    g.writeStringField("diff", change.diff());
                }
            });
            JsonText.strings(g, "notes", notes);
        });
    }
}

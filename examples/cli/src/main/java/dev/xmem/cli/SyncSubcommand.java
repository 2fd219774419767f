package dev.xmem.cli;

import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.git.Transport;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem sync}: runs one sync round. */
@Command(
        name = "sync",
        description = {
            "Runs one sync round: publishes what this store recorded and imports what other stores published.",
            "The remote is a git repository, by URL or path, or any other directory, such as one on a"
                    + " synchronized drive. It is saved.",
            "A token for https is read from the environment variable XMEM_GIT_TOKEN."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem sync --remote git@example.org:team/memory.git",
            "  xmem sync --remote ~/Dropbox/memory",
            "  xmem sync --json | jq .imported",
            "  xmem sync status"
        })
final class SyncSubcommand extends Subcommand {
    @Option(names = "--remote", paramLabel = "URL-OR-PATH", description = "The remote; default: the saved one.")
    @Nullable String remote;

    @Option(
            names = "--transport",
            paramLabel = "git|jgit",
            description = "How a git remote is accessed: by the installed git (default), or by JGit, which starts no"
                    + " process.")
    String transport = "git";

    @Option(names = "--limit", paramLabel = "SECONDS", description = "Time limit; default 60.")
    int seconds = 60;

    @Override
    public Integer call() throws IOException {
        return round(root, root.stores().directory(), remote, transport, seconds);
    }

    /** Runs one sync round and prints its report. */
    static int round(RootCommand root, Path store, @Nullable String remote, String transport, int seconds)
            throws IOException {
        Duration limit = limit(seconds);
        SyncRemote remotes = new SyncRemote(store, root.environment());
        String named = remotes.remote(remote);
        boolean creates = !SyncRemote.mayExist(named);
        root.markChanged(store);
        SyncReport report;
        String error;
        ProgressReporter progress = ProgressReporter.of(root.terminal(), "sync", root.json);
        try (progress;
                XMemStore open = open(store, remotes.backend(named, transport(transport)))) {
            error = open.sync(limit).lastError();
            report = Objects.requireNonNull(open.stats().sync()); // the totals of this run
            if (error == null) {
                remotes.save(named);
            }
        }
        if (error != null) {
            root.terminal().error(root.json, error);
            return Main.FAILED;
        }
        if (creates) {
            root.terminal().notice(root.json, "created the shared folder " + named);
        }
        root.terminal().answer(root.json ? json(report) : text(report));
        root.terminal().flush();
        return report.refused().isEmpty() ? Main.OK : Main.REFUSED;
    }

    /** Parses a time limit. */
    static Duration limit(int seconds) {
        if (seconds < 1) {
            throw new UsageException("--limit must be a number of seconds, at least 1, not " + seconds);
        }
        return Duration.ofSeconds(seconds);
    }

    static XMemStore open(Path store, SyncBackend backend) {
        return XMem.builder(store)
                .sync(backend)
                .syncInterval(Duration.ofDays(1))
                .open();
    }

    static Transport transport(String name) {
        return switch (name) {
            case "git" -> Transport.GIT;
            case "jgit" -> Transport.JGIT;
            default -> throw new UsageException("--transport must be git or jgit, not " + name);
        };
    }

    private static String text(SyncReport report) {
        StringBuilder text = new StringBuilder("published " + report.published() + ", imported " + report.imported()
                + ", pending " + report.pending() + "; this store is " + report.replica());
        report.refused().forEach(refused -> text.append("\nrefused: ").append(refused));
        return text.toString();
    }

    private static String json(SyncReport report) {
        return JsonText.object(g -> {
            g.writeStringField("backend", report.backend());
            g.writeStringField("replica", report.replica());
            g.writeNumberField("published", report.published());
            g.writeNumberField("imported", report.imported());
            g.writeNumberField("pending", report.pending());
            g.writeStringField(
                    "last_success",
                    report.lastSuccess() == null ? null : report.lastSuccess().toString());
            JsonText.strings(g, "refused", report.refused());
        });
    }
}

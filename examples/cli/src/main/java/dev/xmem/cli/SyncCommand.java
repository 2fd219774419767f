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
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem sync}: one round with other stores. */
@Command(
        name = "sync",
        description = {
            "Publishes what this store recorded and imports what others published: one full round.",
            "The remote is a git repository, by URL or folder, or any other folder, such as one on a synchronised drive.",
            "It is remembered. A token for https is taken from the environment variable XMEM_GIT_TOKEN."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem sync --remote git@example.org:team/memory.git",
            "  xmem sync --remote ~/Dropbox/memory",
            "  xmem sync --json | jq .imported",
            "  xmem sync status"
        })
final class SyncCommand implements Callable<Integer> {
    private final Root root;

    @Option(names = "--remote", paramLabel = "URL-OR-PATH", description = "What to sync with; default: as last time.")
    @Nullable String remote;

    @Option(
            names = "--transport",
            paramLabel = "git|jgit",
            description = "Who speaks to a git remote: the machine's git (default), or JGit, which starts no process.")
    String transport = "git";

    @Option(names = "--limit", paramLabel = "SECONDS", description = "How long it may take; default 60.")
    int seconds = 60;

    SyncCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        return round(root, root.stores().folderToSync(), remote, transport, seconds);
    }

    /** One round; prints what it did. */
    static int round(Root root, Path store, @Nullable String remote, String transport, int seconds) throws IOException {
        Duration limit = limit(seconds);
        Remotes remotes = new Remotes(store, root.surroundings());
        String named = remotes.remote(remote);
        root.changes(store);
        SyncReport report;
        String error;
        Progress progress = Progress.of(root.terminal(), "sync", root.json);
        try (progress;
                XMemStore open = open(store, remotes.backend(named, transport(transport)))) {
            error = open.sync(limit).lastError();
            report = Objects.requireNonNull(open.stats().sync()); // all rounds of this run
            if (error == null) {
                remotes.remember(named);
            }
        }
        if (error != null) {
            root.terminal().error(root.json, error);
            return Main.FAILED;
        }
        answer(root, report);
        return report.refused().isEmpty() ? Main.OK : Main.REFUSED;
    }

    /** How long something may take. */
    static Duration limit(int seconds) {
        if (seconds < 1) {
            throw new UsageException("--limit is a number of seconds, 1 at least, not " + seconds);
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
            default -> throw new UsageException("--transport is git or jgit, not " + name);
        };
    }

    static void answer(Root root, SyncReport report) throws IOException {
        root.terminal().answer(root.json ? json(report) : text(report));
        root.terminal().flush();
    }

    private static String text(SyncReport report) {
        StringBuilder text = new StringBuilder();
        text.append("published ").append(report.published());
        text.append(", imported ").append(report.imported());
        text.append(", pending ").append(report.pending());
        text.append("; this store is ").append(report.replica());
        for (String refused : report.refused()) {
            text.append("\nrefused: ").append(refused);
        }
        return text.toString();
    }

    private static String json(SyncReport report) {
        return Json.object(g -> {
            g.writeStringField("backend", report.backend());
            g.writeStringField("replica", report.replica());
            g.writeNumberField("published", report.published());
            g.writeNumberField("imported", report.imported());
            g.writeNumberField("pending", report.pending());
            g.writeStringField(
                    "last_success",
                    report.lastSuccess() == null ? null : report.lastSuccess().toString());
            g.writeArrayFieldStart("refused");
            for (String refused : report.refused()) {
                g.writeString(refused);
            }
            g.writeEndArray();
        });
    }
}

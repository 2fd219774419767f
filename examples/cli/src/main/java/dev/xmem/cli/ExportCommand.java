package dev.xmem.cli;

import dev.xmem.git.Exported;
import dev.xmem.git.GitExport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem export}: the store as the seed's files, committed to a git repository. */
@Command(
        name = "export",
        description = {
            "Makes data/failures.jsonl, data/successes.jsonl, data/index.json and their like in a git repository, and commits"
                    + " them in one commit, such as: X-MEM: Record failure 2026-02-14-003 (rclone sync).",
            "Into a clone (--to), with --push also to its remote; or onto a branch of a remote without a clone (--remote,"
                    + " --branch), which is always pushed. It is a view: where others pushed in between it is made anew.",
            "The exit code is 1 where it is committed and could not be pushed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem --store .xmem-store export --to . --push",
            "  xmem export --remote git@example.org:team/memory.git --branch memory"
        })
final class ExportCommand implements Callable<Integer> {
    private final Root root;

    @ArgGroup(exclusive = true, multiplicity = "1")
    Where where = new Where();

    @Option(names = "--push", description = "Fetch before and push after; only with --to.")
    boolean push;

    @Option(names = "--transport", paramLabel = "git|jgit", description = "As for sync; only with --remote.")
    String transport = "git";

    @Option(names = "--limit", paramLabel = "SECONDS", description = "How long it may take; default 60.")
    int seconds = 60;

    /** A clone, or a branch of a remote. */
    static final class Where {
        @Option(names = "--to", required = true, paramLabel = "DIR", description = "A folder in a clone.")
        @Nullable Path clone;

        @ArgGroup(exclusive = false)
        @Nullable Remote remote;
    }

    /** A branch of a remote. */
    static final class Remote {
        @Option(names = "--remote", required = true, paramLabel = "URL-OR-PATH", description = "A git repository.")
        String url = "";

        @Option(names = "--branch", required = true, paramLabel = "NAME", description = "A branch; made if needed.")
        String branch = "";
    }

    ExportCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Exported done;
        Progress progress = Progress.of(root.terminal(), "export", root.json);
        try (progress) {
            done = target().export(Duration.ofSeconds(seconds));
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        root.terminal().answer(root.json ? json(done) : text(done));
        root.terminal().flush();
        return done.problem() == null ? Main.OK : Main.REFUSED;
    }

    private GitExport target() {
        Path store = root.stores().folderThatIsThere();
        if (where.remote == null) {
            Path clone = root.surroundings().folder().resolve(String.valueOf(where.clone));
            return GitExport.toWorkTree(store, clone, push);
        }
        Remotes remotes = new Remotes(store, root.surroundings());
        String token = root.surroundings().variables().getOrDefault("XMEM_GIT_TOKEN", "");
        Remotes.quiet();
        return GitExport.toBranch(
                store,
                remotes.remote(where.remote.url),
                where.remote.branch,
                SyncCommand.transport(transport),
                null,
                token.isEmpty() ? null : token);
    }

    private static String text(Exported done) {
        String text = done.committed() ? "committed: " + done.message() : "nothing to commit";
        String pushed = done.pushed() ? "\npushed" : "";
        return text + pushed + (done.problem() == null ? "" : "\nnot pushed: " + done.problem());
    }

    private static String json(Exported done) {
        return Json.object(g -> {
            g.writeBooleanField("committed", done.committed());
            g.writeBooleanField("pushed", done.pushed());
            g.writeStringField("message", done.message());
            g.writeStringField("problem", done.problem());
        });
    }
}

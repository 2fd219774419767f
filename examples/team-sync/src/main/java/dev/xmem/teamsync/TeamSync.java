package dev.xmem.teamsync;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.git.GitSyncBackend;
import dev.xmem.git.Transport;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.JGitInternalException;

/** Two agents on two machines, each with its own store, share what they learn through a bare git repository. */
public final class TeamSync {
    private static final int MAX_WAIT_SECONDS = 60;

    private TeamSync() {}

    public static void main(String[] args) throws Exception {
        System.setProperty("slf4j.internal.verbosity", "ERROR"); // silences the warning that no SLF4J logger is bound
        Path folder = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("xmem-team");
        System.exit(start(folder, new PrintStream(System.out, true, StandardCharsets.UTF_8)));
    }

    static int start(Path folder, PrintStream out) throws InterruptedException {
        try {
            return run(folder, out) ? 0 : 1;
        } catch (GitAPIException | JGitInternalException | XMemException e) {
            out.println("The folder " + folder + " cannot be used: " + e.getMessage());
            return 1;
        }
    }

    /** Runs the scenario in a directory; true if the second agent got the advice that the first one recorded. */
    static boolean run(Path folder, PrintStream out) throws GitAPIException, InterruptedException {
        Path team = folder.resolve("team.git");
        Git.init().setBare(true).setDirectory(team.toFile()).call().close();
        out.println("team repository: " + team);

        try (XMemStore anna = open(folder.resolve("anna"), team);
                XMemStore ben = open(folder.resolve("ben"), team)) {
            ToolCall call =
                    ToolCall.shell("rclone sync gdrive-jimmy:folder /data").session("anna-monday");
            ToolError error = ToolError.exit(1, "Failed to create file system: didn't find section in config file");
            Failure learned = anna.recordFailure(
                    Failure.of(call, error).patternAvoid("Check the remote's name with `rclone config show` first"));
            out.println("anna recorded " + learned.id() + " (" + learned.ctxHash() + ")");

            // Ben's agent hits the same failure with other paths. Both stores sync in the background.
            ToolCall again =
                    ToolCall.shell("/usr/bin/rclone sync work:b /mnt/c").session("ben-tuesday");
            long begin = System.nanoTime();
            Advice advice = ben.recall(again, error);
            while (advice.isEmpty() && System.nanoTime() - begin < MAX_WAIT_SECONDS * 1_000_000_000L) {
                Thread.sleep(100);
                advice = ben.recall(again, error);
            }
            out.printf(
                    "ben got the advice after %.1f s:%n%s%n",
                    (System.nanoTime() - begin) / 1e9, advice.text().strip());
            return !advice.isEmpty();
        }
    }

    private static XMemStore open(Path store, Path team) {
        return XMem.builder(store)
                .sync(GitSyncBackend.of(store, team.toString())
                        .transport(Transport.JGIT)
                        .build())
                .open();
    }
}

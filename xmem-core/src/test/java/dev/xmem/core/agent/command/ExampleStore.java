package dev.xmem.core.agent.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The files of a store with the numbers of the protocol's examples: 25 failures and 18 successes. */
public final class ExampleStore {
    /** Two days after the newest entry. */
    public static final Instant NOW = Instant.parse("2026-02-16T18:00:00Z");

    private static final int FAILURE_BYTES = 12_595;
    private static final int SUCCESS_BYTES = 8_294;

    private ExampleStore() {}

    /** Writes the files into a folder. */
    public static void write(Path folder) {
        try {
            Path data = Files.createDirectories(folder.resolve("data"));
            Files.createDirectories(data.resolve("backup/2026-01-15T03_00_00Z"));
            Files.writeString(data.resolve("failures.jsonl"), padded(failures(), FAILURE_BYTES));
            Files.writeString(data.resolve("successes.jsonl"), padded(successes(), SUCCESS_BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines, padded with blanks before the last brace to a file of the given size. */
    private static String padded(List<String> lines, int bytes) {
        String text = String.join("\n", lines);
        int missing = bytes - text.getBytes(StandardCharsets.UTF_8).length - 1;
        if (missing < 0) {
            throw new IllegalStateException("the lines are " + -missing + " bytes too long");
        }
        return text.substring(0, text.length() - 1) + " ".repeat(missing) + "}\n";
    }

    private static List<String> failures() {
        List<String> lines = new ArrayList<>();
        lines.add(failure("2026-01-20-001", "docker", "build", "build-no-space-left", "'docker'", ""));
        lines.add(failure("2026-01-20-002", "docker", "pull", "pull-rate-limited", "'docker'", ""));
        lines.add(failure("2026-01-21-001", "docker", "push", "push-denied", "'docker'", ""));
        lines.add(failure("2026-01-22-001", "pip", "install", "install-no-matching", "'python'", ""));
        lines.add(failure("2026-01-22-002", "pip", "install", "install-externally-managed", "'python'", ""));
        lines.add(failure("2026-01-23-001", "ssh", "host", "host-key-changed", "'config'", ""));
        lines.add(failure("2026-01-24-001", "ssh", "host", "host-permission-denied", "'config'", ""));
        lines.add(failure("2026-01-25-001", "npm", "install", "install-network-timeout", "'npm'", ""));
        lines.add(failure("2026-01-26-001", "npm", "install", "install-eresolve", "'npm'", ""));
        lines.add(failure("2026-01-27-001", "npm", "ci", "ci-lock-missing", "'npm'", ""));
        lines.add(failure("2026-01-28-001", "npm", "run", "run-missing-script", "'npm','config'", ""));
        lines.add(failure("2026-01-29-001", "git", "push", "push-no-upstream", "'config'", ""));
        lines.add(failure("2026-01-30-001", "git", "push", "push-non-fast-forward", "'branch'", ""));
        lines.add(failure("2026-01-31-001", "git", "merge", "merge-conflict", "'branch'", ""));
        lines.add(failure("2026-02-01-001", "git", "commit", "commit-no-identity", "'config','commit'", ""));
        lines.add(failure("2026-02-02-001", "git", "commit", "commit-hook-failed", "'commit'", ""));
        lines.add(failure("2026-02-03-001", "git", "clone", "clone-not-found", "'branch'", ""));
        lines.add(failure("2026-02-04-001", "rclone", "mount", "mount-already-mounted", "'gdrive'", ""));
        lines.add(failure("2026-02-05-001", "rclone", "copy", "copy-quota-exceeded", "'gdrive'", ""));
        lines.add(failure("2026-02-06-001", "rclone", "ls", "ls-not-found", "'gdrive','config'", ""));
        lines.add(failure("2026-02-07-001", "rclone", "sync", "sync-permission-denied", "'gdrive','config'", ""));
        lines.add(failure("2026-02-08-002", "rclone", "sync", "sync-token-expired", "'gdrive','config'", ""));
        lines.add(failure("2026-02-09-001", "rclone", "config", "config-locked", "'config'", ""));
        lines.add(failure("2026-02-10-005", "rclone", "copy", "copy-network-timeout", "'gdrive'", ""));
        lines.add(failure(
                "2026-02-14-001",
                "rclone",
                "sync gdrive-jimmy:folder /local/path",
                "sync-config-not-found",
                "'rclone','gdrive','config'",
                "'pattern_avoid':'Verify remote name exists before sync',"
                        + "'tried_also':['rclone ls gdrive-jimmy:','rclone config show'],"
                        + "'notes':'Remote name typo: `gdrive-jimmy` vs `gdrive-jimmy:`',"));
        return lines;
    }

    private static String failure(String id, String tool, String action, String pattern, String tags, String more) {
        String error = pattern.equals("sync-config-not-found")
                ? "Failed to create file system: didn`t find section in config file"
                : "it said: " + pattern.replace('-', ' ');
        return ("{'id':'" + id + "','ts':'" + id.substring(0, 10) + "T16:30:00Z','type':'tool_failure','tool':'" + tool
                        + "','action':'" + action + "','error':'" + error + "'," + more
                        + "'block_level':'warning','tags':[" + tags + "],'ctx_hash':'" + tool + "-" + pattern + "'}")
                .replace('\'', '"')
                .replace('`', '\'');
    }

    private static List<String> successes() {
        List<String> lines = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            lines.add(success(
                    "2026-01-1" + i + "-001",
                    "git",
                    "Git habit " + i,
                    "'Look','Act'",
                    "0.6",
                    i,
                    i <= 2 ? "'commit'" : ""));
        }
        for (int i = 1; i <= 4; i++) {
            lines.add(success("2026-01-0" + i + "-001", "bash", "Bash habit " + i, "'Quote it'", "0.5", 1, ""));
        }
        lines.add(success(
                "2026-02-08-001",
                "rclone",
                "rclone mount best practices",
                "'Use --vfs-cache-mode writes'",
                "0.7",
                1,
                "'gdrive'"));
        lines.add(success(
                "2026-02-08-004",
                "git",
                "Pre-commit hook handling",
                "'Fix issues before re-commit (don`t --no-verify)','Create NEW commit after hook failure'",
                "1.0",
                8,
                "'git-commit','commit'"));
        lines.add(success(
                "2026-02-10-007",
                "git",
                "Commit message style",
                "'Follow conventional commits format','Include scope in parentheses'",
                "0.88",
                5,
                "'git-commit','commit'"));
        lines.add(success("2026-02-12-003", "rclone", "rclone sync with retry", "'Add --retries 5'", "0.8", 3, ""));
        lines.add(success(
                "2026-02-14-002",
                "git",
                "Atomic commit with Co-Authored-By",
                "'Use HEREDOC for multi-line messages','Stage specific files only'",
                "0.95",
                12,
                "'git-commit','commit'"));
        return lines;
    }

    private static String success(
            String id, String tool, String name, String steps, String confidence, int used, String tags) {
        String hash = name.equals("Atomic commit with Co-Authored-By") ? "git-commit-heredoc" : tool + "-habit";
        return ("{'id':'" + id + "','ts':'" + id.substring(0, 10) + "T17:00:00Z','type':'tool_success','tool':'" + tool
                        + "','pattern_name':'" + name + "','key_steps':[" + steps
                        + "],'critical_params':{},'confidence':"
                        + confidence + ",'usage_count':" + used + ",'tags':[" + tags + "],'ctx_hash':'" + hash + "'}")
                .replace('\'', '"')
                .replace('`', '\'');
    }
}

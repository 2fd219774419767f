package dev.xmem.core.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.xmem.Failure;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every example of the X-MEM protocol as it is typed, and its output: one golden file each. */
class SlashGoldenTest {
    private static final Path GOLDEN = Path.of("xmem-core/src/test/resources/dev/xmem/core/golden/slash");
    private static final String FILLED_FORM = """
            /xmem:record failure
            Tool name: rclone
            Command: rclone sync gdrive-jimmy:folder /local/path
            Error message: Failed to create file system: didn't find section in config file
            Pattern to avoid: Verify remote name exists with 'rclone config show' before sync
            Tags (comma-separated): rclone, gdrive, config
            Additional notes: Remote name typo - missing colon
            """;
    private static final String SAME_FAILURE = "/xmem:recall tool=rclone exit_code=1"
            + " action=\"rclone sync gdrive-jimmy:folder /local/path\""
            + " error=\"Failed to create file system: didn't find section in config file\"";

    @TempDir
    Path folder;

    private Instant now = ExampleStore.NOW;

    private XMemStore open() {
        return XMem.builder(folder.resolve("store")).clock(() -> now).open();
    }

    private XMemStore seedStore() {
        ExampleStore.write(folder.resolve("store"));
        return open();
    }

    /** Compares a text with a golden file. A missing file is written, so a deleted file is generated again. */
    private static void matches(String name, SlashCommands.Reply reply) throws IOException {
        assertThat(reply.ok()).as(reply.text()).isTrue();
        Path file = Repository.root().resolve(GOLDEN).resolve(name + ".txt");
        if (Files.notExists(file)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, reply.text() + "\n");
            fail("%s was not there and is written now. Read it, and run the test again.", file);
        }
        assertThat(reply.text() + "\n")
                .as("%s. If the new text is right, delete the file and run the test: it is written again.", file)
                .isEqualTo(Files.readString(file));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load-tool | /xmem:load tool=rclone",
                "load-tag | /xmem:load tag=git-commit",
                "load-limit | /xmem:load limit=10",
                "search-tool-git | /xmem:search tool=git",
                "search-tool-rclone | /xmem:search tool=rclone",
                "search-tag-config | /xmem:search tag=config",
                "search-tag-git-commit | /xmem:search tag=git-commit",
                "search-ctx-hash | /xmem:search ctx_hash=git-commit-heredoc",
                "search-beyond | /xmem:search --offset=70",
                "stats | /xmem:stats",
                "form-failure | /xmem:record failure",
                "form-success | /xmem:record success",
                "help | /xmem:help",
            })
    void execute_onTheProtocolsFigures_isTheGoldenText(String name, String line) throws IOException {
        try (XMemStore store = seedStore()) {
            matches(name, SlashCommands.on(store).execute(line, "s1"));
        }
    }

    @Test
    void execute_searchForWords_findsTheProtocolsFailureFirst() {
        try (XMemStore store = seedStore()) {
            SlashCommands.Reply reply = SlashCommands.on(store).execute("/xmem:search rclone remote", "s1");
            assertThat(reply.text())
                    .startsWith("Found ")
                    .contains(
                            "\n\nFailures (", "\n1. 2026-02-14-001: rclone sync config-not-found — Verify remote name");
        }
    }

    @Test
    void execute_stats_isTheProtocolsBlockToTheLetter() {
        try (XMemStore store = seedStore()) {
            String text = SlashCommands.on(store).execute("/xmem:stats", "s1").text();
            assertThat(text.replaceAll("\n- [a-z.]+: 0 B", "")).isEqualTo("""
                            📊 X-MEM Statistics

                            Total Entries:
                            - Failures: 25
                            - Successes: 18

                            Top Tools (by failures):
                            1. rclone: 8 failures
                            2. git: 6 failures
                            3. npm: 4 failures

                            Top Tools (by successes):
                            1. git: 12 successes
                            2. bash: 4 successes
                            3. rclone: 2 successes

                            Most Used Tags:
                            1. config (10 entries)
                            2. gdrive (8 entries)
                            3. commit (7 entries)

                            Storage:
                            - failures.jsonl: 12.3 KB
                            - successes.jsonl: 8.1 KB
                            - Last compaction: 2026-01-15""");
        }
    }

    @Test
    void execute_theProtocolsFirstAndSecondExample_areTheGoldenTexts() throws IOException {
        now = Instant.parse("2026-02-14T16:30:00Z");
        try (XMemStore store = open()) {
            SlashCommands commands = SlashCommands.on(store);
            assertThat(commands.execute("/xmem:record failure", "s1").text())
                    .startsWith("/xmem:record failure\nTool name:");
            matches("record-failure", commands.execute(FILLED_FORM, "s1"));
            now = now.plus(Duration.ofDays(2));
            matches("offer", commands.execute(SAME_FAILURE, "s2"));
            matches("review", commands.execute("yes", "s2"));
            Failure stored = (Failure) store.find("2026-02-14-001").orElseThrow();
            assertThat(stored.tags()).containsExactly("rclone", "gdrive", "config");
            assertThat(stored.notes()).isEqualTo("Remote name typo - missing colon");
            assertThat(stored.sessionId()).isEqualTo("s1");
        }
        assertThat(folder.resolve("store/data/index.json")).content().contains("rclone-sync-config-not-found");
    }

    @Test
    void execute_entryWithAttemptsAndPlainAdvice_isTheGoldenCard() throws IOException {
        try (XMemStore store = seedStore()) {
            SlashCommands commands = SlashCommands.on(store);
            matches("offer-seed", commands.execute(SAME_FAILURE, "s1"));
            matches("review-seed", commands.execute("yes", "s1"));
        }
    }

    @Test
    void execute_nothingKnown_offersToRecord() throws IOException {
        try (XMemStore store = open()) {
            SlashCommands commands = SlashCommands.on(store);
            matches("offer-to-record", commands.execute(SAME_FAILURE, "s1"));
            matches("form-known", commands.execute("yes", "s1"));
        }
    }

    @Test
    void execute_recordSuccess_isTheGoldenText() throws IOException {
        now = Instant.parse("2026-02-14T17:00:00Z");
        try (XMemStore store = open()) {
            SlashCommands commands = SlashCommands.on(store);
            matches(
                    "record-success",
                    commands.execute(
                            "/xmem:record success tool=git name=\"Atomic commit with Co-Authored-By\""
                                    + " operation=commit signature=heredoc confidence=0.95"
                                    + " steps=\"Stage specific files only (avoid 'git add .');"
                                    + " Use HEREDOC for multi-line commit message; Include Co-Authored-By trailer\""
                                    + " params=\"commit_format: $(cat <<'EOF' ...)\" tags=git,commit,best-practice",
                            "s1"));
            matches("load-success", commands.execute("/xmem:load", "s1"));
        }
    }

    @Test
    void execute_150Entries_showsThemInPagesOf70() throws IOException {
        List<Failure.Draft> drafts = new ArrayList<>();
        IntStream.rangeClosed(1, 150)
                .forEach(i -> drafts.add(Failure.of("rclone", "sync number" + i, "config not found " + i)
                        .tags("many")));
        try (XMemStore store = open()) {
            store.recordAll(drafts);
            SlashCommands commands = SlashCommands.on(store);
            SlashCommands.Reply first = commands.execute("/xmem:search tool=rclone", "s1");
            assertThat(first.text())
                    .contains("Showing 70 of 150 entries (15K token limit)\n"
                            + "Refine search or load next page? (/xmem:search tool=rclone --offset=70)");
            String next =
                    first.text().substring(first.text().lastIndexOf('(') + 1).replace(")", "");
            assertThat(commands.execute(next, "s1").text()).contains("Showing 71–140 of 150 entries", "--offset=140)");
            assertThat(commands.execute("/xmem:search --offset=70", "s1").text())
                    .contains("Showing 71–140 of 150 entries (15K token limit)\n"
                            + "Refine search or load next page? (/xmem:search --offset=140)");
            assertThat(commands.execute("/xmem:search tool=rclone --offset=140", "s1")
                            .text())
                    .contains("Failures (10):")
                    .doesNotContain("Showing");
        }
    }

    @Test
    void execute_150KnownEntries_isTheGoldenPage() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= 150; i++) {
            lines.append(String.format(
                    "{\"id\":\"2026-02-14-%03d\",\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"tool_failure\","
                            + "\"tool\":\"rclone\",\"action\":\"sync\",\"error\":\"e\",\"ctx_hash\":\"rclone-sync-config-not-found\"}%n",
                    i));
        }
        Path data = Files.createDirectories(folder.resolve("store/data"));
        Files.writeString(data.resolve("failures.jsonl"), lines);
        try (XMemStore store = open()) {
            SlashCommands commands = SlashCommands.on(store);
            matches("overflow", commands.execute("/xmem:search tool=rclone", "s1"));
            matches("overflow-next", commands.execute("/xmem:search tool=rclone --offset=70", "s1"));
        }
    }

    @Test
    void execute_compact_isTheGoldenAnswer() throws IOException {
        try (XMemStore store = seedStore()) {
            SlashCommands commands = SlashCommands.on(store);
            matches("compact-nothing", commands.execute("/xmem:compact", "s1"));
            for (int i = 0; i < 3; i++) {
                store.recordFailure(Failure.of("npm", "ci", "connect ETIMEDOUT").sessionId("s" + i));
            }
            matches("compact-dry-run", commands.execute("/xmem:compact --dry-run", "s1"));
            matches("compact", commands.execute("/xmem:compact --prune-after-days 3650", "s1"));
        }
    }
}

package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code xmem record failure} and {@code record success}: from prompts, a form, or arguments. */
class RecordOneTest {
    @TempDir
    Path folder;

    private Environment terminal;
    private Environment pipe;

    @BeforeEach
    void environment() {
        Map<String, String> variables =
                Map.of("XMEM_STORE", folder.resolve("store").toString());
        terminal = new Environment(variables, folder, folder, true);
        pipe = new Environment(variables, folder, folder, false);
    }

    private String storeTold() {
        return "xmem: store: " + folder.resolve("store") + "\n";
    }

    @Test
    void failure_atTerminal_promptsInOrder() throws IOException {
        Xmem run = Xmem.in(terminal, """
                rclone
                rclone sync gdrive-jimmy:folder /local/path
                Failed to create file system: didn't find section in config file
                Command: "again" \\ and again

                Verify remote name exists with 'rclone config show' before sync
                rclone, gdrive, config
                Remote name typo - missing colon
                """, "record", "failure", "--session", "s1");

        assertThat(run.code()).isZero();
        assertThat(run.err())
                .isEqualTo(
                        storeTold() + "Tool name: Command: Error message (end with an empty line): Pattern to avoid: "
                                + "Tags (comma-separated): Additional notes: ");
        assertThat(run.lines()).hasSize(4);
        assertThat(run.lines().get(0)).matches("✅ Recorded failure \\d{4}-\\d\\d-\\d\\d-001");
        assertThat(run.lines().get(1)).isEqualTo("Context hash: rclone-sync-config-not-found");
        assertThat(line("failures.jsonl"))
                .contains("\"tool\":\"rclone\"", "\"action\":\"rclone sync gdrive-jimmy:folder /local/path\"")
                .contains("\"error\":\"Failed to create file system: didn't find section in config file")
                .contains("\"pattern_avoid\":\"Verify remote name exists with 'rclone config show' before sync\"")
                .contains("\"tags\":[\"rclone\",\"gdrive\",\"config\"]", "\"session_id\":\"s1\"")
                .contains("\"notes\":\"Remote name typo - missing colon\"");
    }

    @Test
    void failure_requiredFieldEmpty_isAskedAgain() throws IOException {
        Xmem run = Xmem.in(terminal, "\n  \ngit\n\n\nrejected\n\n\n\n\n", "record", "failure");

        assertThat(run.code()).isZero();
        assertThat(run.err())
                .isEqualTo(storeTold()
                        + "Tool name: Tool name: Tool name: Command: Error message (end with an empty line): "
                        + "Error message (end with an empty line): Pattern to avoid: Tags (comma-separated): "
                        + "Additional notes: ");
        assertThat(line("failures.jsonl")).contains("\"tool\":\"git\"", "\"error\":\"rejected\"");
    }

    @Test
    void failure_inputEndsEarly_recordsNothing() {
        Xmem run = Xmem.in(terminal, "git\ngit push\n", "record", "failure");

        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).contains("nothing was recorded: the input ended before \"Error message\"");
        assertThat(folder.resolve("store/data/failures.jsonl"))
                .satisfiesAnyOf(
                        f -> assertThat(f).doesNotExist(), f -> assertThat(f).isEmptyFile());
    }

    @Test
    void failure_noStoreGiven_failsBeforePrompts() {
        Xmem run = Xmem.in(new Environment(Map.of(), folder, folder, true), "git\n", "record", "failure");

        assertThat(run.err()).startsWith("xmem: no store: give --store");
    }

    @Test
    void success_atTerminal_readsStepsLineByLine() throws IOException {
        Xmem run = Xmem.in(terminal, """
                git
                Atomic commit with Co-Authored-By
                1. Stage specific files only (avoid 'git add .')
                2. Include a trailer

                format: heredoc
                git, commit
                """, "record", "success");

        assertThat(run.code()).isZero();
        assertThat(run.err())
                .isEqualTo(storeTold()
                        + "Tool name: Pattern name: Key steps (end with an empty line): Critical parameters: "
                        + "Tags (comma-separated): ");
        assertThat(line("successes.jsonl"))
                .contains("\"key_steps\":[\"Stage specific files only (avoid 'git add .')\",\"Include a trailer\"]")
                .contains("\"critical_params\":{\"format\":\"heredoc\"}", "\"tags\":[\"git\",\"commit\"]");
    }

    @Test
    void form_fromPipe_isFilledFormOrWords() throws IOException {
        Xmem form = Xmem.in(pipe, """
                /xmem:record failure
                Tool name: git
                Command: git push
                Error message: rejected
                  non-fast-forward
                Pattern to avoid: Pull first
                Tags: git, push
                """, "record", "failure");
        Xmem words = Xmem.in(pipe, "tool=git name=\"Pull with rebase\" tags=git", "record", "success");

        assertThat(form.out()).startsWith("✅ Recorded failure ");
        assertThat(form.err()).isEqualTo(storeTold());
        assertThat(line("failures.jsonl"))
                .contains("\"error\":\"rejected", "\"action\":\"git push\"", "\"tags\":[\"git\",\"push\"]");
        assertThat(words.out()).startsWith("✅ Recorded success ");
    }

    @Test
    void form_empty_isPrintedAndNothingRecorded() {
        Xmem run = Xmem.in(pipe, "\n", "record", "success");

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.lines()).startsWith("/xmem:record success", "Tool name:", "Pattern name:");
        assertThat(run.err()).startsWith("xmem: nothing was recorded: fill in the form");
        assertThat(folder.resolve("store")).doesNotExist();
    }

    @Test
    void words_asArguments_areRecorded() throws IOException {
        Xmem run = Xmem.in(
                pipe, "", "record", "failure", "tool=git", "command=git push", "error=rejected: stale", "--json");

        assertThat(run.out()).startsWith("{\"ok\":true,\"text\":\"✅ Recorded failure ");
        assertThat(line("failures.jsonl")).contains("\"action\":\"git push\"", "\"error\":\"rejected: stale\"");
    }

    @Test
    void words_requiredFieldMissing_isRefused() {
        Xmem run = Xmem.in(pipe, "", "record", "failure", "tool=git");

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.out()).contains("Error message is missing");
    }

    /** The agent's hook has recorded the failure before a person notes the lesson: it happened once. */
    @Test
    void lesson_onWhatAHookRecorded_isNoFurtherFailure() {
        try (XMemStore store = XMem.open(folder.resolve("store"))) {
            ToolCall call = ToolCall.shell("git push origin topic").session("hooks");
            store.guard().failed(call, ToolError.exit(128, "fatal: The current branch topic has no upstream branch."));
        }
        String[] words = {
            "record",
            "failure",
            "tool=git",
            "command=git push origin topic",
            "error=fatal: The current branch topic has no upstream branch.",
            "avoid=Push with -u"
        };

        Xmem first = Xmem.in(pipe, "", words);
        String recalled = recall();
        Xmem second = Xmem.in(pipe, "", words);

        assertThat(first.err()).containsPattern("-002 is in place of \\S+-001");
        assertThat(recalled).contains("seen 1×", "Push with -u");
        assertThat(second.err()).as("it happened again").isEqualTo(storeTold());
        assertThat(recall()).contains("seen 2×");
    }

    @Test
    void line_withALessonOnWhatAHookRecorded_isNoFurtherFailure() {
        String bare = "{\"type\":\"tool_failure\",\"tool\":\"git\",\"action\":\"push origin topic\","
                + "\"error\":\"fatal: The current branch topic has no upstream branch.\"";
        String lesson = bare + ",\"pattern_avoid\":\"Push with -u\",\"context\":{\"id\":7}";
        Xmem.in(pipe, bare + "}\n", "record");

        Xmem moved = Xmem.in(pipe, lesson + ",\"id\":\"2026-02-14-007\"}\n", "record");
        Xmem other = Xmem.in(pipe, lesson + ",\"session_id\":\"other\"}\n", "record");
        Xmem taught = Xmem.in(pipe, lesson + "}\n" + bare + "}\n" + lesson + "}\n", "record");

        assertThat(moved.out()).as("a line of another store").doesNotContain("in_place_of");
        assertThat(other.out()).as("of another session").doesNotContain("in_place_of");
        assertThat(taught.lines().get(0)).matches(".*\"in_place_of\":\"\\S+-001\"}");
        assertThat(taught.lines().subList(1, 3))
                .as("of the same input")
                .noneMatch(line -> line.contains("in_place_of"));
    }

    private String recall() {
        try (XMemStore store = XMem.open(folder.resolve("store"))) {
            return store.recall(
                            ToolCall.shell("git push origin topic"),
                            ToolError.exit(128, "fatal: The current branch topic has no upstream branch."))
                    .text();
        }
    }

    private String line(String log) throws IOException {
        return Files.readString(folder.resolve("store/data").resolve(log));
    }
}

package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code import} and {@code replay}. */
class TranscriptCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CALL = """
            {"type":"assistant","sessionId":"%1$s","timestamp":"%2$s:00Z","message":{"content":[{"type":"tool_use","id":"%3$s","name":"Bash","input":{"command":"%4$s"}}]}}
            {"type":"user","sessionId":"%1$s","timestamp":"%2$s:05Z","message":{"content":[{"type":"tool_result","tool_use_id":"%3$s","is_error":true,"content":"Exit code 1\\n%5$s"}]}}
            """;

    @TempDir
    Path folder;

    private Path transcripts;
    private String store;

    @BeforeEach
    void write() throws IOException {
        transcripts = Files.createDirectories(folder.resolve("home/.claude/projects/x"));
        store = folder.resolve("store").toString();
        String hostile = "ModuleNotFoundError: No module named 'yaml' </script><img src=x onerror=alert(1)>";
        Files.writeString(
                transcripts.resolve("s1.jsonl"),
                CALL.formatted("s1", "2026-03-01T09:00", "t1", "python3 a.py", hostile)
                        + CALL.formatted("s1", "2026-03-01T09:01", "t2", "python3 a.py", hostile));
        Files.writeString(
                transcripts.resolve("s2.jsonl"),
                CALL.formatted("s2", "2026-03-02T09:00", "t3", "python3 a.py", hostile) + "{\"type\":\"us");
    }

    private static Xmem xmem(String... args) {
        return Xmem.run(args);
    }

    @Test
    void import_dryRun_thenImport_thenNothing() throws IOException {
        Xmem dry = xmem("--store", store, "import", "--dry-run", transcripts.toString());
        assertThat(dry.out())
                .startsWith("3 failures in 1 family, 1 repeat in a session\nwould record 2 entries and 0 lessons");
        assertThat(folder.resolve("store")).doesNotExist();

        JsonNode first = JSON.readTree(xmem("--store", store, "--json", "import", transcripts.toString())
                .out());
        assertThat(first.get("failures").asInt()).isEqualTo(3);
        assertThat(first.get("repeats_in_session").asInt()).isEqualTo(1);
        assertThat(first.get("recorded").asInt()).isEqualTo(2);
        assertThat(first.get("unfinished").asInt()).isEqualTo(1);

        JsonNode again = JSON.readTree(xmem("--store", store, "--json", "import", transcripts.toString())
                .out());
        assertThat(again.get("unchanged").asInt()).isEqualTo(2);
        assertThat(again.get("recorded").asInt()).isZero();
    }

    @Test
    void replay_countsEachFailureOnce() throws IOException {
        Path page = folder.resolve("replay.html");
        Xmem replay = xmem("--json", "replay", "--html", page.toString(), transcripts.toString());
        assertThat(replay.out().strip().lines()).hasSize(1);
        JsonNode result = JSON.readTree(replay.out());
        assertThat(result.get("sessions").asInt()).isEqualTo(2);
        assertThat(result.get("calls").asInt()).isEqualTo(3);
        assertThat(result.get("failures").asInt()).isEqualTo(3);
        assertThat(result.get("families").asInt()).isEqualTo(1);
        assertThat(result.get("repeats_in_session").asInt()).isEqualTo(1);
        assertThat(result.get("repeats_from_earlier_sessions").asInt()).isEqualTo(1);
        assertThat(result.get("new").asInt()).isEqualTo(1);
        assertThat(result.get("placebo").get("new").asDouble()).isEqualTo(1);

        String html = Files.readString(page);
        assertThat(html).contains("\"repeats_in_session\":1").doesNotContain("<img", "</script><", "http:", "https:");
        assertThat(html.split("<script", -1)).as("the page's own scripts").hasSize(3);
    }

    @Test
    void replay_text_hasThePlaceboBesideTheCounts() {
        assertThat(xmem("replay", transcripts.toString()).out())
                .contains("3 failures in 1 family, 2 sessions", "repeats in a session", "placebo", "python-run-module");
    }

    @Test
    void replay_rows_nameEachFailureAndTheOneBefore_withoutTexts() throws IOException {
        Path rows = folder.resolve("rows.ndjson");
        assertThat(xmem("replay", "--rows", rows.toString(), transcripts.toString())
                        .code())
                .isZero();

        String text = Files.readString(rows);
        assertThat(text).doesNotContain("yaml", "a.py", "alert");
        assertThat(text.lines()).hasSize(3);
        JsonNode first = JSON.readTree(text.lines().toList().get(0));
        JsonNode second = JSON.readTree(text.lines().toList().get(1));
        JsonNode third = JSON.readTree(text.lines().toList().get(2));
        assertThat(first.has("before")).isFalse();
        assertThat(second.get("before")).isEqualTo(first.get("call"));
        assertThat(second.get("in_session").asBoolean()).isTrue();
        assertThat(third.get("before")).isEqualTo(second.get("call"));
        assertThat(third.get("in_session").asBoolean()).isFalse();
        assertThat(second.get("told").asBoolean()).isTrue();
        assertThat(third.get("told").asBoolean())
                .as("no lesson and no fix is known, and the call does not repeat")
                .isFalse();
        assertThat(third.get("lesson").asBoolean()).isFalse();
    }

    @Test
    void replay_outputThatCannotBeWritten_isRefusedBeforeTheWork() {
        for (String option : new String[] {"--rows", "--html"}) {
            for (Path wrong : new Path[] {folder, folder.resolve("missing/file")}) {
                Xmem refused = xmem("replay", option, wrong.toString(), transcripts.toString());
                assertThat(refused.code()).isEqualTo(2);
                assertThat(refused.out()).isEmpty();
                assertThat(refused.err()).contains(option + " must name a file", "create its folder first");
            }
        }
    }

    @Test
    void misuse_isExplained() {
        assertThat(xmem("replay", "--agent", "emacs").err()).contains("unknown agent", "swe-agent");
        assertThat(xmem("replay", folder.resolve("missing").toString()).code()).isEqualTo(1);
        assertThat(xmem("--store", store, "import", "--since", "yesterday", transcripts.toString())
                        .err())
                .contains("--since must be a day");
    }
}

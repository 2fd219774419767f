package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code xmem recall}, {@code search}, {@code load}, {@code stats} and {@code verify} on a small store. */
class ReadingCommandsTest {
    private static final String ENTRIES = """
            {"type":"tool_failure","tool":"rclone","action":"sync gdrive-jimmy:folder /local/path","error":"Failed to create file system: didn't find section in config file","pattern_avoid":"Verify remote name exists before sync","tags":["rclone","config"]}
            {"type":"tool_failure","tool":"npm","action":"install left-pad","error":"npm ERR! network request failed, reason: connect ETIMEDOUT","pattern_avoid":"Set the proxy first","tags":["network"]}
            {"type":"tool_success","tool":"git","action":"commit","signature":"heredoc","pattern_name":"Atomic commit with Co-Authored-By","key_steps":["Stage specific files only"],"confidence":0.95,"usage_count":12,"tags":["git","config"]}
            {"type":"fact","content":"The quarterly report is built on Fridays","tags":["report"]}
            """;

    @TempDir
    Path store;

    @BeforeEach
    void record() {
        assertThat(Xmem.fed(ENTRIES, "record", "--store", store.toString()).code())
                .isZero();
    }

    @Test
    void recall_similarFailure_returnsMatchAdviceAndStatus() {
        Xmem run = fed(
                "{\"tool\":\"rclone\",\"action\":\"rclone sync work:x /mnt\",\"exit_code\":1,\"session_id\":\"s2\","
                        + "\"error\":\"Failed to create file system: didn't find section in config file\"}\n",
                "recall");

        assertThat(run.code()).isZero();
        assertThat(run.lines()).singleElement().asString().satisfies(answer -> {
            assertThat(answer).startsWith("{\"matches\":[{\"id\":\"").contains("\"match\":\"exact\",\"score\":");
            assertThat(answer).contains("\"pattern_avoid\":\"Verify remote name exists before sync\"");
            assertThat(answer).contains("\"advice\":\"\\n").contains("\"status\":\"found\",\"reason\":\"");
        });
        assertThat(failures()).isEqualTo(2);
    }

    @Test
    void recall_nothingSimilar_reportsStatus() {
        Xmem run = fed("{\"tool\":\"ffmpeg\",\"action\":\"-i a.mov\",\"error\":\"moov atom not found\"}", "recall");

        assertThat(run.out())
                .startsWith("{\"matches\":[],\"advice\":\"\",\"status\":\"nothing_relevant\",\"reason\":\"");
    }

    @Test
    void recall_invalidLine_hasErrorResponseInOrder() {
        Xmem run = fed(
                "{\"tool\":\"npm\",\"action\":\"x\"}\n{\"tool\":\"npm\",\"action\":\"install x\",\"error\":\"E404\"}\n",
                "recall");

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.lines()).hasSize(2);
        assertThat(run.lines().get(0)).startsWith("{\"error\":\"error is missing");
        assertThat(run.lines().get(1)).startsWith("{\"matches\":");
        assertThat(run.err()).startsWith("{\"line\":1,\"error\":\"error is missing");
    }

    @Test
    void search_oneOrSeveralArguments_areEquivalent() {
        Xmem one = Xmem.run("search", "--store", store.toString(), "--json", "rclone remote tool=rclone");
        Xmem several = Xmem.run("search", "rclone", "remote", "--json", "tool=rclone", "--store", store.toString());

        assertThat(one.code()).isZero();
        assertThat(one.out()).isEqualTo(several.out());
        assertThat(one.lines()).singleElement().asString().contains("\"results\":[{", "\"total\":1", "\"tokens\":");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tool=git", "tag=config", "--limit=1", "limit=1", "\"specific files\"", "/Co-A.*By/", "offset=1"
            })
    void search_everyFormOfQuery_reachesTheParser(String query) {
        Xmem run = Xmem.run("search", query, "--store", store.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("Found ").endsWith("\n");
    }

    @Test
    void search_invalidQuery_isReported() {
        assertThat(Xmem.run("search", "--limt=5", "--store", store.toString())).satisfies(run -> {
            assertThat(run.code()).isEqualTo(Main.FAILED);
            assertThat(run.err()).contains("--limt;", "--limit=").contains("--batch");
        });
        assertThat(Xmem.run("search", "limit=many", "--json", "--store", store.toString()))
                .satisfies(run -> {
                    assertThat(run.code()).isEqualTo(Main.FAILED);
                    assertThat(run.err())
                            .startsWith("{\"error\":\"limit takes a whole number")
                            .contains("many");
                });
    }

    @Test
    void search_batch_answersEachLineInOrder() {
        Xmem run = fed("""
                {"q":"tool=rclone","limit":5}
                {"q":"limit=none"}
                {"limit":5}
                {"q":"config","limit":0}

                {"q":"","limit":1}
                {"q":"report"}""", "search", "--batch");

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.lines()).hasSize(6);
        assertThat(run.lines().get(0)).startsWith("{").contains("\"total\":1");
        assertThat(run.lines().get(1)).startsWith("{\"error\":\"limit takes");
        assertThat(run.lines().get(2)).startsWith("{\"error\":\"q is missing");
        assertThat(run.lines().get(3)).startsWith("{\"error\":\"limit must be a whole number of 1 or more, not 0");
        assertThat(run.lines().get(4)).contains("\"total\":4", "\"next_offset\":1");
        assertThat(run.lines().get(5)).contains("quarterly");
        assertThat(run.errors())
                .extracting(error -> error.substring(0, 9))
                .containsExactly("{\"line\":2", "{\"line\":3", "{\"line\":4");
    }

    @Test
    void search_batchWithAQuery_isRefused() {
        Xmem run = fed("", "search", "--batch", "tool=git");

        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).contains("tool=git");
    }

    @Test
    void load_query_printsFullEntriesNewestFirst() {
        Xmem run = Xmem.run("load", "tool=rclone", "--store", store.toString());

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("Loaded 1 failure", "Verify remote name exists before sync");
        assertThat(Xmem.run("load", "--json", "--limit=2", "--store", store.toString())
                        .lines())
                .singleElement()
                .asString()
                .contains("\"total\":4", "\"next_offset\":2");
    }

    @Test
    void stats_textAndJson_haveTotals() {
        assertThat(Xmem.run("stats", "--store", store.toString()).out())
                .contains("Failures: 2", "Successes: 1", "rclone", "failures.jsonl");
        assertThat(Xmem.run("stats", "--json", "--store", store.toString()).lines())
                .singleElement()
                .asString()
                .startsWith("{\"failures\":2,\"successes\":1,\"notes\":1,\"directives\":0,"
                        + "\"top_tools_by_failures\":{\"npm\":1,\"rclone\":1},\"top_tools_by_successes\":{\"git\":1},"
                        + "\"top_tags\":{\"config\":2,")
                .contains("\"files\":{", "\"failures.jsonl\":", "\"last_compaction\":null", "\"malformed_lines\":0");
    }

    @Test
    void verify_cleanThenDamaged_setsExitCode() throws IOException {
        assertThat(Xmem.run("verify", "--store", store.toString())).satisfies(run -> {
            assertThat(run.code()).isZero();
            assertThat(run.out()).isEqualTo("4 lines, all in order\n");
        });

        Files.writeString(store.resolve("data/failures.jsonl"), "nonsense\n", StandardOpenOption.APPEND);

        assertThat(Xmem.run("verify", "--store", store.toString())).satisfies(run -> {
            assertThat(run.code()).isEqualTo(Main.REFUSED);
            assertThat(run.out()).contains("failures.jsonl");
        });
        assertThat(Xmem.run("verify", "--json", "--store", store.toString()).lines())
                .singleElement()
                .asString()
                .startsWith("{\"clean\":false,\"lines\":")
                .contains("\"findings\":[\"");
    }

    private Xmem fed(String input, String... command) {
        String[] args = new String[command.length + 2];
        args[0] = "--store";
        args[1] = store.toString();
        System.arraycopy(command, 0, args, 2, command.length);
        return Xmem.fed(input, args);
    }

    private long failures() {
        try (var lines = Files.lines(store.resolve("data/failures.jsonl"))) {
            return lines.count();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

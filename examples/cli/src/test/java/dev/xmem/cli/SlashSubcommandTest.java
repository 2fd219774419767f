package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code xmem "/xmem:…"}: slash commands on the command line. */
class SlashSubcommandTest {
    private static final String FAILURE = "{\"type\":\"tool_failure\",\"tool\":\"git\",\"action\":\"push origin main\","
            + "\"error\":\"rejected: non-fast-forward\",\"pattern_avoid\":\"Pull first\"}\n";

    @TempDir
    Path folder;

    private String store;

    @BeforeEach
    void record() {
        store = folder.resolve("store").toString();
        assertThat(Xmem.fed(FAILURE, "record", "--store", store).code()).isZero();
    }

    @Test
    void slash_oneOrSeveralArguments_areEquivalent() {
        Xmem one = Xmem.run("/xmem:search tool=git limit=1", "--store", store);

        assertThat(one.code()).isZero();
        assertThat(one.out()).startsWith("Found 1 entry").contains("Pull first");
        assertThat(Xmem.run("--store", store, "/xmem:search", "tool=git", "--limit=1"))
                .isEqualTo(one);
        assertThat(Xmem.run("--store=" + store, "slash", "/xmem:search", "tool=git", "limit=1"))
                .isEqualTo(one);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/xmem:load tool=git", "/xmem:stats", "/xmem:search ctx_hash=x", "/xmem:search \"non-fast\""})
    void slash_everyReadingCommand_answers(String line) {
        Xmem run = Xmem.run(line, "--store", store);

        assertThat(run.code()).isZero();
        assertThat(run.out()).isNotBlank();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void slash_recordInSeveralArguments_keepsBlanksAndTheSession() throws Exception {
        Xmem run = Xmem.run(
                "--store",
                store,
                "--session",
                "s7",
                "/xmem:record",
                "failure",
                "tool=npm",
                "command=npm install left-pad",
                "error=npm ERR!\nTags: \"x\" \\ y",
                "avoid=Set the proxy first",
                "tags=npm,proxy");

        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("✅ Recorded failure ");
        assertThat(Files.readAllLines(folder.resolve("store/data/failures.jsonl")))
                .hasSize(2)
                .last()
                .asString()
                .contains("\"tool\":\"npm\"", "\"action\":\"npm install left-pad\"", "\"session_id\":\"s7\"")
                .contains("Tags: \\\"x\\\" \\\\ y", "\"tags\":[\"npm\",\"proxy\"]", "Set the proxy first");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/xmem:searhc x|There is no command /xmem:searhc",
                "/xmem:search|What should be searched for?",
                "/xmem:stats now|takes no arguments",
                "/xmem:record failure tool=git|is missing",
                "/xmem:record cake|Cannot record",
            })
    void slash_refused_hasReasonAndExitCode1(String line, String why) {
        Xmem run = Xmem.run(line, "--store", store);

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.out()).contains(why, "Usage:");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void slash_json_printsObject() {
        assertThat(Xmem.run("--json", "/xmem:help").out()).startsWith("{\"ok\":true,\"text\":\"Usage:\\n");
        assertThat(Xmem.run("/xmem:foo", "--json").out()).startsWith("{\"ok\":false,\"text\":\"There is no command");
    }

    @Test
    void slash_commandWithoutStore_opensNone() {
        assertThat(Xmem.run("/xmem:help").code()).isZero();
        assertThat(Xmem.run("/xmem:record failure").lines()).contains("Tool name:", "Additional notes:");
        assertThat(Xmem.run("/xmem:record", "success").lines()).contains("Pattern name:");
    }

    @Test
    void slash_readingCommand_createsNoStore() {
        Path none = folder.resolve("none");

        assertThat(Xmem.run("/xmem:search x", "--store", none.toString())).satisfies(run -> {
            assertThat(run.code()).isEqualTo(Main.FAILED);
            assertThat(run.err()).contains("no xmem store in " + none);
        });
        assertThat(Xmem.run("/xmem:search x").err()).contains("no store: give --store");
        assertThat(none).doesNotExist();
    }

    @Test
    void slash_offerAtATerminal_waitsForTheAnswer() {
        Environment terminal = new Environment(Map.of("XMEM_STORE", store), folder, folder, true);
        String recall = "/xmem:recall tool=git action=\"git push origin main\" error=\"rejected: non-fast-forward\"";

        assertThat(Xmem.in(terminal, "yes\n", recall).out()).contains("(yes/no)", "Pattern to avoid: Pull first");
        assertThat(Xmem.in(terminal, "", recall).out()).contains("(yes/no)").doesNotContain("Pattern to avoid");
        assertThat(Xmem.run(recall, "--store", store).out()).endsWith("(yes/no)\n");
    }

    @Test
    void slash_laterArgument_isNotACommand() {
        assertThat(Xmem.run("search", "/xmem:stats", "--store", store).out()).startsWith("Found 0");
        assertThat(SlashSubcommand.insertName(new String[] {"--store", "/xmem:x", "stats"}))
                .hasSize(3);
    }

    @Test
    void pair_anyValue_isParsedUnchanged() {
        assertThat(SlashCommandLine.pair("error", "a \"b\" \\ c\nTags: d\r\n\nCommand: e"))
                .isEqualTo("error=\"a \\\"b\\\" \\\\ c\n\\Tags: d\r\n\n\\Command: e\"");
    }

    @Test
    void of_arguments_quotesOnlyBareValues() {
        assertThat(SlashCommandLine.of(
                        List.of("/xmem:record", "failure", "a=b", "c=d e", "f=\"g h\"", "i j", "--k=l m")))
                .isEqualTo("/xmem:record failure a=b c=\"d e\" f=\"g h\" i j --k=\"l m\"");
    }
}

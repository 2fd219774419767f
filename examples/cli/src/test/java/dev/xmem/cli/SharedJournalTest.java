package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory skill's shell script and this program on one journal, each in its own process. */
class SharedJournalTest {
    private static final String RECIPE = """
            for i in $(seq "$1"); do
              type=note; content="recipe $i \\"quoted\\" é"; tags_json_or_null='["a","b"]'; meta_json_or_null=null
              jq -cn --arg ts "$(date -u '+%Y-%m-%dT%H:%M:%SZ')" --arg type "$type" --arg content "$content" \\
                --argjson tags "$tags_json_or_null" --argjson meta "$meta_json_or_null" \\
                '{ts:$ts,type:$type,content:$content,tags:$tags,meta:$meta}' >> "$MEMORY_FILE"
            done
            """;

    @TempDir
    Path folder;

    private Path journal;
    private Environment environment;

    @BeforeEach
    void journal() throws InterruptedException {
        assumeTrue(MemorySearchReadingTest.hasJq(), "jq is not on the path");
        journal = folder.resolve("memory.jsonl");
        environment = new Environment(Map.of("MEMORY_FILE", journal.toString()), folder, folder, false);
    }

    @Test
    void scriptAndProgram_inTurns_seeEachOthersLines() throws Exception {
        for (int turn = 1; turn <= 2; turn++) {
            finish(recipe(1));
            Process program = program("memory-write");
            program.getOutputStream()
                    .write("{\"type\":\"note\",\"content\":\"program \\\"quoted\\\" é\"}"
                            .getBytes(StandardCharsets.UTF_8));
            program.getOutputStream().close();
            assertThat(program.getInputStream().readAllBytes()).asString().startsWith("{\"ok\":true,\"ts\":\"");
            finish(program);
        }

        assertThat(Files.readAllLines(journal)).hasSize(4);
        assertThat(found("quoted\\\" é")).isEqualTo(4);
        assertThat(readByJq()).hasSize(4).contains("recipe 1 \"quoted\" é", "program \"quoted\" é");
    }

    @Test
    void scriptAndProgram_concurrently_loseNothing() throws Exception {
        Process recipe = recipe(60);
        int written = 0;
        do {
            assertThat(Xmem.in(environment, "{\"type\":\"note\",\"content\":\"program\"}", "memory-write")
                            .code())
                    .isZero();
            written++;
        } while (recipe.isAlive() && written < 100 || written < 20);
        finish(recipe);

        assertThat(readByJq()).hasSize(60 + written);
        assertThat(found("recipe")).isEqualTo(60);
        assertThat(found("program")).isEqualTo(written);
    }

    private int found(String q) {
        String out = Xmem.in(environment, "{\"q\":\"" + q + "\",\"limit\":200}", "memory-search")
                .out();
        return out.split("\"content\":", -1).length - 1;
    }

    private Process recipe(int lines) throws IOException {
        return started("bash", "-c", RECIPE, "recipe", Integer.toString(lines));
    }

    private Process program(String command) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return started(java.toString(), "-XX:TieredStopAtLevel=1", "-cp", classes, Main.class.getName(), command);
    }

    private List<String> readByJq() throws Exception {
        Process jq = started("jq", "-r", ".content", journal.toString());
        String out = new String(jq.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        finish(jq);
        return out.lines().toList();
    }

    private Process started(String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("MEMORY_FILE", journal.toString());
        return builder.start();
    }

    private static void finish(Process process) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}

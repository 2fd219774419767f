package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code xmem record}: one stored line and one response per input line, in order. */
class RecordSubcommandTest {
    private static final String FAILURE =
            "{\"type\":\"tool_failure\",\"tool\":\"npm\",\"action\":\"install left-pad\",\"error\":\"connect ETIMEDOUT %d\"}\n";

    @TempDir
    Path store;

    @Test
    void record_everyKind_storesOneLineAndAnswersOnce() throws IOException {
        Xmem run = record("""
                {"type":"tool_failure","tool":"npm","action":"install left-pad","error":"connect ETIMEDOUT"}
                {"type":"tool_success","tool":"bash","pattern_name":"Heredoc: escape quotes"}
                {"type":"fact","content":"The registry is behind a proxy."}
                """);

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.lines()).hasSize(3);
        assertThat(run.lines().get(0))
                .matches("\\{\"id\":\"\\d{4}-\\d\\d-\\d\\d-001\",\"ctx_hash\":\"npm-install-.*\"}");
        assertThat(run.lines().get(1)).matches("\\{\"id\":\"\\d{4}-\\d\\d-\\d\\d-002\",\"ctx_hash\":\"bash-.*\"}");
        assertThat(run.lines().get(2)).matches("\\{\"id\":\"note-.*\",\"ctx_hash\":null}");
        assertThat(lines("failures.jsonl")).isOne();
        assertThat(lines("successes.jsonl")).isOne();
        assertThat(lines("notes.jsonl")).isOne();
        assertThat(store.resolve("data/index.json")).exists();
    }

    @Test
    void record_manyLines_areAnsweredInOrder() throws IOException {
        String input = IntStream.range(0, 900).mapToObj(FAILURE::formatted).collect(Collectors.joining());

        Xmem run = record(input);

        assertThat(run.lines()).hasSize(900).isSorted().doesNotHaveDuplicates();
        assertThat(lines("failures.jsonl")).isEqualTo(900);
    }

    @Test
    void record_invalidLines_areReportedAndOthersStored() throws IOException {
        Xmem run = record(FAILURE.formatted(1)
                + "{\"type\":\"tool_failure\",\"tool\":\"npm\"}\n"
                + "\n"
                + "nonsense\n"
                + FAILURE.formatted(2)
                + "{\"type\":\"tool_success\",\"tool\":\"npm\"}\n"
                + FAILURE.formatted(3).strip());

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.lines()).hasSize(3);
        assertThat(run.errors()).hasSize(3);
        assertThat(run.errors().get(0)).startsWith("{\"line\":2,\"error\":\"error ");
        assertThat(run.errors().get(1)).startsWith("{\"line\":4,\"error\":\"");
        assertThat(run.errors().get(2)).startsWith("{\"line\":6,\"error\":\"pattern_name ");
        assertThat(lines("failures.jsonl")).isEqualTo(3);
    }

    @Test
    void record_givenId_isKeptAndRefusedForAnotherLine() throws IOException {
        String line = "{\"id\":\"2026-02-14-001\",\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"tool_failure\","
                + "\"tool\":\"rclone\",\"action\":\"sync a b\",\"error\":\"%s\",\"ctx_hash\":\"rclone-sync-x\"}\n";

        Xmem run = record(line.formatted("x") + line.formatted("x") + line.formatted("y"));

        String answer = "{\"id\":\"2026-02-14-001\",\"ctx_hash\":\"rclone-sync-x\"}";
        assertThat(run.lines()).containsExactly(answer, answer);
        assertThat(run.errors())
                .singleElement()
                .asString()
                .startsWith("{\"line\":3,\"error\":\"")
                .contains("2026-02-14-001");
        assertThat(lines("failures.jsonl")).isOne();
    }

    @Test
    void record_emptyInput_createsUsableStore() {
        assertThat(record("")).isEqualTo(new Xmem(0, "", ""));
        assertThat(Xmem.run("search", "x", "--json", "--store", store.toString())
                        .out())
                .contains("\"results\":[]", "\"total\":0");
    }

    @Test
    void record_slowProducer_getsEachResponseAtOnce() throws Exception {
        PipedOutputStream producer = new PipedOutputStream();
        PipedInputStream input = new PipedInputStream(producer);
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        String[] args = {"record", "--store", store.toString()};
        CompletableFuture<Integer> run = CompletableFuture.supplyAsync(
                () -> Main.run(args, input, new PrintStream(answers), new PrintStream(new ByteArrayOutputStream())));

        for (int i = 1; i <= 3; i++) {
            producer.write(FAILURE.formatted(i).getBytes(StandardCharsets.UTF_8));
            producer.flush();
            long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (answers.toString(StandardCharsets.UTF_8).lines().count() < i && System.nanoTime() < giveUp) {
                Thread.sleep(5);
            }
            assertThat(answers.toString(StandardCharsets.UTF_8).lines()).hasSize(i);
            assertThat(lines("failures.jsonl")).isEqualTo(i);
        }
        producer.close();
        assertThat(run.get(20, TimeUnit.SECONDS)).isZero();
    }

    private Xmem record(String input) {
        return Xmem.fed(input, "record", "--store", store.toString());
    }

    private long lines(String log) throws IOException {
        return Files.readAllLines(store.resolve("data").resolve(log)).size();
    }
}

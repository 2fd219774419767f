package dev.xmem.transcripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the readers make of the transcripts of each agent: {@code truth.txt} beside them has it, checked by hand. */
class ReadersTest {
    private static final List<String> AGENTS = Fixtures.AGENTS;

    @ParameterizedTest
    @FieldSource("AGENTS")
    void reader_findsTheTruth(String agent) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : Fixtures.files(agent)) {
            lines.addAll(Fixtures.lines(file));
        }
        assertThat(lines).isEqualTo(Files.readAllLines(Fixtures.folder(agent).resolve("truth.txt")));
    }

    @Test
    void opencode_isReadThroughSqlite(@TempDir Path folder) throws Exception {
        Path database = folder.resolve("opencode.db");
        assumeThat(create(database)).as("sqlite3 is installed").isTrue();
        assertThat(Fixtures.lines(database))
                .isEqualTo(Files.readAllLines(Fixtures.folder("opencode").resolve("truth.txt")));
    }

    private static boolean create(Path database) throws InterruptedException {
        try {
            Path sql = Fixtures.folder("opencode").resolve("opencode.sql");
            Process sqlite = new ProcessBuilder("sqlite3", database.toString())
                    .redirectInput(sql.toFile())
                    .start();
            return sqlite.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void opencode_damaged_isAnError(@TempDir Path folder) throws Exception {
        Path database = folder.resolve("opencode.db");
        assumeThat(create(database)).as("sqlite3 is installed").isTrue();
        byte[] bytes = Files.readAllBytes(database);
        Files.write(database, Arrays.copyOf(bytes, 600));
        List<String> skipped = new ArrayList<>();
        List<TranscriptFile> files = Transcripts.find(List.of(database), null, (path, reason) -> skipped.add(reason));
        assertThat(files).hasSize(1);
        assertThatIOException()
                .isThrownBy(() -> Fixtures.lines(database))
                .withMessageContaining("sqlite3 could not read");
    }

    /** Arguments that are not JSON are the action as they are; none is lost. */
    @Test
    void copilot_argumentsThatAreNotJson_areTheAction(@TempDir Path folder) throws IOException {
        StringBuilder lines = new StringBuilder("{\"type\":\"session.start\",\"timestamp\":\"2026-11-20T10:00:00Z\","
                + "\"data\":{\"sessionId\":\"s\",\"context\":{\"cwd\":\"/w\"}}}\n");
        for (String arguments : List.of("{\\\"command\\\":\\\"npm inst", "npm install")) {
            lines.append("{\"type\":\"tool.execution_start\",\"timestamp\":\"2026-11-20T10:00:01Z\",\"data\":"
                            + "{\"toolCallId\":\"c\",\"toolName\":\"bash\",\"arguments\":\"")
                    .append(arguments)
                    .append(
                            "\"}}\n{\"type\":\"tool.execution_complete\",\"timestamp\":\"2026-11-20T10:00:02Z\",\"data\":"
                                    + "{\"toolCallId\":\"c\",\"success\":false,\"error\":{\"message\":\"npm ERR! 404\"}}}\n");
        }
        Path file = Files.writeString(folder.resolve("events.jsonl"), lines);
        assertThat(Fixtures.lines(file))
                .anyMatch(line -> line.contains("| bash | {\"command\":\"npm inst | 1 | npm ERR! 404"))
                .anyMatch(line -> line.contains("| bash | npm install | 1 | npm ERR! 404"));
    }

    @Test
    void find_namesWhatIsNoTranscript(@TempDir Path folder) throws IOException {
        Path other = Files.writeString(folder.resolve("notes.jsonl"), "{\"a\":1}\n");
        Path missing = folder.resolve("missing.jsonl");
        List<String> skipped = new ArrayList<>();
        assertThat(Transcripts.find(List.of(other, missing), null, (path, reason) -> skipped.add(reason)))
                .isEmpty();
        assertThat(skipped).containsExactly("not a transcript of a known format", "there is no such file");
    }

    @Test
    void tail_hasTheCallsAfterAPosition() throws IOException {
        Path file = Fixtures.files("codex").get(1);
        TranscriptFile transcript = Objects.requireNonNull(Transcripts.of(file));
        String text = Files.readString(file);
        long from = text.substring(0, text.indexOf("\"call_id\":\"call_5\"")).getBytes(StandardCharsets.UTF_8).length;
        long lineBefore = text.lastIndexOf('\n', (int) from - 200);
        try (Transcript calls = transcript.open(lineBefore)) {
            List<String> ids = new ArrayList<>();
            for (PastCall call = calls.next(); call != null; call = calls.next()) {
                ids.add(call.session() + ' ' + call.id());
            }
            assertThat(ids).containsExactly("th-2 call_5", "th-2 call_7");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 17, 5 << 20})
    void reader_firstLineIsLong_knowsTheTranscript(int length, @TempDir Path folder) throws IOException {
        Path original = Fixtures.files("claude").get(0);
        Path file = folder.resolve("long.jsonl");
        Files.writeString(
                file,
                "{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{\"content\":\"" + "x".repeat(length) + "\"}}\n"
                        + Files.readString(original));

        assertThat(Fixtures.lines(file)).isNotEmpty();
        assertThat(Transcripts.find(List.of(folder), null, (path, reason) -> {}))
                .hasSize(1);
    }
}

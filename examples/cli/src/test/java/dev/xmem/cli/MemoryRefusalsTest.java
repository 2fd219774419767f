package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that {@code xmem memory-write} and {@code memory-search} refuse: one error response on standard output. */
class MemoryRefusalsTest {
    @TempDir
    Path folder;

    private Environment environment;
    private Path journal;

    @BeforeEach
    void environment() {
        environment = new Environment(Map.of("HOME", folder.toString()), folder, folder, false);
        journal = folder.resolve(".codex/memory.jsonl");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "nonsense|the input is not JSON",
                "|the input is not a JSON object",
                "[1]|the input is not a JSON object",
                "{\"type\":\"note\",\"content\":\"x\"} {}|unexpected text",
                "{\"content\":\"x\"}|type is missing",
                "{\"type\":\" \",\"content\":\"x\"}|type is missing",
                "{\"type\":\"note\"}|content is missing",
                "{\"type\":\"note\",\"content\":null}|content is missing",
                "{\"type\":1,\"content\":\"x\"}|type must be a string",
                "{\"type\":\"note\",\"content\":[\"x\"]}|content must be a string",
                "{\"type\":\"note\",\"content\":\"x\",\"tags\":\"t\"}|tags must be a list of strings",
                "{\"type\":\"note\",\"content\":\"x\",\"tags\":[1]}|each of tags must be a string",
                "{\"type\":\"note\",\"content\":\"x\",\"meta\":\"m\"}|meta must be an object",
                "{\"type\":\"note\",\"content\":\"x\",\"meta\":[]}|meta must be an object",
            })
    void write_invalidInput_isAnsweredOnce(String input, String problem) {
        Xmem run = in(input == null ? "" : input, "memory-write");

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.lines())
                .singleElement()
                .asString()
                .startsWith("{\"error\":\"" + problem)
                .endsWith("\"}");
        assertThat(run.err()).isEmpty();
        assertThat(journal).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "nonsense|the input is not JSON",
                "{}|q is missing",
                "{\"q\":null}|q is missing",
                "{\"q\":7}|q must be a string",
                "{\"q\":\"x\",\"limit\":0}|limit must be a whole number from 1 to 200, not 0",
                "{\"q\":\"x\",\"limit\":201}|limit must be a whole number from 1 to 200, not 201",
                "{\"q\":\"x\",\"limit\":\"5\"}|limit must be a whole number from 1 to 200, not 5",
                "{\"q\":\"x\",\"limit\":2.5}|limit must be a whole number from 1 to 200, not 2.5",
                "{\"q\":\"x\",\"limit\":99999999999}|limit must be a whole number from 1 to 200, not 99999999999",
                "{\"q\":\"x\",\"window_lines\":0}|window_lines must be a whole number from 1 to 1000000, not 0",
                "{\"q\":\"x\",\"window_lines\":1000001}|window_lines must be a whole number from 1 to 1000000, not 1000001",
                "{\"q\":\"x\",\"mode\":\"grep\"}|mode must be rg, jq or hybrid, not \\\"grep\\\"",
                "{\"q\":\"x\",\"mode\":1}|mode must be a string",
            })
    void search_invalidInput_isAnsweredOnce(String input, String problem) {
        Xmem run = in(input, "memory-search");

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.lines())
                .singleElement()
                .asString()
                .startsWith("{\"error\":\"" + problem)
                .endsWith("\"}");
        assertThat(run.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory-write", "memory-search"})
    void journal_isDirectory_returnsError(String command) {
        Environment named = new Environment(Map.of("MEMORY_FILE", folder.toString()), folder, folder, false);

        Xmem run = Xmem.in(named, "{\"type\":\"note\",\"content\":\"x\",\"q\":\"x\"}", command);

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.lines()).singleElement().asString().startsWith("{\"error\":\"" + folder + ": ");
    }

    @Test
    void input_notUtf8_returnsError() {
        Xmem run = Xmem.fed(new ByteArrayInputStream(new byte[] {'{', (byte) 0xFF, '}'}), "memory-search");

        assertThat(run).isEqualTo(new Xmem(1, "{\"error\":\"the input is not UTF-8\"}\n", ""));
    }

    private Xmem in(String input, String... args) {
        return Xmem.in(environment, input, args);
    }
}

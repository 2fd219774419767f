package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code xmem memory-write} and {@code memory-search}: the path of the journal, and the responses. */
class MemoryCommandsTest {
    private static final String NOTE = "{\"type\":\"note\",\"content\":\"x\"}";

    @TempDir
    Path folder;

    private Environment environment;
    private Path journal;

    @BeforeEach
    void environment() throws IOException {
        Path home = folder.toRealPath().resolve("home");
        environment = new Environment(Map.of("HOME", home.toString()), folder.resolve("other"), folder, false);
        journal = home.resolve(".codex/memory.jsonl");
    }

    @Test
    void examples_ofSkill_workUnchanged() throws IOException {
        Xmem write = in(
                "{\"type\":\"note\",\"content\":\"User prefers Python.\",\"tags\":[\"preference\"]}", "memory_write");
        Xmem search = in("{\"q\":\"Python\",\"limit\":5}", "memory_search");

        assertThat(write.code()).isZero();
        assertThat(write.out()).matches("\\{\"ok\":true,\"ts\":\"\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\"}\n");
        String line = Files.readString(journal).strip();
        String ts = write.out()
                .substring(write.out().indexOf("ts\":\"") + 5, write.out().length() - 3);
        assertThat(line)
                .isEqualTo("{\"ts\":\"" + ts + "\",\"type\":\"note\",\"content\":\"User prefers Python.\","
                        + "\"tags\":[\"preference\"],\"meta\":null}");
        assertThat(search)
                .isEqualTo(new Xmem(
                        0, "{\"results\":[" + line + "],\"truncated\":false,\"used_window_lines\":50000}\n", ""));
    }

    @Test
    void write_allFields_appendsOneLine() throws IOException {
        Xmem run = in(
                "\uFEFF {\"type\":\"fact\",\n \"content\":\"a \\\"b\\\"\\n\\u00e9 日本 \\\\\",\r\n"
                        + " \"tags\":null, \"meta\":{\"n\": [1, {\"k\": \"v\"}]}}\n",
                "memory-write");

        assertThat(run.code()).isZero();
        assertThat(Files.readString(journal))
                .endsWith("\"type\":\"fact\",\"content\":\"a \\\"b\\\"\\né 日本 \\\\\",\"tags\":null,"
                        + "\"meta\":{\"n\":[1,{\"k\":\"v\"}]}}\n")
                .hasLineCount(1);
    }

    @Test
    void write_unknownField_isReportedAndIgnored() throws IOException {
        Xmem run = in("{\"type\":\"note\",\"content\":\"x\",\"tag\":[\"y\"]}", "memory-write");

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEqualTo("xmem: unknown fields ignored: tag\n");
        assertThat(Files.readString(journal)).doesNotContain("y\"");
    }

    @Test
    void write_existingFiles_keepsThemAndCreatesOneHiddenDirectory() throws IOException {
        Files.createDirectories(journal.getParent());
        Files.writeString(journal, "not JSON\n{\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"note\",\"content\":\"old\"}");

        assertThat(in(NOTE, "memory-write").code()).isZero();

        assertThat(Files.readAllLines(journal)).hasSize(3).startsWith("not JSON");
        assertThat(in("{\"q\":\"old\"}", "memory-search").out()).contains("\"content\":\"old\"");
        try (Stream<Path> beside = Files.list(journal.getParent())) {
            assertThat(beside.map(p -> p.getFileName().toString()))
                    .containsExactlyInAnyOrder("memory.jsonl", ".memory.jsonl.xmem");
        }
    }

    @Test
    void search_noJournal_createsOnlyTheFile() throws IOException {
        Xmem run = in("{\"q\":\"x\"}", "memory-search");

        assertThat(run.out()).isEqualTo("{\"results\":[],\"truncated\":false,\"used_window_lines\":50000}\n");
        assertThat(journal).isEmptyFile();
        try (Stream<Path> beside = Files.list(journal.getParent())) {
            assertThat(beside).hasSize(1);
        }
    }

    @Test
    void memoryFile_symbolicLink_isFollowed() throws IOException {
        Path real =
                Files.createFile(Files.createDirectory(folder.resolve("real")).resolve("m"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        Environment named = new Environment(Map.of("MEMORY_FILE", link.toString()), folder, folder, false);

        assertThat(Xmem.in(named, NOTE, "memory-write").code()).isZero();

        assertThat(real).content().hasLineCount(1);
        assertThat(link).isSymbolicLink();
        assertThat(folder.resolve("real/.m.xmem")).exists();
        assertThat(Xmem.in(named, "{\"q\":\"x\"}", "memory-search").out()).contains("\"content\":\"x\"");
    }

    @Test
    void store_overridesVariables() throws IOException {
        String store = folder.resolve("store").toString();

        assertThat(in(NOTE, "memory-write", "--store", store).code()).isZero();

        assertThat(folder.resolve("store/data/notes.jsonl")).content().hasLineCount(1);
        assertThat(journal).doesNotExist();
        assertThat(in("{\"q\":\"x\"}", "--store", store, "memory-search").out()).contains("\"content\":\"x\"");
        assertThat(in("{\"q\":\"x\"}", "memory-search", "--store", store + "2"))
                .isEqualTo(
                        new Xmem(1, "{\"error\":\"no xmem store in " + store + "2; record something first\"}\n", ""));
    }

    @Test
    void search_invalidExpression_isMatchedLiterally() {
        in("{\"type\":\"note\",\"content\":\"see /a(b/ there\"}", "memory-write");

        Xmem run = in("{\"q\":\"/a(b/\"}", "memory-search");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("see /a(b/ there");
        assertThat(run.err()).isEqualTo("xmem: not a regular expression, matched literally: /a(b/\n");
    }

    @Test
    void search_moreThanLimit_returnsNewestAndTruncated() {
        for (int i = 0; i < 4; i++) {
            in("{\"type\":\"note\",\"content\":\"number " + i + "\"}", "memory-write");
        }

        Xmem run = in("{\"q\":\"/number \\\\d/\",\"limit\":2,\"window_lines\":1}", "memory-search");

        assertThat(run.out())
                .containsSubsequence("number 3", "number 2", "\"truncated\":true,\"used_window_lines\":4}");
        assertThat(run.out()).doesNotContain("number 1");
    }

    private Xmem in(String input, String... args) {
        return Xmem.in(environment, input, args);
    }
}

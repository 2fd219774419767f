package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where files are by default. */
class SurroundingsTest {
    @TempDir
    Path folder;

    @Test
    void journal_nothingSet_isInTheUsersFolder() {
        assertThat(around(Map.of()).journal()).isEqualTo(folder.resolve("user/.codex/memory.jsonl"));
    }

    @Test
    void journal_home_winsOverTheUsersFolder() {
        String home = folder.resolve("home").toString();

        assertThat(around(Map.of("HOME", home)).journal()).isEqualTo(folder.resolve("home/.codex/memory.jsonl"));
        assertThat(around(Map.of("HOME", "")).journal()).isEqualTo(folder.resolve("user/.codex/memory.jsonl"));
    }

    @Test
    void journal_memoryFile_winsOverHome() {
        String home = folder.resolve("home").toString();

        assertThat(around(Map.of("HOME", home, "MEMORY_FILE", "m.jsonl")).journal())
                .isEqualTo(folder.resolve("work/m.jsonl"));
        assertThat(around(Map.of("HOME", home, "MEMORY_FILE", "~/m.jsonl")).journal())
                .isEqualTo(folder.resolve("home/m.jsonl"));
        assertThat(around(Map.of("HOME", home, "MEMORY_FILE", "")).journal())
                .isEqualTo(folder.resolve("home/.codex/memory.jsonl"));
    }

    @Test
    void localDirectives_inAGitTree_areUnderItsTop() throws Exception {
        Files.createDirectories(folder.resolve("work/a/b"));
        Files.createFile(folder.resolve("work/.git")); // a file in a linked working tree
        Surroundings deep = new Surroundings(Map.of(), folder, folder.resolve("work/a/b"), false);

        assertThat(deep.localDirectives()).isEqualTo(folder.resolve("work/docs/memory/memories.ndjson"));
    }

    @Test
    void localDirectives_elsewhere_areUnderTheWorkingDirectory() {
        Path root = folder.getRoot();
        Surroundings top = new Surroundings(Map.of(), folder, root.resolve("no-such-folder"), false);

        assertThat(top.localDirectives()).isEqualTo(root.resolve("no-such-folder/docs/memory/memories.ndjson"));
    }

    @Test
    void globalDirectives_areInTheUsersFolder() {
        assertThat(around(Map.of()).globalDirectives())
                .isEqualTo(folder.resolve("user/.skill_master/memory/memories.ndjson"));
    }

    @Test
    void ofProcess_knowsThisProcess() {
        assertThat(Surroundings.ofProcess().folder()).isAbsolute().exists();
    }

    private Surroundings around(Map<String, String> variables) {
        return new Surroundings(variables, folder.resolve("user"), folder.resolve("work"), false);
    }
}

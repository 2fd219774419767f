package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Default paths. */
class EnvironmentTest {
    @TempDir
    Path folder;

    @Test
    void journal_nothingSet_isInUserHome() {
        assertThat(environment(Map.of()).journal()).isEqualTo(folder.resolve("user/.codex/memory.jsonl"));
    }

    @Test
    void journal_home_overridesUserHome() {
        String home = folder.resolve("home").toString();

        assertThat(environment(Map.of("HOME", home)).journal()).isEqualTo(folder.resolve("home/.codex/memory.jsonl"));
        assertThat(environment(Map.of("HOME", "")).journal()).isEqualTo(folder.resolve("user/.codex/memory.jsonl"));
    }

    @Test
    void journal_memoryFile_overridesHome() {
        String home = folder.resolve("home").toString();

        assertThat(environment(Map.of("HOME", home, "MEMORY_FILE", "m.jsonl")).journal())
                .isEqualTo(folder.resolve("work/m.jsonl"));
        assertThat(environment(Map.of("HOME", home, "MEMORY_FILE", "~/m.jsonl")).journal())
                .isEqualTo(folder.resolve("home/m.jsonl"));
        assertThat(environment(Map.of("HOME", home, "MEMORY_FILE", "")).journal())
                .isEqualTo(folder.resolve("home/.codex/memory.jsonl"));
    }

    /** In the locale C, a path with other letters than those of ASCII is none; here a NUL stands for such a letter. */
    @Test
    void variable_thatIsNoPath_isRefusedWithAdvice() {
        for (String name : List.of("XMEM_STORE", "HOME", "MEMORY_FILE")) {
            String command = name.equals("XMEM_STORE") ? "stats" : "memory-search";
            Xmem run = Xmem.in(environment(Map.of(name, "a\0b")), "{\"q\":\"x\"}\n", command);

            assertThat(run.code()).as(name).isIn(Main.REFUSED, Main.FAILED);
            assertThat(run.out() + run.err())
                    .as(name)
                    .contains("not usable as a path here", "UTF-8")
                    .doesNotContain("internal error");
        }
    }

    @Test
    void localDirectives_inGitWorkingTree_areBelowItsRoot() throws Exception {
        Files.createDirectories(folder.resolve("work/a/b"));
        Files.createFile(folder.resolve("work/.git")); // a file in a linked working tree
        Environment deep = new Environment(Map.of(), folder, folder.resolve("work/a/b"), false);

        assertThat(deep.localDirectives()).isEqualTo(folder.resolve("work/docs/memory/memories.ndjson"));
    }

    @Test
    void localDirectives_elsewhere_areBelowWorkingDirectory() {
        Path root = folder.getRoot();
        Environment top = new Environment(Map.of(), folder, root.resolve("no-such-folder"), false);

        assertThat(top.localDirectives()).isEqualTo(root.resolve("no-such-folder/docs/memory/memories.ndjson"));
    }

    @Test
    void globalDirectives_areInUserHome() {
        assertThat(environment(Map.of()).globalDirectives())
                .isEqualTo(folder.resolve("user/.skill_master/memory/memories.ndjson"));
    }

    @Test
    void ofProcess_describesThisProcess() {
        assertThat(Environment.ofProcess().folder()).isAbsolute().exists();
    }

    private Environment environment(Map<String, String> variables) {
        return new Environment(variables, folder.resolve("user"), folder.resolve("work"), false);
    }

    @Test
    void userStore_isTheOneThatOtherStoresAsk() {
        assertThat(environment(Map.of("XMEM_USER_STORE", "/own")).userStore()).isEqualTo(Path.of("/own"));
        assertThat(environment(Map.of("XMEM_USER_STORE", "none")).userStore())
                .isEqualTo(folder.resolve("user/.local/share/xmem"));
        for (String value : List.of("none", "relative")) {
            assertThat(environment(Map.of("XMEM_USER_STORE", value, "XDG_DATA_HOME", "/data"))
                            .userStore())
                    .as(value)
                    .isEqualTo(Path.of("/data/xmem"));
        }
        assertThat(environment(Map.of("XDG_DATA_HOME", "/data")).userStore()).isEqualTo(Path.of("/data/xmem"));
    }
}

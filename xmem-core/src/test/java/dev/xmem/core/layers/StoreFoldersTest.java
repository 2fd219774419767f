package dev.xmem.core.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.StoreFolders;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where programs keep stores: one for all worktrees of a repository, none where a hostile file points. */
class StoreFoldersTest {
    @TempDir
    Path temporary;

    private Path folder;

    @BeforeEach
    void real() throws IOException {
        folder = temporary.toRealPath();
    }

    private Path dir(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private static void git(Path in, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@example.org"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(in.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "git is not installed");
            throw e;
        }
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
    }

    private Path repository(String name) throws Exception {
        Path main = dir(name);
        git(main, "init", "--quiet");
        git(main, "commit", "--quiet", "--allow-empty", "-m", "first");
        return main;
    }

    @Test
    void worktreesOfARepository_shareTheStoreOfItsMainOne() throws Exception {
        Path main = repository("main");
        git(main, "worktree", "add", "--quiet", folder.resolve("linked").toString());
        Path expected = main.resolve(".xmem-store");
        assertThat(StoreFolders.project(main)).isEqualTo(expected);
        assertThat(StoreFolders.project(dir("main/a/b"))).isEqualTo(expected);
        assertThat(StoreFolders.project(folder.resolve("linked"))).isEqualTo(expected);
        assertThat(StoreFolders.project(dir("linked/a/b"))).isEqualTo(expected);
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("linked"));
        assertThat(StoreFolders.project(link)).isEqualTo(expected);
        assertThat(expected).doesNotExist();
    }

    @Test
    void worktreesOfABareRepository_shareAStoreInsideIt() throws Exception {
        Path main = repository("main");
        git(folder, "clone", "--quiet", "--bare", "main", "bare.git");
        git(
                folder.resolve("bare.git"),
                "worktree",
                "add",
                "--quiet",
                folder.resolve("w1").toString());
        assertThat(StoreFolders.project(folder.resolve("w1"))).isEqualTo(folder.resolve("bare.git/.xmem-store"));
        assertThat(StoreFolders.project(main)).isEqualTo(main.resolve(".xmem-store"));
    }

    /** Newer versions of git may write both pointers as relative paths. */
    @Test
    void relativePointers_areFollowed() throws Exception {
        Path main = repository("main");
        git(main, "worktree", "add", "--quiet", folder.resolve("linked").toString());
        Files.writeString(folder.resolve("linked/.git"), "gitdir: ../main/.git/worktrees/linked\n");
        Files.writeString(main.resolve(".git/worktrees/linked/gitdir"), "../../../../linked/.git\n");
        assertThat(StoreFolders.project(folder.resolve("linked"))).isEqualTo(main.resolve(".xmem-store"));
    }

    @Test
    void submodule_isAProjectOfItsOwn() throws Exception {
        repository("inner");
        Path outer = repository("outer");
        git(
                outer,
                "-c",
                "protocol.file.allow=always",
                "submodule",
                "--quiet",
                "add",
                folder.resolve("inner").toString(),
                "sub");
        assertThat(StoreFolders.project(outer.resolve("sub"))).isEqualTo(outer.resolve("sub/.xmem-store"));
    }

    @Test
    void noRepository_isTheFolderItself() throws Exception {
        assertThat(StoreFolders.project(dir("plain/a"))).isEqualTo(folder.resolve("plain/a/.xmem-store"));
        assertThatThrownBy(() -> StoreFolders.project(folder.resolve("missing")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void hostilePointer_isNotFollowed() throws Exception {
        Path main = repository("victim");
        git(main, "worktree", "add", "--quiet", folder.resolve("linked").toString());
        Path hostile = dir("hostile");
        Path expected = hostile.resolve(".xmem-store");
        for (String pointer : List.of(
                "gitdir: " + main.resolve(".git/worktrees/linked"),
                "gitdir: " + main.resolve(".git"),
                "gitdir: " + folder.resolve("missing"),
                "gitdir: /dev/zero",
                "gitdir: ",
                "gitdir: \u0000",
                "gitdir: a\ngitdir: b",
                "",
                "x".repeat(1 << 20))) {
            Files.writeString(hostile.resolve(".git"), pointer);
            assertThat(StoreFolders.project(hostile)).as(pointer).isEqualTo(expected);
        }
        // A forged worktree of the own folder that claims another repository as its common one.
        Path forged = dir("hostile/g/worktrees/x");
        Files.writeString(forged.resolve("gitdir"), hostile.resolve(".git") + "\n");
        Files.writeString(forged.resolve("commondir"), main.resolve(".git") + "\n");
        Files.writeString(hostile.resolve(".git"), "gitdir: " + forged);
        assertThat(StoreFolders.project(hostile)).isEqualTo(expected);
        Files.delete(hostile.resolve(".git"));
        Files.createSymbolicLink(hostile.resolve(".git"), main.resolve(".git"));
        assertThat(StoreFolders.project(hostile)).isEqualTo(expected);
    }

    @Test
    void user_isNamedByVariables() {
        assertThat(StoreFolders.user(Map.of("HOME", "/h"))).isEqualTo(Path.of("/h/.local/share/xmem"));
        assertThat(StoreFolders.user(Map.of("HOME", "/h", "XDG_DATA_HOME", "/d")))
                .isEqualTo(Path.of("/d/xmem"));
        assertThat(StoreFolders.user(Map.of("HOME", "/h", "XDG_DATA_HOME", "d")))
                .isEqualTo(Path.of("/h/.local/share/xmem"));
        assertThat(StoreFolders.user(Map.of("HOME", "/h", "XMEM_USER_STORE", "/u")))
                .isEqualTo(Path.of("/u"));
        assertThat(StoreFolders.user(Map.of("HOME", "/h", "XMEM_USER_STORE", "none")))
                .isNull();
        assertThat(StoreFolders.user(Map.of())).isNull();
        assertThat(StoreFolders.user(Map.of("HOME", "\u0000"))).isNull();
    }

    @Test
    void layered_asksTheStoresThatTheEnvironmentNames() throws Exception {
        ToolCall call = ToolCall.shell("git push");
        ToolError error = ToolError.exit(1, "fatal: The current branch x has no upstream branch.");
        for (String name : List.of("user", "team")) {
            try (XMemStore store = XMem.open(folder.resolve(name))) {
                store.recordFailure(Failure.of(call, error).patternAvoid("says the " + name));
            }
        }
        Map<String, String> environment = Map.of(
                "XMEM_USER_STORE", folder.resolve("user").toString(),
                "XMEM_TEAM_STORE", folder.resolve("team").toString());
        try (XMemStore store =
                StoreFolders.layered(folder.resolve("p"), environment).open()) {
            assertThat(store.recall(call, error).text()).contains("says the user", "says the team");
        }
        try (XMemStore store =
                StoreFolders.layered(folder.resolve("user"), environment).open()) {
            assertThat(store.stats().layers())
                    .extracting(layer -> layer.layer())
                    .containsExactly(Layer.TEAM);
        }
    }
}

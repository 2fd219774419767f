package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code export --automatic}: every later command that changes the store exports it, and a failed export does not fail
 * the command.
 */
class AutomaticExportTest {
    @TempDir
    Path folder;

    private Path remote;

    @BeforeEach
    void create() throws Exception {
        remote = folder.resolve("team.git");
        Git.init().setBare(true).setDirectory(remote.toFile()).call().close();
    }

    private static String failure(String tool) {
        return "{\"type\":\"tool_failure\",\"tool\":\"" + tool
                + "\",\"action\":\"run x\",\"error\":\"no such door\"}\n";
    }

    private Xmem xmem(String input, String... args) {
        String[] all = new String[args.length + 2];
        all[0] = "--store";
        all[1] = folder.resolve("a").toString();
        System.arraycopy(args, 0, all, 2, args.length);
        return Xmem.fed(input, all);
    }

    private Xmem done(String input, String... args) {
        Xmem run = xmem(input, args);
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    private Xmem exportToBranch(String... more) {
        String[] args = {"export", "--remote", remote.toString(), "--branch=memory", "--transport=jgit"};
        String[] all = java.util.Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return done("", all);
    }

    /** The content of a file on the branch; empty if it does not exist. */
    private String exported(String file) throws Exception {
        try (Repository git =
                        new FileRepositoryBuilder().setGitDir(remote.toFile()).build();
                RevWalk walk = new RevWalk(git)) {
            ObjectId tip = git.resolve("refs/heads/memory");
            TreeWalk tree = tip == null ? null : TreeWalk.forPath(git, "data/" + file, walk.parseTree(tip));
            return tree == null ? "" : new String(git.open(tree.getObjectId(0)).getBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void automatic_everyChangingCommand_exports() throws Exception {
        done(failure("git"), "record");
        assertThat(exportToBranch("--automatic").out()).endsWith("automatic export is on\n");
        Xmem recorded = done(failure("npm"), "record");
        assertThat(recorded.lines()).as("only the response").hasSize(1);
        assertThat(recorded.err()).isEmpty();
        assertThat(exported("failures.jsonl")).contains("\"git\"", "\"npm\"");
        assertThat(exported("index.json")).contains("\"failures\" : 2");
        String id = recorded.out().replaceAll("(?s).*\"id\":\"([^\"]*)\".*", "$1");
        done("", "remember", "never run build repeatedly because it is heavy");
        assertThat(exported("memories.ndjson")).contains("repeatedly");
        done("{\"type\":\"note\",\"content\":\"User prefers Python.\"}", "memory-write");
        assertThat(exported("notes.jsonl")).contains("Python");
        done("", "/xmem:record", "failure", "tool=tar", "command=tar x", "error=no such door");
        assertThat(exported("failures.jsonl")).contains("\"tar\"");
        done("", "purge", id);
        assertThat(exported("failures.jsonl")).doesNotContain("\"npm\"").contains("\"git\"");
    }

    @Test
    void automatic_syncImports_areExported() throws Exception {
        String shared = folder.resolve("shared").toString();
        done(failure("git"), "record");
        exportToBranch("--automatic");
        String other = folder.resolve("b").toString();
        assertThat(Xmem.fed(failure("npm"), "--store", other, "record").code()).isZero();
        assertThat(Xmem.run("--store", other, "sync", "--remote", shared).code())
                .isZero();
        done("", "sync", "--remote", shared);
        assertThat(exported("failures.jsonl")).contains("\"git\"", "\"npm\"");
    }

    @Test
    void automatic_turnedOffAndOn_keepsTarget() throws Exception {
        done(failure("git"), "record");
        exportToBranch("--automatic");
        assertThat(done("", "export", "--no-automatic").out()).isEqualTo("automatic export is off\n");
        done(failure("npm"), "record");
        assertThat(exported("failures.jsonl")).doesNotContain("npm");
        assertThat(done("", "export", "--json").out()).contains("\"committed\":true", "\"automatic\":false");
        assertThat(exported("failures.jsonl")).contains("npm");
        assertThat(done("", "export", "--automatic").out()).startsWith("nothing to commit");
        done(failure("tar"), "record");
        assertThat(exported("failures.jsonl")).contains("tar");
    }

    @Test
    void automatic_exportElsewhere_keepsTarget() throws Exception {
        done(failure("git"), "record");
        exportToBranch("--automatic");
        Path clone = folder.resolve("clone");
        Git.init().setDirectory(clone.toFile()).call().close();
        Xmem once = done("", "export", "--to", clone.toString(), "--json");
        assertThat(once.out()).contains("\"committed\":true", "\"automatic\":false");
        done(failure("npm"), "record");
        assertThat(exported("failures.jsonl")).contains("npm");
        assertThat(Files.readString(clone.resolve("data/failures.jsonl"))).doesNotContain("npm");
    }

    /** The change is stored in any case: the exit code stays, and the next change exports it. */
    @Test
    void automatic_remoteUnavailable_isReportedAndRetried() throws Exception {
        done(failure("git"), "record");
        exportToBranch("--automatic");
        Path away = folder.resolve("away");
        Files.move(remote, away);
        Xmem run = done(failure("npm"), "record");
        assertThat(run.lines()).hasSize(1);
        assertThat(run.err()).contains("stored, but not exported: ").contains("xmem export");
        assertThat(done("", "search", "tool=npm").err())
                .as("reading exports nothing")
                .isEmpty();
        Files.move(away, remote);
        done(failure("tar"), "record");
        assertThat(exported("failures.jsonl")).contains("npm", "tar");
    }

    /** A store that was copied or handed over with a saved target exports nothing until its owner sets a target. */
    @Test
    void automatic_copiedStore_isNotExportedUntilSetAgain() throws Exception {
        done(failure("git"), "record");
        exportToBranch("--automatic");
        Path copy = Files.move(folder.resolve("a"), folder.resolve("copy"));
        Xmem run = Xmem.fed(failure("npm"), "--store", copy.toString(), "record");
        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("stored, but not exported: ", "moved or copied", "xmem export --automatic");
        assertThat(exported("failures.jsonl")).doesNotContain("npm");
        assertThat(Xmem.run("--store", copy.toString(), "export", "--automatic").code())
                .isZero();
        assertThat(Xmem.fed(failure("tar"), "--store", copy.toString(), "record")
                        .err())
                .isEmpty();
        assertThat(exported("failures.jsonl")).contains("npm", "tar");
    }

    /** A remote may contain a password. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void savedTarget_symbolicLink_isReplacedByPrivateFile() throws Exception {
        done(failure("git"), "record");
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "mine");
        Path file = folder.resolve("a/.xmem/export-to");
        Files.createSymbolicLink(file, elsewhere);
        exportToBranch();
        assertThat(elsewhere).hasContent("mine");
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void export_invalidUse_saysWhatToDo() throws Exception {
        done(failure("git"), "record");
        assertThat(xmem("", "export").err()).contains("no export target: give --to DIR");
        assertThat(xmem("", "export", "--no-automatic").code()).isEqualTo(Main.FAILED);
        assertThat(xmem("", "export", "--remote", remote.toString(), "--branch=m", "--push")
                        .err())
                .contains("--push is for --to");
        assertThat(xmem("", "export", "--to", ".", "--transport=jgit").err()).contains("--transport is for --remote");
        Xmem nowhere = xmem("", "export", "--to", folder.resolve("nowhere").toString(), "--automatic");
        assertThat(nowhere.code()).isEqualTo(Main.FAILED);
        assertThat(folder.resolve("a/.xmem/export-to"))
                .as("a failed target is not saved")
                .doesNotExist();
        Files.writeString(folder.resolve("a/.xmem/export-to"), "rubbish");
        assertThat(done(failure("npm"), "record").err()).contains("stored, but not exported: ", "cannot be read");
    }
}

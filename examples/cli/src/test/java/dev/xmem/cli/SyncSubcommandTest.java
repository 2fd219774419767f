package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sync}, {@code sync status} and {@code clone}, over a folder and over a git repository. */
class SyncSubcommandTest {
    private static final String FAILURE =
            "{\"type\":\"tool_failure\",\"tool\":\"npm\",\"action\":\"install x\",\"error\":\"connect ETIMEDOUT\"}\n";

    @TempDir
    Path folder;

    private Xmem xmem(String store, String input, String... args) {
        String[] all = new String[args.length + 2];
        all[0] = "--store";
        all[1] = folder.resolve(store).toString();
        System.arraycopy(args, 0, all, 2, args.length);
        return Xmem.fed(input, all);
    }

    @Test
    void sync_throughDirectory_publishesAndImports() {
        String remote = folder.resolve("shared").toString();
        assertThat(xmem("a", FAILURE, "record").code()).isZero();
        Xmem first = xmem("a", "", "sync", "--remote", remote, "--json");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.out())
                .contains("\"published\":1", "\"imported\":0", "\"pending\":0", "\"backend\":\"directory\"");
        Xmem clone = xmem("b", "", "clone", remote);
        assertThat(clone.code()).as(clone.err()).isZero();
        assertThat(clone.out()).startsWith("published 0, imported 1, pending 0; this store is ");
        assertThat(xmem("b", "", "clone", remote).code()).isEqualTo(Main.FAILED);
        assertThat(xmem("a", FAILURE, "record").code()).isZero();
        Xmem status = xmem("a", "", "sync", "status", "--json");
        assertThat(status.code()).as(status.err()).isZero();
        assertThat(status.out()).contains("\"pending\":1", remote);
        assertThat(xmem("a", "", "sync").out()).startsWith("published 1, imported 0");
        assertThat(xmem("b", "", "sync").out()).startsWith("published 0, imported 1");
    }

    @Test
    void sync_throughGit_publishesAndImports() throws Exception {
        Path remote = folder.resolve("team.git");
        Git.init().setBare(true).setDirectory(remote.toFile()).call().close();
        assertThat(xmem("a", FAILURE, "record").code()).isZero();
        Xmem first = xmem("a", "", "sync", "--remote", remote.toString(), "--transport=jgit", "--json");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.out()).contains("\"published\":1", "\"backend\":\"git\"");
        assertThat(xmem("b", "", "clone", remote.toString(), "--transport=jgit").out())
                .startsWith("published 0, imported 1");
        assertThat(xmem("b", "", "search", "tool=npm").out()).contains("npm");
    }

    @Test
    void export_toCloneAndToBranch_commitsLogAndIndex() throws Exception {
        Path remote = folder.resolve("team.git");
        Git.init().setBare(true).setDirectory(remote.toFile()).call().close();
        Path clone = folder.resolve("clone");
        Git.cloneRepository()
                .setURI(remote.toString())
                .setDirectory(clone.toFile())
                .call()
                .close();
        assertThat(xmem("a", FAILURE, "record").code()).isZero();
        Xmem local = xmem("a", "", "export", "--to", clone.toString());
        assertThat(local.code()).as(local.err()).isZero();
        assertThat(local.out()).startsWith("committed: X-MEM: Record failure ").contains("(npm install)");
        assertThat(Files.readString(clone.resolve("data/index.json"))).contains("npm-install-");
        Xmem pushed = xmem("a", "", "export", "--to", clone.toString(), "--push", "--json");
        assertThat(pushed.code()).as(pushed.err()).isZero();
        assertThat(pushed.out()).contains("\"committed\":false", "\"pushed\":true", "\"problem\":null");
        Xmem branch = xmem("a", "", "export", "--remote", remote.toString(), "--branch=memory", "--transport=jgit");
        assertThat(branch.code()).as(branch.err()).isZero();
        assertThat(branch.out()).endsWith("pushed\n");
    }

    @Test
    void export_invalidUse_hasExitCode2AndMessage() {
        assertThat(xmem("a", "", "export", "--to", "x").err()).contains("no xmem store");
        assertThat(xmem("a", FAILURE, "record").code()).isZero();
        assertThat(xmem("a", "", "export").code()).isEqualTo(Main.FAILED);
        assertThat(xmem("a", "", "export", "--remote", "x.git").code()).isEqualTo(Main.FAILED);
        assertThat(xmem("a", "", "export", "--to", folder.resolve("a").toString())
                        .err())
                .contains("keep the store in another folder");
        assertThat(xmem("a", "", "export", "--to", folder.resolve("nowhere").toString())
                        .code())
                .isEqualTo(Main.FAILED);
    }

    @Test
    void sync_refusedLines_hasExitCode1() throws Exception {
        Path hostile = folder.resolve("shared/xmem-v1").resolve("d".repeat(32));
        Files.createDirectories(hostile);
        Files.writeString(hostile.resolve("failures.1.jsonl"), "not json\n");
        Xmem run = xmem("a", "", "sync", "--remote", folder.resolve("shared").toString());
        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.out()).contains("refused: dddddddd/failures at byte 0");
    }

    @Test
    void sync_invalidUse_hasExitCode2AndMessage() {
        assertThat(xmem("a", "", "sync").err()).contains("--remote URL-OR-PATH");
        Xmem password = xmem("a", "", "sync", "--remote", "https://me:secret@example.org/x.git");
        assertThat(password.code()).isEqualTo(Main.FAILED);
        assertThat(password.err()).doesNotContain("secret@");
        assertThat(xmem("a", "", "sync", "--remote", "ssh://h/x", "--transport", "pigeon")
                        .err())
                .contains("git or jgit");
    }

    /** Nothing is created if the path looks like a typing error, and nothing is saved. */
    @Test
    void sync_missingRemote_failsAndCreatesNothing() throws Exception {
        Path typo = folder.resolve("team.gti/x");
        Path git = folder.resolve("team.git");
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThat(xmem("b", "", "clone", git.toString()).err()).contains("there is nothing to clone at " + git);
        assertThat(folder.resolve("b")).doesNotExist();
        assertThat(xmem("a", FAILURE, "record").code()).isZero();
        assertThat(xmem("a", "", "sync", "--remote", git.toString()).err()).contains("git init --bare " + git);
        assertThat(xmem("a", "", "sync", "--remote", typo.toString()).err()).contains("there is no directory");
        assertThat(xmem("a", "", "sync", "--remote", file.toString()).err()).contains("is a file");
        assertThat(xmem("a", "", "sync", "--limit", "-1").err()).contains("at least 1");
        assertThat(git).doesNotExist();
        assertThat(typo.getParent()).doesNotExist();
        assertThat(xmem("a", "", "sync").err()).contains("--remote URL-OR-PATH once");
    }

    /** So that a typing error is seen, before the next sync goes to the wrong place too. */
    @Test
    void sync_toAFolderThatIsNotThere_saysThatItIsNew() throws Exception {
        String remote = folder.resolve("shraed").toString();
        assertThat(xmem("a", FAILURE, "record").code()).isZero();

        assertThat(xmem("a", "", "sync", "--remote", remote).err()).contains("created the shared folder " + remote);
        assertThat(xmem("a", "", "sync").err()).doesNotContain("created");
    }

    /** A change from a directory to a repository publishes everything to the new remote. */
    @Test
    void sync_anotherRemote_publishesEverything() throws Exception {
        Path remote = folder.resolve("team.git");
        Git.init().setBare(true).setDirectory(remote.toFile()).call().close();
        assertThat(xmem("a", FAILURE, "record").code()).isZero();
        assertThat(xmem("a", "", "sync", "--remote", folder.resolve("shared").toString())
                        .out())
                .startsWith("published 1");
        assertThat(xmem("a", "", "sync", "status").out()).contains("pending 0");
        assertThat(xmem("a", "", "sync", "--remote", remote.toString(), "--transport=jgit")
                        .out())
                .startsWith("published 1");
        assertThat(xmem("b", "", "clone", remote.toString(), "--transport=jgit").out())
                .startsWith("published 0, imported 1");
        assertThat(xmem("a", "", "sync", "--transport=jgit").out()).startsWith("published 0");
    }
}

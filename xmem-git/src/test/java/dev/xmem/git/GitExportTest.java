package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exports to clones and branches: one commit per record, several machines at once, and concurrent work of users. */
class GitExportTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final List<String> FILES = List.of("failures.jsonl", "successes.jsonl", "index.json");

    @TempDir
    Path folder;

    private Remote remote;

    @BeforeEach
    void create() throws Exception {
        remote = Remote.create(folder.resolve("team.git"));
        remote.git("symbolic-ref", "HEAD", "refs/heads/main");
    }

    private Path clone(String name) throws Exception {
        Remote.run(folder, "git", "clone", "--quiet", remote.folder().toString(), name);
        Path clone = folder.resolve(name);
        git(clone, "checkout", "--quiet", "-B", "main");
        git(clone, "config", "user.name", name);
        git(clone, "config", "user.email", name + "@example.org");
        if (!remote.git("for-each-ref", "refs/heads/main").isEmpty()) {
            git(clone, "branch", "--quiet", "--set-upstream-to=origin/main");
        }
        return clone;
    }

    private static String git(Path clone, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", clone.toString()));
        command.addAll(List.of(arguments));
        return Remote.run(clone, command.toArray(String[]::new));
    }

    private static String record(Path store, String tool, String error) {
        try (XMemStore open = XMem.open(store)) {
            return open.recordFailure(Failure.of(tool, "sync a:b /c", error)).id();
        }
    }

    private static Exported export(Path store, Path clone, boolean push) throws IOException {
        return GitExport.toWorkTree(store, clone, push).export(LIMIT);
    }

    private static Map<String, String> data(Path clone) throws IOException {
        Map<String, String> data = new TreeMap<>();
        try (Stream<Path> files = Files.list(clone.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                data.put(String.valueOf(file.getFileName()), Files.readString(file));
            }
        }
        return data;
    }

    /** A repository as the scripts of the X-MEM protocol leave it. */
    private Path seeded(String name) throws Exception {
        Path clone = clone(name);
        Files.createDirectories(clone.resolve("data"));
        Files.writeString(
                clone.resolve("data/failures.jsonl"),
                "{\"id\":\"2026-02-14-001\",\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"tool_failure\",\"tool\":\"npm\","
                        + "\"action\":\"install\",\"error\":\"ETIMEDOUT\",\"ctx_hash\":\"npm-install-network-timeout\"}\n");
        Files.writeString(clone.resolve("data/successes.jsonl"), "");
        Files.writeString(clone.resolve("data/index.json"), "{}\n");
        Files.writeString(clone.resolve("README.md"), "ours\n");
        git(clone, "add", ".");
        git(clone, "commit", "--quiet", "-m", "seed");
        git(clone, "push", "--quiet", "--set-upstream", "origin", "main");
        return clone;
    }

    @Test
    void export_oneRecord_oneCommitWithTheSeedsMessageLogAndIndexPushed() throws Exception {
        Path clone = seeded("a");
        Path store = clone.resolve(".xmem-store");
        String id = record(store, "rclone", "didn't find section in config file");
        Files.writeString(clone.resolve("README.md"), "being edited\n");
        Exported done = export(store, clone, true);
        assertThat(done.committed()).isTrue();
        assertThat(done.pushed()).isTrue();
        assertThat(done.problem()).isNull();
        assertThat(done.message()).isEqualTo("X-MEM: Record failure " + id + " (rclone sync)");
        assertThat(remote.git("log", "--format=%s", "main")).isEqualTo(done.message() + "\nseed");
        assertThat(remote.git("show", "--format=", "--name-only", "main").lines())
                .containsExactlyInAnyOrder("data/.gitattributes", "data/failures.jsonl", "data/index.json");
        assertThat(remote.git("log", "-1", "--format=%an", "main")).isEqualTo("a");
        assertThat(remote.git("show", "main:data/failures.jsonl").lines()).hasSize(2);
        assertThat(remote.git("show", "main:data/index.json"))
                .contains("\"failures\" : 2", "npm-install-network-timeout", "rclone-sync-config-not-found");
        assertThat(git(clone, "status", "--porcelain", "--untracked-files=no")).isEqualTo("M README.md");
        assertThat(Files.readString(clone.resolve("README.md"))).isEqualTo("being edited\n");
        record(store, "git", "boo");
        export(store, clone, true);
        assertThat(remote.git("show", "--format=", "--name-only", "main").lines())
                .containsExactlyInAnyOrder("data/failures.jsonl", "data/index.json");
        Exported nothing = export(store, clone, true);
        assertThat(nothing.committed()).isFalse();
        assertThat(nothing.problem()).isNull();
        assertThat(remote.git("rev-list", "--count", "main")).isEqualTo("3");
        remote.assertSound();
    }

    @Test
    void export_emptyRepositoryWithoutARemote_isCommittedOnly() throws Exception {
        Path clone = folder.resolve("alone");
        Remote.run(folder, "git", "init", "--quiet", clone.toString());
        Path store = folder.resolve("store");
        record(store, "git", "boo");
        Exported done = export(store, clone, true);
        assertThat(done.committed()).isTrue();
        assertThat(done.pushed()).isFalse();
        assertThat(done.problem()).contains("no remote");
        assertThat(export(store, clone, false).problem()).isNull();
        assertThat(git(clone, "rev-list", "--count", "HEAD")).isEqualTo("1");
    }

    /** Two clones record and export at the same time, several times; at the end both have all entries. */
    @Test
    void export_machinesAtOnce_endEqualWithoutAMerge() throws Exception {
        int machines = 3;
        int rounds = 4;
        seeded("first");
        ExecutorService threads = Executors.newFixedThreadPool(machines);
        List<Callable<Integer>> work = new ArrayList<>();
        for (int m = 0; m < machines; m++) {
            Path clone = clone("m" + m);
            String name = "m" + m;
            work.add(() -> {
                int commits = 0;
                for (int round = 0; round < rounds; round++) {
                    record(folder.resolve("s-" + name), "tool" + name, "mark-" + name + "-" + round);
                    Exported done = export(folder.resolve("s-" + name), clone, true);
                    assertThat(done.problem()).isNull();
                    commits += done.committed() && done.pushed() ? 1 : 0;
                }
                return commits;
            });
        }
        try {
            for (Future<Integer> done : threads.invokeAll(work)) {
                assertThat(done.get()).isEqualTo(rounds);
            }
        } finally {
            threads.shutdownNow();
        }
        for (int m = 0; m < machines; m++) {
            export(folder.resolve("s-m" + m), folder.resolve("m" + m), true);
        }
        Map<String, String> first = data(folder.resolve("m0"));
        assertThat(first.get("failures.jsonl").lines()).hasSize(1 + machines * rounds);
        for (int m = 1; m < machines; m++) {
            export(folder.resolve("s-m" + m), folder.resolve("m" + m), true);
            assertThat(data(folder.resolve("m" + m))).isEqualTo(first);
        }
        assertThat(remote.git("log", "--merges", "--format=%s", "main")).isEmpty();
        assertThat(remote.git("rev-list", "--count", "main")).isEqualTo(String.valueOf(1 + machines * rounds));
        assertThat(first.get("index.json")).contains("\"failures\" : " + (1 + machines * rounds));
        remote.assertSound();
    }

    @Test
    void export_whileTheRemoteIsAway_isMadeAnewOnWhatCameMeanwhile() throws Exception {
        Path a = seeded("a");
        Path b = clone("b");
        git(a, "config", "remote.origin.url", folder.resolve("away").toString());
        record(folder.resolve("sa"), "atool", "one");
        Exported offline = export(folder.resolve("sa"), a, true);
        assertThat(offline.committed()).isTrue();
        assertThat(offline.problem()).startsWith("git fetch:");
        record(folder.resolve("sa"), "atool", "two");
        export(folder.resolve("sa"), a, true);
        record(folder.resolve("sb"), "btool", "three");
        Files.writeString(b.resolve("README.md"), "theirs\n");
        git(b, "commit", "--quiet", "-am", "by hand");
        assertThat(export(folder.resolve("sb"), b, true).pushed()).isTrue();
        git(a, "config", "remote.origin.url", remote.folder().toString());
        assertThat(export(folder.resolve("sa"), a, true).pushed()).isTrue();
        assertThat(remote.git("show", "main:data/failures.jsonl")).contains("one", "two", "three", "ETIMEDOUT");
        assertThat(Files.readString(a.resolve("README.md"))).isEqualTo("theirs\n");
        assertThat(remote.git("log", "--format=%s", "main").lines()).hasSize(4);
    }

    @Test
    void export_commitsOfPeopleThatHaveGoneApart_areLeftToThem() throws Exception {
        Path a = seeded("a");
        Path b = clone("b");
        Files.writeString(b.resolve("README.md"), "theirs\n");
        git(b, "commit", "--quiet", "-am", "theirs");
        git(b, "push", "--quiet");
        Files.writeString(a.resolve("README.md"), "mine\n");
        git(a, "commit", "--quiet", "-am", "mine");
        String before = git(a, "rev-parse", "HEAD");
        record(folder.resolve("sa"), "atool", "one");
        Exported done = export(folder.resolve("sa"), a, true);
        assertThat(done.committed()).isTrue();
        assertThat(done.problem()).contains("merge them");
        assertThat(git(a, "rev-parse", "HEAD^")).isEqualTo(before);
        git(a, "fetch", "--quiet");
        git(a, "merge", "--quiet", "-X", "ours", "-m", "merged", "origin/main");
        record(folder.resolve("sa"), "atool", "two");
        assertThat(export(folder.resolve("sa"), a, true).pushed()).isTrue();
        assertThat(remote.git("show", "main:data/failures.jsonl")).contains("one", "two");
    }

    @Test
    void export_whatWasPurgedOrCompacted_goesFromTheFilesAndOthersStay() throws Exception {
        Path a = seeded("a");
        Path store = folder.resolve("sa");
        String leaky = record(store, "leaky", "the word is Rumpelstilzchen");
        for (int i = 0; i < 3; i++) {
            record(store, "rclone", "didn't find section in config file");
        }
        export(store, a, true);
        try (XMemStore open = XMem.open(store)) {
            open.purge(Set.of(leaky));
            open.compact(open.planCompaction(Retention.defaults()));
        }
        Exported done = export(store, a, true);
        assertThat(done.pushed()).isTrue();
        String log = remote.git("show", "main:data/failures.jsonl");
        assertThat(log).doesNotContain("Rumpelstilzchen").contains("ETIMEDOUT", "\"occurrences\":3");
        assertThat(log.lines()).hasSize(2);
    }

    /** Two branches that a user merged: a union of the logs, any index, and lines added by hand. */
    @Test
    void export_afterAMergeByHand_putsTheFilesInOrder() throws Exception {
        Path a = seeded("a");
        record(folder.resolve("sa"), "atool", "one");
        export(folder.resolve("sa"), a, true);
        Path b = clone("b");
        record(folder.resolve("sb"), "btool", "two");
        export(folder.resolve("sb"), b, false);
        record(folder.resolve("sa"), "atool", "three");
        export(folder.resolve("sa"), a, true);
        git(b, "fetch", "--quiet");
        git(b, "merge", "--quiet", "-m", "by hand", "origin/main");
        Files.writeString(
                b.resolve("data/failures.jsonl"),
                Files.readString(b.resolve("data/failures.jsonl"))
                        + "<<<<<<< HEAD\n{\"id\":\"2026-02-14-009\",\"type\":\"tool_failure\",\"tool\":\"byhand\","
                        + "\"error\":\"x\"}\n=======\n>>>>>>> other\n");
        assertThat(export(folder.resolve("sb"), b, true).pushed()).isTrue();
        Map<String, String> merged = data(b);
        assertThat(merged.get("failures.jsonl").lines()).hasSize(5).doesNotHaveDuplicates();
        assertThat(merged.get("failures.jsonl")).contains("byhand").doesNotContain("<<<", ">>>", "===");
        assertThat(merged.get("index.json")).contains("\"failures\" : 5").doesNotContain("<<<");
        export(folder.resolve("sa"), a, true);
        assertThat(data(a)).isEqualTo(merged);
        try (XMemStore view = XMem.builder(a).readOnly().open()) {
            assertThat(view.stats().failures()).isEqualTo(5);
            assertThat(view.search(Query.all().tool("byhand")).total()).isEqualTo(1);
        }
    }

    @Test
    void export_inTheMidstOfAMerge_saysSo() throws Exception {
        Path a = seeded("a");
        git(a, "checkout", "--quiet", "-b", "side");
        Files.writeString(a.resolve("README.md"), "side\n");
        git(a, "commit", "--quiet", "-am", "side");
        git(a, "checkout", "--quiet", "main");
        Files.writeString(a.resolve("README.md"), "main\n");
        git(a, "commit", "--quiet", "-am", "main");
        new ProcessBuilder("git", "-C", a.toString(), "merge", "--quiet", "side")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start()
                .waitFor();
        record(folder.resolve("sa"), "atool", "one");
        assertThatThrownBy(() -> export(folder.resolve("sa"), a, true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("finish it, then export again");
    }

    /** A clone is untrusted: a symbolic link in it is not followed. */
    @Test
    void export_linkInTheClone_nothingIsWrittenThroughIt() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Path victim = Files.writeString(outside.resolve("failures.jsonl"), "untouched\n");
        Path clone = clone("a");
        Files.createSymbolicLink(clone.resolve("data"), outside);
        record(folder.resolve("sa"), "atool", "one");
        assertThatThrownBy(() -> export(folder.resolve("sa"), clone, false)).hasMessageContaining("symbolic link");
        Files.delete(clone.resolve("data"));
        Files.createDirectories(clone.resolve("data"));
        Files.createSymbolicLink(clone.resolve("data/failures.jsonl"), victim);
        assertThatThrownBy(() -> export(folder.resolve("sa"), clone, false)).hasMessageContaining("symbolic link");
        assertThat(Files.readString(victim)).isEqualTo("untouched\n");
        assertThat(outside.toFile().list()).hasSize(1);
    }

    @Test
    void export_theStoreItself_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GitExport.toWorkTree(folder, folder, true))
                .withMessageContaining(".xmem-store");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GitExport.toBranch(folder, "x.git", "a..b", Transport.GIT));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GitExport.toBranch(folder, "https://a:b@h/x.git", "b", Transport.GIT));
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void exportToBranch_twoStores_keepOtherFilesAndEndEqual(Transport transport) throws Exception {
        seeded("first");
        for (String store : List.of("a", "b", "a")) {
            record(folder.resolve(store), "tool" + store, "boo");
            Exported done = GitExport.toBranch(
                            folder.resolve(store), remote.folder().toString(), "memory", transport)
                    .export(LIMIT);
            assertThat(done.pushed()).isTrue();
            assertThat(done.message()).startsWith("X-MEM: Record failure ");
        }
        assertThat(remote.git("rev-list", "--count", "memory")).isEqualTo("3");
        assertThat(remote.git("show", "memory:data/failures.jsonl").lines()).hasSize(3);
        assertThat(remote.git("show", "memory:data/index.json")).contains("\"failures\" : 3");
        record(folder.resolve("a"), "onmain", "boo");
        GitExport main = GitExport.toBranch(folder.resolve("a"), remote.folder().toString(), "main", transport);
        assertThat(main.export(LIMIT).committed()).isTrue();
        assertThat(main.export(LIMIT).committed()).isFalse();
        assertThat(remote.git("ls-tree", "-r", "--name-only", "main").lines())
                .contains("README.md", "data/.gitattributes", "data/failures.jsonl", "data/index.json");
        remote.assertSound();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void exportToBranch_manyAtOnce_allThere(Transport transport) throws Exception {
        int machines = 4;
        ExecutorService threads = Executors.newFixedThreadPool(machines);
        List<Callable<Exported>> work = new ArrayList<>();
        for (int m = 0; m < machines; m++) {
            Path store = folder.resolve("s" + m);
            record(store, "tool" + m, "boo");
            work.add(() -> GitExport.toBranch(store, remote.folder().toString(), "memory", transport)
                    .export(LIMIT));
        }
        try {
            for (Future<Exported> done : threads.invokeAll(work)) {
                assertThat(done.get().pushed()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(remote.git("show", "memory:data/failures.jsonl").lines()).hasSize(machines);
        assertThat(FILES).allMatch(name -> !said(name).isBlank() || name.startsWith("succ"));
        remote.assertSound();
    }

    private String said(String name) {
        try {
            return remote.git("show", "memory:data/" + name);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

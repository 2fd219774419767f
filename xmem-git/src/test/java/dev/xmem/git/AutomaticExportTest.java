package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.XMem;
import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.SyncBackend.Ability;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores whose worker exports without a call of the user. */
@Timeout(300)
class AutomaticExportTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String LOG = "main:data/failures.jsonl";

    @TempDir
    Path folder;

    private Remote remote;

    @BeforeEach
    void create() throws Exception {
        remote = Remote.create(folder.resolve("team.git"));
        remote.git("symbolic-ref", "HEAD", "refs/heads/main");
    }

    private Path dir(String name) {
        return folder.resolve(name);
    }

    private GitExport export(String store) {
        return GitExport.toBranch(dir(store), remote.folder().toString(), "main", Transport.JGIT);
    }

    /** A store whose worker runs only on request. */
    private XMemStore open(String store, SyncBackend backend) {
        return XMem.builder(dir(store))
                .sync(backend)
                .syncInterval(Duration.ofDays(1))
                .open();
    }

    private static String fail(XMemStore store, String tool) {
        return store.recordFailure(Failure.of(tool, "sync a:b /c", tool + ": cannot find it"))
                .id();
    }

    private boolean has(String commit) throws Exception {
        return !remote.git("for-each-ref", "refs/heads/main").isEmpty()
                && remote.git("log", "--format=%s", "main").lines().anyMatch(commit::equals);
    }

    private void awaitCommit(String message) throws Exception {
        while (!has(message)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    @Test
    void worker_afterAnAppend_commitsAndPushesByItself() throws Exception {
        try (XMemStore store =
                XMem.builder(dir("a")).sync(export("a").automatic()).open()) {
            String first = fail(store, "rclone");
            awaitCommit("X-MEM: Record failure " + first + " (rclone sync)");
            String second = fail(store, "git");
            awaitCommit("X-MEM: Record failure " + second + " (git sync)");
            assertThat(remote.git("show", LOG).lines()).hasSize(2);
            assertThat(remote.git("show", "main:data/index.json")).contains("\"failures\" : 2");
        }
        assertThat(remote.git("rev-list", "--count", "main")).isEqualTo("2");
    }

    /** With a clone: committed as its user, pushed by the installed git, other files left alone. */
    @Test
    void worker_intoAWorkTree_commitsAndPushesByItself() throws Exception {
        Remote.run(folder, "git", "clone", "--quiet", remote.folder().toString(), "clone");
        Path clone = dir("clone");
        Remote.run(clone, "git", "checkout", "--quiet", "-B", "main");
        Remote.run(clone, "git", "config", "user.name", "somebody");
        Remote.run(clone, "git", "config", "user.email", "somebody@example.org");
        Files.writeString(clone.resolve("README.md"), "being written\n");
        GitExport export = GitExport.toWorkTree(dir("a"), clone, true);
        try (XMemStore store = XMem.builder(dir("a")).sync(export.automatic()).open()) {
            String id = fail(store, "rclone");
            awaitCommit("X-MEM: Record failure " + id + " (rclone sync)");
        }
        assertThat(remote.git("log", "--format=%an", "main")).isEqualTo("somebody");
        assertThat(remote.git("ls-tree", "-r", "--name-only", "main").lines())
                .contains("data/.gitattributes", "data/failures.jsonl", "data/index.json")
                .doesNotContain("README.md");
    }

    @Test
    void sync_exportsAtOnce_andNothingWhereNothingIsNew() throws Exception {
        try (XMemStore store = open("a", export("a").automatic())) {
            fail(store, "git");
            SyncReport report = store.sync(LIMIT);
            assertThat(report.lastError()).isNull();
            assertThat(report.backend()).isEqualTo("git-export");
            assertThat(report.pending()).isZero();
            store.sync(LIMIT);
        }
        assertThat(remote.git("rev-list", "--count", "main")).isEqualTo("1");
    }

    @Test
    void purge_goesFromTheFiles() throws Exception {
        try (XMemStore store = open("a", export("a").automatic())) {
            String id = fail(store, "leaky");
            fail(store, "git");
            store.sync(LIMIT);
            assertThat(remote.git("show", LOG)).contains("leaky");
            store.purge(Set.of(id));
            assertThat(store.sync(LIMIT).lastError()).isNull();
        }
        assertThat(remote.git("show", LOG)).doesNotContain("leaky").contains("git");
    }

    @Test
    void remoteThatIsNotThere_isToldOf_andTheExportMadeWhenItIs() throws Exception {
        Path away = dir("away.git");
        Files.move(remote.folder(), away);
        String id;
        try (XMemStore store = open("a", export("a").automatic())) {
            id = fail(store, "git");
            SyncReport report = store.sync(LIMIT);
            assertThat(report.lastError()).isNotNull();
            assertThat(report.pending()).isEqualTo(1);
            Files.move(away, remote.folder());
            awaitCommit("X-MEM: Record failure " + id + " (git sync)");
        }
    }

    /** An entry that was recorded and not exported is exported when the store is opened again. */
    @Test
    void open_withWhatWaits_exportsIt() throws Exception {
        String id;
        try (XMemStore store = XMem.open(dir("a"))) {
            id = fail(store, "git");
        }
        try (XMemStore store =
                XMem.builder(dir("a")).sync(export("a").automatic()).open()) {
            awaitCommit("X-MEM: Record failure " + id + " (git sync)");
            assertThat(store.stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void beside_exportsWhatOthersPublishedToo() throws Exception {
        Path shared = dir("shared");
        try (XMemStore a = open("a", export("a").beside(DirectoryBackend.at(shared)));
                XMemStore b = open("b", DirectoryBackend.at(shared))) {
            fail(b, "npm");
            b.sync(LIMIT);
            fail(a, "git");
            assertThat(a.sync(LIMIT).backend()).isEqualTo("directory");
            assertThat(a.stats().failures()).isEqualTo(2); // the worker may have imported it before
            assertThat(remote.git("show", LOG)).contains("git");
            a.sync(LIMIT);
            assertThat(remote.git("show", LOG)).contains("git", "npm");
            b.sync(LIMIT);
            assertThat(b.stats().failures()).isEqualTo(2);
        }
    }

    /** The worker repeats a failed export when it polls, which it does not for a backend that groups publications. */
    @Test
    void beside_backendThatGroupsPublications_pollsAndHasTheOtherAbilities() {
        SyncBackend grouping = (SyncBackend) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SyncBackend.class},
                (proxy, method, args) -> EnumSet.allOf(Ability.class));
        assertThat(export("a").beside(grouping).abilities())
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(Ability.GROUP_COMMIT)));
    }

    @Test
    void beside_exportThatFails_leavesTheSyncAlone() throws Exception {
        Path shared = dir("shared");
        Path away = dir("away.git");
        Files.move(remote.folder(), away);
        try (XMemStore a = open("a", export("a").beside(DirectoryBackend.at(shared)));
                XMemStore b = open("b", DirectoryBackend.at(shared))) {
            fail(a, "git");
            SyncReport report = a.sync(LIMIT);
            assertThat(report.lastError()).isNull();
            assertThat(report.refused())
                    .singleElement()
                    .satisfies(why -> assertThat(why).startsWith("not exported: "));
            b.sync(LIMIT);
            assertThat(b.stats().failures()).isEqualTo(1);
            Files.move(away, remote.folder());
            while (!a.sync(LIMIT).refused().isEmpty()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            }
            assertThat(remote.git("show", LOG)).contains("git");
        }
    }
}

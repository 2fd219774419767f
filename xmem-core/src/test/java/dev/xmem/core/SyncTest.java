package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.SyncReport;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that sync through a shared folder: what goes right, and what goes wrong and is healed. */
class SyncTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private final Map<XMemStore, SyncReport> before = new IdentityHashMap<>();

    private Path shared() {
        return folder.resolve("shared");
    }

    private Path dir(String name) {
        return folder.resolve(name);
    }

    /** A store whose worker only polls when it is told to. */
    private XMemStore open(String name) {
        return builder(name).sync(DirectoryBackend.at(shared())).open();
    }

    private XMem.Builder builder(String name) {
        return XMem.builder(dir(name)).syncInterval(Duration.ofDays(1));
    }

    private record Done(
            String replica, String backend, int published, int imported, int pending, List<String> refused) {}

    /** A round, and all that was done since the last one, by the worker too. */
    private Done sync(XMemStore store) {
        assertThat(store.sync(LIMIT).lastError()).isNull();
        SyncReport now = store.stats().sync();
        SyncReport then = before.put(store, now);
        return new Done(
                now.replica(),
                now.backend(),
                now.published() - (then == null ? 0 : then.published()),
                now.imported() - (then == null ? 0 : then.imported()),
                now.pending(),
                now.refused());
    }

    private static Failure fail(XMemStore store, String tool) {
        return store.recordFailure(
                Failure.of(tool, "run", tool + ": cannot find it").patternAvoid("Look first"));
    }

    private String replica(String store) throws IOException {
        String text = Files.readString(dir(store).resolve(".xmem/replica.json"));
        return text.substring(text.indexOf("\":\"") + 3).substring(0, 32);
    }

    /** What a store has: by replica and file, the bytes as text. */
    private Map<String, String> state(String store) throws IOException {
        Map<String, String> state = new TreeMap<>();
        read(dir(store).resolve("data"), replica(store), state);
        Path peers = dir(store).resolve("data/peers");
        if (Files.isDirectory(peers)) {
            try (Stream<Path> replicas = Files.list(peers)) {
                for (Path replica : replicas.toList()) {
                    read(replica, replica.getFileName().toString(), state);
                }
            }
        }
        return state;
    }

    private static void read(Path folder, String replica, Map<String, String> into) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (Files.isRegularFile(file) && !name.equals("index.json")) {
                    into.put(replica + "/" + name, Files.readString(file));
                }
            }
        }
    }

    private void assertEqualStates(String... stores) throws IOException {
        for (String store : stores) {
            assertThat(state(store)).isEqualTo(state(stores[0]));
        }
    }

    @Test
    void sync_withoutABackend_saysWhatToDo() {
        try (XMemStore store = XMem.inMemory()) {
            assertThatThrownBy(() -> store.sync(LIMIT))
                    .isInstanceOf(XMemException.Unsupported.class)
                    .hasMessageContaining("sync(");
            assertThat(store.stats().sync()).isNull();
        }
    }

    @Test
    void open_readOnlyOrWrongFigures_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder("a")
                        .sync(DirectoryBackend.at(shared()))
                        .readOnly()
                        .open());
        assertThatIllegalArgumentException().isThrownBy(() -> builder("a").peerTrust(1.1));
        assertThatIllegalArgumentException().isThrownBy(() -> builder("a").peerTrust(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> builder("a").syncInterval(Duration.ZERO));
    }

    @Test
    void sync_twoStores_bothHaveTheBytesOfBoth() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            a.writeNote(Note.of("note", "über «das» 😀"));
            fail(b, "npm");
            Done first = sync(a);
            assertThat(first.published()).isEqualTo(2);
            assertThat(first.imported()).isZero();
            assertThat(first.pending()).isZero();
            Done second = sync(b);
            assertThat(second.published()).isEqualTo(1);
            assertThat(second.imported()).isEqualTo(2);
            assertThat(sync(a).imported()).isEqualTo(1);
            assertThat(sync(a).imported()).isZero();
            assertThat(sync(b).published()).isZero();
            assertThat(first.replica()).isEqualTo(replica("a"));
            assertThat(first.backend()).isEqualTo("directory");
            assertThat(a.stats().sync().published()).isEqualTo(2);
        }
        assertEqualStates("a", "b");
        assertThat(state("a")).hasSize(3);
    }

    @Test
    void worker_byItself_publishesAndImports() throws Exception {
        try (XMemStore a = XMem.builder(dir("a"))
                        .sync(DirectoryBackend.at(shared()))
                        .open();
                XMemStore b = XMem.builder(dir("b"))
                        .sync(DirectoryBackend.at(shared()))
                        .open()) {
            fail(a, "git");
            for (int i = 0; i < 600 && b.stats().sync().imported() == 0; i++) {
                Thread.sleep(50);
            }
            assertThat(b.stats().sync().imported()).isEqualTo(1);
            assertThat(a.stats().sync().pending()).isZero();
        }
        assertEqualStates("a", "b");
    }

    @Test
    void close_withWhatWaits_publishesIt() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
        }
        try (XMemStore b = open("b")) {
            assertThat(sync(b).imported()).isEqualTo(1);
        }
    }

    @Test
    void sync_manyEntries_inAnyPortions_equal() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            for (int i = 0; i < 300; i++) {
                fail(a, "tool" + i);
                if (i % 70 == 0) {
                    sync(a);
                    sync(b);
                }
            }
            sync(a);
            sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_stateLost_takenFromTheBackend() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            sync(a);
            sync(b);
            Files.delete(dir("a").resolve(".xmem/sync-state.jsonl"));
            Files.delete(dir("b").resolve(".xmem/sync-state.jsonl"));
            String before = replica("a");
            fail(a, "npm");
            assertThat(sync(a).published()).isEqualTo(1);
            assertThat(replica("a")).isEqualTo(before);
            assertThat(sync(b).imported()).isEqualTo(2);
        }
        assertEqualStates("a", "b");
    }

    /** A crash after the lines were written and before that was noted. */
    @Test
    void sync_importHalfNoted_importedAgainFromTheBeginning() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            sync(a);
            sync(b);
            Path state = dir("b").resolve(".xmem/sync-state.jsonl");
            byte[] before = Files.readAllBytes(state);
            fail(a, "npm");
            sync(a);
            sync(b);
            Files.write(state, before);
            sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_importDeletedOrEdited_thereAgain() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            sync(a);
            sync(b);
            Path imported = dir("b").resolve("data/peers").resolve(replica("a")).resolve("failures.jsonl");
            Files.delete(imported);
            sync(b);
            assertEqualStates("a", "b");
            Files.writeString(imported, "junk\n", StandardOpenOption.APPEND);
            sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_backendLostEverything_publishedAgain() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            sync(a);
            sync(b);
            delete(shared());
            String before = replica("a");
            fail(a, "npm");
            assertThat(sync(a).published()).isEqualTo(2);
            assertThat(replica("a")).isEqualTo(before);
            sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_backendRestoredFromABackup_goesOn() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            sync(a);
            copy(shared(), folder.resolve("backup"));
            fail(a, "npm");
            sync(a);
            sync(b);
            delete(shared());
            copy(folder.resolve("backup"), shared());
            sync(b);
            assertThat(state("b")).containsAllEntriesOf(state("a"));
            fail(a, "tar");
            String before = replica("a");
            sync(a);
            assertThat(replica("a")).isEqualTo(before);
            sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_copiedStore_becomesAnotherReplicaAndLosesNothing() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            sync(a);
        }
        copy(dir("a"), dir("copy"));
        try (XMemStore a = open("a");
                XMemStore copy = open("copy");
                XMemStore b = open("b")) {
            fail(a, "npm");
            fail(copy, "tar");
            sync(a);
            sync(copy);
            assertThat(replica("copy")).isNotEqualTo(replica("a"));
            fail(a, "cp");
            sync(a);
            sync(copy);
            sync(b);
            sync(a);
            assertEqualStates("a", "copy", "b");
            assertThat(String.join("", state("b").values())).contains("npm", "tar", "cp");
        }
    }

    /** The same, where nothing tells a copy from a folder that was moved: the first publication does. */
    @Test
    void sync_copyThatCannotBeSeen_isFoundOutByItsPublication() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            sync(a);
        }
        copy(dir("a"), dir("copy"));
        String id = replica("a");
        Files.writeString(dir("copy").resolve(".xmem/replica.json"), "{\"replica\":\"" + id + "\",\"folder\":\"\"}\n");
        try (XMemStore a = open("a");
                XMemStore copy = open("copy")) {
            fail(a, "npm");
            fail(copy, "tar");
            sync(a);
            sync(copy);
            assertThat(replica("a")).isEqualTo(id);
            assertThat(replica("copy")).isNotEqualTo(id);
            sync(a);
            sync(copy);
            assertEqualStates("a", "copy");
        }
    }

    @Test
    void sync_movedStore_staysWhoItIs() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            sync(a);
        }
        String id = replica("a");
        Files.move(dir("a"), dir("moved"));
        try (XMemStore moved = open("moved")) {
            fail(moved, "npm");
            assertThat(sync(moved).published()).isEqualTo(1);
        }
        assertThat(replica("moved")).isEqualTo(id);
    }

    @Test
    void sync_ownLogRewritten_isReplacedEverywhere() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "leaky");
            fail(a, "git");
            sync(a);
            sync(b);
            Path log = dir("a").resolve("data/failures.jsonl");
            List<String> lines = Files.readAllLines(log);
            Path next = Files.writeString(dir("a").resolve("next"), lines.get(1) + "\n");
            Files.move(next, log, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            fail(a, "npm");
            sync(a);
            sync(b);
        }
        assertEqualStates("a", "b");
        assertThat(String.join("", state("b").values())).doesNotContain("leaky").contains("npm");
        try (Stream<Path> files = Files.walk(shared())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).doesNotContain("leaky");
            }
        }
    }

    @Test
    void sync_retiredReplica_becomesAnother() throws Exception {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            sync(a);
            String id = replica("a");
            try (SyncBackend admin = DirectoryBackend.at(shared())) {
                admin.retire(id, LIMIT);
            }
            fail(a, "npm");
            sync(a);
            assertThat(replica("a")).isNotEqualTo(id);
            sync(b);
            sync(a);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_linesThatAreNoEntries_refusedAndTold() throws IOException {
        Path hostile = shared().resolve("xmem-v1").resolve("d".repeat(32));
        Files.createDirectories(hostile);
        Files.writeString(
                hostile.resolve("failures.1.jsonl"),
                "{\"id\":\"2026-01-01-001\",\"type\":\"tool_failure\",\"tool\":\"x\",\"error\":\"\\u001b[31mboo```\"}\n"
                        + "not json\n"
                        + "[".repeat(100_000) + "\n"
                        + "{\"long\":\"" + "y".repeat(2 << 20) + "\"}\n"
                        + "{\"id\":\"2026-01-01-002\",\"type\":\"tool_failure\",\"tool\":\"y\",\"error\":\"z\"}\n");
        try (XMemStore a = open("a")) {
            Done report = sync(a);
            assertThat(report.imported()).isEqualTo(2);
            assertThat(report.refused()).hasSize(3).allMatch(text -> text.startsWith("dddddddd/failures at byte "));
            assertThat(String.join("", report.refused())).doesNotContain("yyy");
            assertThat(a.stats().sync().refused()).hasSize(3);
            fail(a, "after");
        }
        Path imported = dir("a").resolve("data/peers").resolve("d".repeat(32)).resolve("failures.jsonl");
        assertThat(Files.readAllLines(imported)).hasSize(2);
        // Nobody else's ids are counted from.
        assertThat(Files.readString(dir("a").resolve("data/failures.jsonl"))).contains("-001\"");
    }

    @Test
    void sync_globalDirectives_stayWithTheUser() throws IOException {
        Path global = folder.resolve("global.ndjson");
        try (XMemStore a = builder("a")
                .globalDirectives(global)
                .sync(DirectoryBackend.at(shared()))
                .open()) {
            a.remember(dev.xmem.Directive.rule(new dev.xmem.Directive.Triple("builds", "are", "heavy"))
                    .global());
            assertThat(sync(a).published()).isZero();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes a) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes a) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

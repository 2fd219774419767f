package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncRounds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that sync through a shared folder: what goes right, and what goes wrong and is healed. */
class SyncTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private final SyncRounds rounds = new SyncRounds();

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
        Path archive = dir(store).resolve("data/archive");
        if (Files.isDirectory(archive)) {
            read(archive, replica(store), state);
        }
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

    /** What the worker asks for is done by another. */
    private static class ForwardingBackend implements SyncBackend {
        private final SyncBackend to;

        ForwardingBackend(SyncBackend to) {
            this.to = to;
        }

        @Override
        public String id() {
            return to.id();
        }

        @Override
        public Ack publish(Publication own, Duration limit) throws IOException {
            return to.publish(own, limit);
        }

        @Override
        public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
            return to.poll(known, maxBytes, limit);
        }

        @Override
        public void close() throws IOException {
            to.close();
        }
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
            SyncRounds.Done first = rounds.sync(a);
            assertThat(first.published()).isEqualTo(2);
            assertThat(first.imported()).isZero();
            assertThat(first.pending()).isZero();
            SyncRounds.Done second = rounds.sync(b);
            assertThat(second.published()).isEqualTo(1);
            assertThat(second.imported()).isEqualTo(2);
            assertThat(rounds.sync(a).imported()).isEqualTo(1);
            assertThat(rounds.sync(a).imported()).isZero();
            assertThat(rounds.sync(b).published()).isZero();
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
            assertThat(rounds.sync(b).imported()).isEqualTo(1);
        }
    }

    @Test
    void sync_manyEntries_inAnyPortions_equal() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            for (int i = 0; i < 300; i++) {
                fail(a, "tool" + i);
                if (i % 70 == 0) {
                    rounds.sync(a);
                    rounds.sync(b);
                }
            }
            rounds.sync(a);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_stateLost_takenFromTheBackend() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            rounds.sync(b);
            Files.delete(dir("a").resolve(".xmem/sync-state.jsonl"));
            Files.delete(dir("b").resolve(".xmem/sync-state.jsonl"));
            String before = replica("a");
            fail(a, "npm");
            assertThat(rounds.sync(a).published()).isEqualTo(1);
            assertThat(replica("a")).isEqualTo(before);
            assertThat(rounds.sync(b).imported()).isEqualTo(2);
        }
        assertEqualStates("a", "b");
    }

    /** A crash after the lines were written and before that was noted. */
    @Test
    void sync_importHalfNoted_importedAgainFromTheBeginning() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            rounds.sync(b);
            Path state = dir("b").resolve(".xmem/sync-state.jsonl");
            byte[] before = Files.readAllBytes(state);
            fail(a, "npm");
            rounds.sync(a);
            rounds.sync(b);
            Files.write(state, before);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_importDeletedOrEdited_thereAgain() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            rounds.sync(b);
            Path imported = dir("b").resolve("data/peers").resolve(replica("a")).resolve("failures.jsonl");
            Files.delete(imported);
            rounds.sync(b);
            assertEqualStates("a", "b");
            Files.writeString(imported, "junk\n", StandardOpenOption.APPEND);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_backendLostEverything_publishedAgain() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            rounds.sync(b);
            delete(shared());
            String before = replica("a");
            fail(a, "npm");
            assertThat(rounds.sync(a).published()).isEqualTo(2);
            assertThat(replica("a")).isEqualTo(before);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_backendRestoredFromABackup_goesOn() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            copy(shared(), folder.resolve("backup"));
            fail(a, "npm");
            rounds.sync(a);
            rounds.sync(b);
            delete(shared());
            copy(folder.resolve("backup"), shared());
            rounds.sync(b);
            assertThat(state("b")).containsAllEntriesOf(state("a"));
            fail(a, "tar");
            String before = replica("a");
            rounds.sync(a);
            assertThat(replica("a")).isEqualTo(before);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_copiedStore_becomesAnotherReplicaAndLosesNothing() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            rounds.sync(a);
        }
        copy(dir("a"), dir("copy"));
        try (XMemStore a = open("a");
                XMemStore copy = open("copy");
                XMemStore b = open("b")) {
            fail(a, "npm");
            fail(copy, "tar");
            rounds.sync(a);
            rounds.sync(copy);
            assertThat(replica("copy")).isNotEqualTo(replica("a"));
            fail(a, "cp");
            rounds.sync(a);
            rounds.sync(copy);
            rounds.sync(b);
            rounds.sync(a);
            assertEqualStates("a", "copy", "b");
            assertThat(String.join("", state("b").values())).contains("npm", "tar", "cp");
        }
    }

    /** The same, where nothing tells a copy from a folder that was moved: the first publication does. */
    @Test
    void sync_copyThatCannotBeSeen_isFoundOutByItsPublication() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            rounds.sync(a);
        }
        copy(dir("a"), dir("copy"));
        String id = replica("a");
        Files.writeString(dir("copy").resolve(".xmem/replica.json"), "{\"replica\":\"" + id + "\",\"folder\":\"\"}\n");
        try (XMemStore a = open("a");
                XMemStore copy = open("copy")) {
            fail(a, "npm");
            fail(copy, "tar");
            rounds.sync(a);
            rounds.sync(copy);
            assertThat(replica("a")).isEqualTo(id);
            assertThat(replica("copy")).isNotEqualTo(id);
            rounds.sync(a);
            rounds.sync(copy);
            assertEqualStates("a", "copy");
        }
    }

    @Test
    void sync_movedStore_staysWhoItIs() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            rounds.sync(a);
        }
        String id = replica("a");
        Files.move(dir("a"), dir("moved"));
        try (XMemStore moved = open("moved")) {
            fail(moved, "npm");
            assertThat(rounds.sync(moved).published()).isEqualTo(1);
        }
        assertThat(replica("moved")).isEqualTo(id);
    }

    @Test
    void sync_ownLogRewritten_isReplacedEverywhere() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "leaky");
            fail(a, "git");
            rounds.sync(a);
            rounds.sync(b);
            Path log = dir("a").resolve("data/failures.jsonl");
            List<String> lines = Files.readAllLines(log);
            Path next = Files.writeString(dir("a").resolve("next"), lines.get(1) + "\n");
            Files.move(next, log, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            fail(a, "npm");
            rounds.sync(a);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
        assertThat(String.join("", state("b").values())).doesNotContain("leaky").contains("npm");
        try (Stream<Path> files = Files.walk(shared())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).doesNotContain("leaky");
            }
        }
    }

    /** What was erased goes with what it was merged into, from the log and from archives, and with what was said of it. */
    @Test
    void purge_entriesThatAreOut_areGoneEverywhere() throws IOException {
        Instant[] now = {Instant.parse("2026-01-01T00:00:00Z")};
        try (XMemStore a = builder("a")
                        .clock(() -> now[0])
                        .sync(DirectoryBackend.at(shared()))
                        .open();
                XMemStore b = open("b")) {
            String old = a.recordFailure(Failure.of("old", "run", "cannot").notes("Rumpelstilzchen 1"))
                    .id();
            now[0] = now[0].plus(Duration.ofDays(100));
            String merged = a.recordFailure(Failure.of("leaky", "run", "cannot").notes("Rumpelstilzchen 2"))
                    .id();
            a.recordFailure(Failure.of("leaky", "run", "cannot").notes("newer"));
            fail(a, "git");
            a.reportOutcome(merged, Outcome.WORKED, "monday");
            a.compact(a.planCompaction(Retention.defaults()));
            rounds.sync(a);
            rounds.sync(b);
            assertEqualStates("a", "b");
            assertThat(state("b").keySet()).anyMatch(name -> name.endsWith("/failures-2026-01.jsonl"));
            assertThat(a.purge(Set.of(old, merged))).isEqualTo(3);
            rounds.sync(a);
            rounds.sync(b);
            assertThat(b.stats().failures()).isEqualTo(1);
        }
        for (Path place : List.of(shared(), dir("a").resolve("data"), dir("b"))) {
            try (Stream<Path> files = Files.walk(place)) {
                for (Path file : files.filter(Files::isRegularFile)
                        .filter(file -> !file.toString().contains("/backup/"))
                        .toList()) {
                    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .as(file.toString())
                            .doesNotContain("Rumpelstilzchen");
                }
            }
        }
    }

    /** The store did not live to note what it published, and erases some of it: no copy of itself, as it may look. */
    @Test
    void purge_afterAPublicationWhoseAnswerWasLost_isGoneEverywhere() throws IOException {
        AtomicBoolean lost = new AtomicBoolean();
        SyncBackend folder = DirectoryBackend.at(shared());
        SyncBackend lossy = new ForwardingBackend(folder) {
            @Override
            public Ack publish(Publication own, Duration limit) throws IOException {
                Ack ack = super.publish(own, limit);
                if (lost.getAndSet(false)) {
                    throw new IOException("the answer was lost");
                }
                return ack;
            }
        };
        String id;
        try (XMemStore a = builder("a").sync(lossy).open()) {
            fail(a, "git");
            a.writeNote(Note.of("note", "one"));
            rounds.sync(a);
            id = replica("a");
            String leaky = fail(a, "leaky").id();
            a.writeNote(Note.of("note", "two"));
            lost.set(true);
            a.sync(LIMIT);
            a.purge(Set.of(leaky));
            rounds.sync(a);
            rounds.sync(a);
        }
        assertThat(replica("a")).isEqualTo(id);
        try (XMemStore b = open("b")) {
            rounds.sync(b);
            assertThat(b.stats().failures()).isEqualTo(1);
            assertThat(b.stats().notes()).isEqualTo(2);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void find_coveredIdThatOthersHaveToo_leadsToTheLineThatCoversIt() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(b, "git");
            rounds.sync(b);
            String first = fail(a, "npm").id();
            String second = fail(a, "npm").id();
            rounds.sync(a);
            a.compact(a.planCompaction(Retention.defaults()));
            assertThat(a.find(first))
                    .hasValueSatisfying(entry -> assertThat(entry.id()).isEqualTo(second));
        }
    }

    @Test
    void sync_retiredReplica_becomesAnother() throws Exception {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            String id = replica("a");
            try (SyncBackend admin = DirectoryBackend.at(shared())) {
                admin.retire(id, LIMIT);
            }
            fail(a, "npm");
            rounds.sync(a);
            assertThat(replica("a")).isNotEqualTo(id);
            rounds.sync(b);
            rounds.sync(a);
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
            SyncRounds.Done report = rounds.sync(a);
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
            assertThat(rounds.sync(a).published()).isZero();
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

package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.testing.Programs;
import dev.xmem.testing.SyncRounds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two processes whose rounds with one remote are at the same time. */
@Timeout(300)
class SyncProcessesTest {
    @TempDir
    Path folder;

    private final SyncRounds rounds = new SyncRounds();

    private Remote remote;

    @BeforeEach
    void create() throws Exception {
        remote = Remote.create(folder.resolve("remote.git"));
    }

    private Process start(String name, String other, String store, Transport transport) throws Exception {
        return new ProcessBuilder(
                        Programs.JAVA,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SyncingProcess.class.getName(),
                        name,
                        other,
                        folder.resolve(store).toString(),
                        remote.folder().toString(),
                        transport.name(),
                        Files.createDirectories(folder.resolve("marks")).toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".txt").toFile())
                .start();
    }

    /** Starts the processes a and b with these stores; both must succeed. */
    private void run(String storeOfA, String storeOfB, Transport transport) throws Exception {
        Process a = start("a", "b", storeOfA, transport);
        Process b = start("b", "a", storeOfB, transport);
        try {
            // Each waits for the other: if one has failed, the other does not end.
            assertThat(Stream.of(a.onExit(), b.onExit())
                            .map(end -> end.thenApply(Process::exitValue).orTimeout(240, TimeUnit.SECONDS))
                            .reduce((one, other) -> one.thenCombine(other, Integer::sum))
                            .orElseThrow()
                            .exceptionally(late -> -1)
                            .join())
                    .as(Files.readString(folder.resolve("a.txt")) + Files.readString(folder.resolve("b.txt")))
                    .isZero();
        } finally {
            a.destroyForcibly();
            b.destroyForcibly();
        }
    }

    private XMemStore open(String name, Transport transport) {
        Path dir = folder.resolve(name);
        return XMem.builder(dir)
                .syncInterval(Duration.ofDays(1))
                .sync(GitSyncBackend.of(dir, remote.folder().toString())
                        .transport(transport)
                        .build())
                .open();
    }

    private static List<String> errors(XMemStore store) {
        return store.search(Query.all().kind(Entry.Kind.FAILURE).limit(100)).matches().stream()
                .map(match -> ((Failure) match.entry()).error())
                .sorted()
                .toList();
    }

    private static List<String> expected() {
        return Stream.of("a", "b")
                .flatMap(name -> IntStream.range(0, SyncingProcess.ROUNDS).mapToObj(i -> "boo " + name + i))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void sync_twoPeersAtOnce_bothHaveEverything(Transport transport) throws Exception {
        run("a", "b", transport);

        try (XMemStore a = open("a", transport);
                XMemStore b = open("b", transport)) {
            rounds.sync(a);
            rounds.sync(b);
            assertThat(errors(a)).isEqualTo(expected());
            assertThat(errors(b)).isEqualTo(expected());
        }
        assertThat(remote.git("for-each-ref").lines()).hasSize(2);
        remote.assertSound();
    }

    /** The rounds of one store take turns: it stays one replica, and nothing is published twice. */
    @Test
    void sync_twoProcessesOfOneStoreAtOnce_isOneReplica() throws Exception {
        run("one", "one", Transport.GIT);

        try (XMemStore peer = open("peer", Transport.GIT)) {
            assertThat(rounds.sync(peer).imported()).isEqualTo(2 * SyncingProcess.ROUNDS);
            assertThat(errors(peer)).isEqualTo(expected());
        }
        assertThat(remote.git("for-each-ref").lines()).hasSize(1);
        remote.assertSound();
    }
}

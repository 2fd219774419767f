package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Amendment;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines that a store erases or rewrites disappear everywhere, at whatever time that happens. */
class SyncErasureTest extends SyncFixture {
    private void assertNowhereInTheFolder(String word) throws IOException {
        try (Stream<Path> files = Files.walk(shared())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).as(file.toString()).doesNotContain(word);
            }
        }
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
        assertNowhereInTheFolder("leaky");
    }

    /** All entries of a log are purged, and the publication of that fails before or after it is stored. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void purge_everythingAndPublicationFails_theNextRoundErases(boolean stored) throws IOException {
        AtomicBoolean fails = new AtomicBoolean();
        SyncBackend unsteady = new ForwardingBackend(DirectoryBackend.at(shared())) {
            @Override
            public Ack publish(Publication own, Duration limit) throws IOException {
                boolean failsNow = fails.getAndSet(false);
                Ack ack = failsNow && !stored ? Ack.refused() : super.publish(own, limit);
                if (failsNow) {
                    throw new IOException("no answer");
                }
                return ack;
            }
        };
        try (XMemStore a = builder("a").sync(unsteady).open();
                XMemStore b = open("b")) {
            String id = a.recordFailure(Failure.of("leaky", "run", "cannot")).id();
            rounds.sync(a);
            rounds.sync(b);
            a.purge(Set.of(id));
            fails.set(true);
            assertThat(a.sync(Duration.ofSeconds(30)).lastError()).contains("no answer");
            rounds.sync(a);
            rounds.sync(b);
            assertThat(b.stats().failures()).isZero();
        }
        assertNowhereInTheFolder("leaky");
    }

    /**
     * An erased line disappears with the entry that it was merged into, and with its annotations, from logs and
     * archives.
     */
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

    @Test
    void purge_entryOfAnotherReplica_isRefusedAndADismissalHidesItForGood() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "leaky");
            String own = fail(b, "git").id();
            rounds.sync(a);
            rounds.sync(b);
            String theirs =
                    b.search(Query.all().tool("leaky")).matches().get(0).entry().id();
            assertThat(theirs).contains("@");
            assertThatThrownBy(() -> b.purge(Set.of(theirs, own)))
                    .isInstanceOf(XMemException.Invalid.class)
                    .hasMessageContaining(theirs)
                    .hasMessageContaining("dismiss");
            assertThat(b.find(own)).isPresent();
            b.amend(theirs, Amendment.dismiss("leaked"));
            fail(a, "npm");
            rounds.sync(a);
            rounds.sync(b);
            assertThat(b.search(Query.all().tool("leaky")).matches()).isEmpty();
            assertThat(b.search(Query.all().tool("npm")).matches()).hasSize(1);
        }
    }

    /** The store crashed before it saved what it published, and erases some of it: it is not a copy of itself. */
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

    /**
     * The same, but a compaction or an erasure rewrites the log during the round that determines how far the
     * publication got: the backend's stream differs from the log, and the store is still not a copy.
     */
    @Test
    void purge_whileARoundComparesWhatIsOut_isGoneEverywhere() throws IOException {
        AtomicBoolean lost = new AtomicBoolean();
        Runnable[] refused = {() -> {}};
        SyncBackend meanwhile = new ForwardingBackend(DirectoryBackend.at(shared())) {
            @Override
            public Ack publish(Publication own, Duration limit) throws IOException {
                Ack ack = super.publish(own, limit);
                if (lost.getAndSet(false)) {
                    throw new IOException("the answer was lost");
                }
                if (!ack.isAccepted()) {
                    refused[0].run();
                }
                return ack;
            }
        };
        String id;
        AtomicInteger times = new AtomicInteger();
        try (XMemStore a = builder("a").sync(meanwhile).open()) {
            String leaky = fail(a, "leaky").id();
            fail(a, "git");
            rounds.sync(a);
            id = replica("a");
            fail(a, "npm");
            lost.set(true);
            a.sync(LIMIT);
            fail(a, "tar");
            refused[0] = () -> {
                if (times.getAndIncrement() == 0) {
                    a.purge(Set.of(leaky));
                }
            };
            rounds.sync(a);
            rounds.sync(a);
        }
        assertThat(times.get()).as("publications that were refused").isPositive();
        assertThat(replica("a")).isEqualTo(id);
        try (XMemStore b = open("b")) {
            rounds.sync(b);
            assertThat(b.stats().failures()).isEqualTo(3);
        }
        assertEqualStates("a", "b");
        assertNowhereInTheFolder("leaky");
    }

    /** The worker checks only this signature: a file of equal length and inode number may be another file. */
    @Test
    void signature_replacedByAFileOfTheSameLengthAndNumber_isAnother() throws IOException {
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        disk.reusesNumbers = true;
        Path log = Files.createDirectories(dir("a")).resolve("failures.jsonl");
        Path next = dir("a").resolve("failures.jsonl.compacting");
        Files.writeString(log, "{\"leaky\":1}\n");
        Files.setLastModifiedTime(log, FileTime.fromMillis(1_000));
        SyncPaths files = new SyncPaths(
                Map.of("failures", log), dir("a").resolve("archive"), dir("a").resolve("peers"), dir("a"));
        Object number = Objects.requireNonNull(disk.stat(log)).key();
        List<Object> before = files.signature(disk);
        for (int i = 0; i < 2; i++) {
            Files.writeString(next, "{\"other\":2}\n");
            disk.rename(next, log);
        }
        assertThat(Objects.requireNonNull(disk.stat(log)).key()).isEqualTo(number);
        assertThat(files.signature(disk)).isNotEqualTo(before);
    }
}

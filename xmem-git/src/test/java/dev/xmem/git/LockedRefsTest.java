package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.spi.SyncBackend.Ack;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A publication is refused only if the remote has something else: not if a ref is locked, or a host has no space. */
class LockedRefsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String REPLICA = "a".repeat(32);
    private static final Stream FAILURES = new Stream(REPLICA, "failures");

    @TempDir
    Path folder;

    private Remote remote;

    @BeforeEach
    void create() throws Exception {
        remote = Remote.create(folder.resolve("remote.git"));
    }

    private GitSyncBackend connect(Transport transport) {
        return GitSyncBackend.of(folder.resolve("a"), remote.folder().toString())
                .transport(transport)
                .build();
    }

    private static Ack publish(GitSyncBackend to, long from) throws IOException {
        Chunk chunk = Chunk.of(FAILURES, 1, from, "{}\n".getBytes(StandardCharsets.UTF_8));
        return to.publish(Publication.of(REPLICA, List.of(chunk), "X-MEM: Record 1 entry"), LIMIT);
    }

    private Path lockRemote() throws IOException {
        return Files.createFile(remote.folder().resolve("refs/xmem/v1/" + REPLICA + ".lock"));
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void publish_remoteRefLockedForAMoment_accepted(Transport transport) throws Exception {
        try (GitSyncBackend backend = connect(transport)) {
            assertThat(publish(backend, 0).isAccepted()).isTrue();
            Path lock = lockRemote();
            CompletableFuture<Void> unlocked = CompletableFuture.runAsync(
                    () -> assertThat(lock.toFile().delete()).isTrue(),
                    CompletableFuture.delayedExecutor(400, TimeUnit.MILLISECONDS));

            assertThat(publish(backend, 3).isAccepted()).isTrue();
            unlocked.join();
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void publish_remoteRefStaysLocked_saysSo(Transport transport) throws Exception {
        try (GitSyncBackend backend = connect(transport)) {
            assertThat(publish(backend, 0).isAccepted()).isTrue();
            Path lock = lockRemote();
            assertThatThrownBy(() -> publish(backend, 3))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("locked");
            Files.delete(lock);
            assertThat(publish(backend, 3).isAccepted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void publish_localRefLocked_nextIsAcceptedOrNamesTheLock(Transport transport) throws Exception {
        try (GitSyncBackend backend = connect(transport)) {
            assertThat(publish(backend, 0).isAccepted()).isTrue();
            Path lock = Files.createFile(folder.resolve("a/.xmem/git/refs/seen/v1/" + REPLICA + ".lock"));
            assertThat(publish(backend, 3).isAccepted()).isTrue();
            assertThatThrownBy(() -> publish(backend, 6))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(REPLICA + ".lock");
            Files.delete(lock);
            assertThat(publish(backend, 6).isAccepted()).isTrue();
        }
    }

    /** The host refuses the objects and not the name of the ref, so no branch is created. */
    @Test
    void publish_hostCannotStoreTheObjects_saysSoAndCreatesNoBranch() throws Exception {
        remote.git("config", "receive.maxInputSize", "1");
        try (GitSyncBackend backend = connect(Transport.GIT)) {
            assertThatThrownBy(() -> publish(backend, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("unpack");
            remote.git("config", "--unset", "receive.maxInputSize");
            assertThat(publish(backend, 0).isAccepted()).isTrue();
        }
        assertThat(remote.git("for-each-ref", "refs/heads")).isEmpty();
        remote.assertSound();
    }
}

package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import dev.xmem.testing.SyncBackendContract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shared folder: the backend contract, and files as synchronised drives and attackers leave them. */
class DirectorySyncTest extends SyncBackendContract {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String A = "0".repeat(31) + "a";
    private static final String B = "0".repeat(31) + "b";
    private static final Stream FAILURES = new Stream(A, "failures");

    @TempDir
    Path folder;

    @Override
    protected SyncBackend connect(String machine) {
        return new DirectorySync(new NativeFileSystem(), folder.resolve("shared"));
    }

    private Path file(String replica, String name) {
        return folder.resolve("shared/xmem-v1").resolve(replica).resolve(name);
    }

    private static void publish(SyncBackend backend, Stream stream, long generation, long from, String text)
            throws IOException {
        Chunk chunk = Chunk.of(stream, generation, from, text.getBytes(StandardCharsets.UTF_8));
        assertThat(backend.publish(Publication.of(stream.replica(), List.of(chunk), "x"), LIMIT)
                        .isAccepted())
                .isTrue();
    }

    private static Map<Stream, String> poll(SyncBackend backend, Map<Stream, Head> known) throws IOException {
        Map<Stream, String> texts = new HashMap<>();
        for (Chunk chunk : backend.poll(known, 1 << 20, LIMIT).chunks()) {
            texts.put(chunk.stream(), new String(chunk.bytes(), StandardCharsets.UTF_8));
        }
        return texts;
    }

    @Test
    void poll_fileThatArrivedInPart_wholeLinesOnly() throws IOException {
        SyncBackend backend = connect("one");
        publish(backend, FAILURES, 1, 0, "{}\n");
        Files.writeString(file(A, "failures.1.jsonl"), "{}\n{\"a\":1}\n{\"b\":");
        assertThat(poll(backend, Map.of())).containsEntry(FAILURES, "{}\n{\"a\":1}\n");
        assertThat(poll(backend, Map.of(FAILURES, new Head(1, 11)))).isEmpty();
    }

    /** After a publication that a crash interrupted, the owner continues where the bytes end. */
    @Test
    void publish_afterATornOne_goesOnWithinTheLine() throws IOException {
        SyncBackend backend = connect("one");
        publish(backend, FAILURES, 1, 0, "{}\n");
        Files.writeString(file(A, "failures.1.jsonl"), "{}\n{\"a\"");
        publish(backend, FAILURES, 1, 7, ":1}\n");
        assertThat(poll(backend, Map.of())).containsEntry(FAILURES, "{}\n{\"a\":1}\n");
    }

    @Test
    void poll_conflictCopies_areStreamsOfTheirOwn() throws IOException {
        SyncBackend backend = connect("one");
        publish(backend, FAILURES, 1, 0, "{}\n");
        for (String name : List.of(
                "failures.1 (Anna's conflicted copy 2026-02-14).jsonl",
                "failures.1.sync-conflict-20260214-120000-ABCDEFG.jsonl",
                "failures.1-LAPTOP.jsonl",
                "failures.1 (1).jsonl")) {
            Files.writeString(file(A, name), "{\"from\":\"" + name.length() + "\"}\n");
        }
        Map<Stream, String> found = poll(backend, Map.of());
        assertThat(found).hasSize(5).containsEntry(FAILURES, "{}\n");
        assertThat(found.keySet()).allMatch(stream -> stream.name().matches("failures(-copy[0-9a-f]{8})?"));
    }

    @Test
    void poll_conflictCopyOfAReplacedGeneration_isEmptied() throws IOException {
        SyncBackend backend = connect("one");
        publish(backend, FAILURES, 1, 0, "{\"secret\":1}\n");
        Files.writeString(file(A, "failures.1 (1).jsonl"), "{\"secret\":1}\n");
        Map<Stream, Head> known = new HashMap<>();
        poll(backend, known).forEach((stream, text) -> known.put(stream, new Head(1, text.length())));
        publish(backend, FAILURES, 2, 0, "{}\n");
        assertThat(poll(backend, known).values()).containsExactlyInAnyOrder("{}\n", "");
        assertThat(Files.list(file(A, "")).map(Path::getFileName).map(Path::toString))
                .containsExactly("failures.2.jsonl");
    }

    @Test
    void poll_temporaryAndForeignFiles_areNotRead() throws IOException {
        SyncBackend backend = connect("one");
        publish(backend, FAILURES, 1, 0, "{}\n");
        for (String name : List.of(
                ".failures.1.jsonl.x7",
                "failures.1.jsonl.tmp-1-2",
                "~failures.1.jsonl",
                "notes.jsonl",
                "etc.1.jsonl")) {
            Files.writeString(file(A, name), "{\"no\":1}\n");
        }
        Files.createDirectories(folder.resolve("shared/xmem-v1/not-a-replica"));
        Files.writeString(folder.resolve("shared/xmem-v1/not-a-replica/failures.1.jsonl"), "{\"no\":1}\n");
        assertThat(poll(backend, Map.of())).containsOnly(Map.entry(FAILURES, "{}\n"));
    }

    @Test
    void poll_linksFoldersAndDevices_areRefusedAndTheRestGoesOn() throws Exception {
        SyncBackend backend = connect("one");
        Path secret = Files.writeString(folder.resolve("secret"), "{\"secret\":1}\n");
        Files.createDirectories(file(A, "successes.1.jsonl"));
        Files.createSymbolicLink(file(A, "failures.1.jsonl"), secret);
        assertThat(new ProcessBuilder("mkfifo", file(A, "notes.1.jsonl").toString())
                        .start()
                        .waitFor())
                .isZero();
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(outside.resolve("failures.1.jsonl"), "{\"secret\":2}\n");
        Files.createSymbolicLink(file("c".repeat(32), ""), outside);
        publish(backend, new Stream(B, "failures"), 1, 0, "{}\n");
        SyncBackend.Batch batch = backend.poll(Map.of(), 1 << 20, LIMIT);
        assertThat(batch.chunks()).hasSize(1);
        assertThat(batch.chunks().get(0).stream().replica()).isEqualTo(B);
        assertThat(batch.refused()).hasSizeGreaterThanOrEqualTo(3);
    }
}

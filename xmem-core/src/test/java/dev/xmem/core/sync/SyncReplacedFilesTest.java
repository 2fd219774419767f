package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Limits;
import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that are replaced between the reading of their attributes and of their content. */
class SyncReplacedFilesTest extends SyncFixture {
    private static final int MUCH = 1 << 20;

    private final FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
    private final AtomicInteger replaced = new AtomicInteger();
    private Path log;

    @BeforeEach
    void create() throws IOException {
        Files.createDirectories(dir("a").resolve(".xmem"));
        log = Files.createDirectories(dir("a").resolve("data")).resolve("failures.jsonl");
    }

    private static String line(int number, String text) {
        return "{\"id\":\"2026-02-14-00" + number + "\",\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"" + text
                + "\"}\n";
    }

    private void append(String lines) throws IOException {
        Files.writeString(log, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void replaceBy(String lines) {
        try {
            Path next = Files.writeString(dir("a").resolve("next"), lines);
            Files.move(next, log, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            replaced.incrementAndGet();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Sync sync() throws IOException {
        SyncPaths files = new SyncPaths(
                Map.of("failures", log),
                dir("a").resolve("data/archive"),
                dir("a").resolve("data/peers"),
                dir("a").resolve(".xmem"));
        return new Sync(
                new DirectorySync(new NativeFileSystem(), shared()), disk, files, Limits.defaults(), new Random(1));
    }

    private static long publish(Sync sync) {
        SyncRound.Result round = sync.round(true, false, LIMIT, () -> false);
        assertThat(round.failure()).isNull();
        return round.published();
    }

    private String published() throws IOException {
        try (Stream<Path> files = Files.walk(shared())) {
            List<Path> streams = files.filter(Files::isRegularFile).toList();
            assertThat(streams).hasSize(1);
            return Files.readString(streams.get(0));
        }
    }

    /** The position is in the middle of a line of the other file. */
    @Test
    void publish_logReplacedBeforeItIsRead_isPublishedAgain() throws IOException {
        String other = line(1, "one") + line(3, "three, and what was added to it") + line(4, "four");
        try (Sync sync = sync()) {
            append(line(1, "one") + line(2, "leaky"));
            assertThat(publish(sync)).isEqualTo(2);
            append(line(3, "three") + line(4, "four"));
            disk.beforeOpening(log, 1, () -> replaceBy(other)); // opened first to see whether it goes on
            publish(sync);
            assertThat(replaced.get()).isEqualTo(1);
            assertThat(published()).isEqualTo(other);
            assertThat(publish(sync)).isZero();
        }
    }

    /** Nothing was published yet: the other file is longer than the first. */
    @Test
    void publish_firstLinesOfALogThatIsReplaced_areThoseOfTheOther() throws IOException {
        String other = line(3, "three") + line(4, "four") + line(5, "five");
        try (Sync sync = sync()) {
            append(line(1, "leaky"));
            disk.beforeOpening(log, 0, () -> replaceBy(other));
            assertThat(publish(sync)).isEqualTo(3);
            assertThat(replaced.get()).isEqualTo(1);
            assertThat(published()).isEqualTo(other);
            append(line(6, "six"));
            assertThat(publish(sync)).as("goes on from there").isEqualTo(1);
            assertThat(published()).isEqualTo(other + line(6, "six"));
        }
    }

    /** The owner compacts or erases while another replica reads the folder: this is not an error. */
    @Test
    void poll_fileReplacedBeforeItIsRead_isNotReportedAndTheNextPollHasTheOther() throws IOException {
        String owner = "a".repeat(32);
        SyncBackend.Stream stream = new SyncBackend.Stream(owner, "failures");
        SyncBackend writer = new DirectorySync(new NativeFileSystem(), shared());
        put(writer, stream, 1, line(1, "leaky"));
        SyncBackend reader = new DirectorySync(disk, shared());
        Path first = shared().resolve("xmem-v1").resolve(owner).resolve("failures.1.jsonl");
        disk.beforeOpening(first, 0, () -> {
            try {
                put(writer, stream, 2, line(2, "two"));
                replaced.incrementAndGet();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        SyncBackend.Batch meanwhile = reader.poll(Map.of(), MUCH, LIMIT);
        assertThat(replaced.get()).isEqualTo(1);
        assertThat(first).doesNotExist();
        assertThat(meanwhile.refused()).isEmpty();
        assertThat(meanwhile.chunks()).isEmpty();
        SyncBackend.Batch after = reader.poll(Map.of(), MUCH, LIMIT);
        assertThat(after.refused()).isEmpty();
        assertThat(after.chunks()).singleElement().satisfies(chunk -> {
            assertThat(chunk.generation()).isEqualTo(2);
            assertThat(new String(chunk.bytes(), StandardCharsets.UTF_8)).isEqualTo(line(2, "two"));
        });
    }

    private static void put(SyncBackend writer, SyncBackend.Stream stream, long generation, String text)
            throws IOException {
        SyncBackend.Chunk chunk = SyncBackend.Chunk.of(stream, generation, 0, text.getBytes(StandardCharsets.UTF_8));
        assertThat(writer.publish(SyncBackend.Publication.of(stream.replica(), List.of(chunk), "x"), LIMIT)
                        .isAccepted())
                .isTrue();
    }
}

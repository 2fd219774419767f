package dev.xmem.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.SyncBackend.Batch;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** No change is skipped, in whatever order transactions commit. */
class HeadTrackerTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String schema = Server.schema();
    private final Map<Stream, Head> known = new HashMap<>();
    private final Set<String> seen = new HashSet<>();

    private static Stream stream(int writer) {
        return new Stream(String.format("%032x", writer), "failures");
    }

    private static Publication publication(Stream stream, long from, String line) {
        Chunk chunk = Chunk.of(stream, 1, from, line.getBytes(StandardCharsets.UTF_8));
        return Publication.of(stream.replica(), List.of(chunk), "x");
    }

    /**
     * Polls once, as the sync worker does.
     *
     * @return the new lines
     */
    private List<String> poll(PostgresSyncBackend backend) throws Exception {
        List<String> lines = new ArrayList<>();
        Batch batch;
        do {
            batch = backend.poll(Map.copyOf(known), 1 << 20, LIMIT);
            assertThat(batch.refused()).isEmpty();
            for (Chunk chunk : batch.chunks()) {
                assertThat(chunk.follows(known.getOrDefault(chunk.stream(), Head.NONE)))
                        .isTrue();
                known.put(chunk.stream(), chunk.end());
                new String(chunk.bytes(), StandardCharsets.UTF_8).lines().forEach(lines::add);
            }
        } while (batch.more());
        for (String line : lines) {
            assertThat(seen.add(line)).as("twice: " + line).isTrue();
        }
        return lines;
    }

    /** The case that polling by sequence number or time would lose: the transaction begins first and commits last. */
    @Test
    void poll_transactionOpenAcrossLaterCommits_isSeenWhenCommitted() throws Exception {
        try (PostgresSyncBackend reader = Server.backend(schema);
                PostgresSyncBackend other = Server.backend(schema)) {
            assertThat(poll(reader)).isEmpty();
            try (Connection slow = Server.connection(schema);
                    Connection slower = Server.connection(schema)) {
                new ChunkWriter(slow).publish(publication(stream(1), 0, "{\"slow\":1}\n"));
                new ChunkWriter(slower).publish(publication(stream(2), 0, "{\"slower\":1}\n"));
                other.publish(publication(stream(3), 0, "{\"quick\":1}\n"), LIMIT);
                assertThat(poll(reader)).containsExactly("{\"quick\":1}");
                other.publish(publication(stream(3), 12, "{\"quick\":2}\n"), LIMIT);
                slow.commit();
                assertThat(poll(reader)).containsExactlyInAnyOrder("{\"slow\":1}", "{\"quick\":2}");
                other.publish(publication(stream(4), 0, "{\"quick\":3}\n"), LIMIT);
                assertThat(poll(reader)).containsExactly("{\"quick\":3}");
                slower.commit();
                assertThat(poll(reader)).containsExactly("{\"slower\":1}");
            }
            assertThat(poll(reader)).isEmpty();
        }
    }

    @Test
    void poll_rolledBackTransaction_neverSeen() throws Exception {
        try (PostgresSyncBackend reader = Server.backend(schema);
                PostgresSyncBackend other = Server.backend(schema)) {
            assertThat(poll(reader)).isEmpty();
            try (Connection undone = Server.connection(schema)) {
                new ChunkWriter(undone).publish(publication(stream(1), 0, "{\"undone\":1}\n"));
                other.publish(publication(stream(2), 0, "{\"kept\":1}\n"), LIMIT);
                assertThat(poll(reader)).containsExactly("{\"kept\":1}");
                undone.rollback();
            }
            other.publish(publication(stream(1), 0, "{\"kept\":2}\n"), LIMIT);
            assertThat(poll(reader)).containsExactly("{\"kept\":2}");
        }
    }

    @Test
    void poll_eightWritersOf2000Entries_sees16000() throws Exception {
        int writers = 8;
        int entries = 2000;
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        long begin = System.nanoTime();
        int polls = 0;
        try (PostgresSyncBackend reader = Server.backend(schema)) {
            poll(reader);
            List<Future<Integer>> work = new ArrayList<>();
            for (int w = 0; w < writers; w++) {
                int writer = w;
                work.add(threads.submit(() -> write(writer, entries)));
            }
            while (!work.stream().allMatch(Future::isDone)) {
                poll(reader);
                polls++;
            }
            for (Future<Integer> done : work) {
                assertThat(done.get()).isEqualTo(entries);
            }
            poll(reader);
        } finally {
            threads.shutdownNow();
        }
        assertThat(seen).hasSize(writers * entries);
        System.out.printf(
                "postgres: %d of %d entries seen by %d polls, %.1f s%n",
                seen.size(), writers * entries, polls, (System.nanoTime() - begin) / 1e9);
    }

    /**
     * Writes one entry per transaction; keeps some of them, and the last one, open for a while, so that later ones
     * commit first.
     */
    private int write(int writer, int entries) throws Exception {
        Stream stream = stream(writer);
        Random random = new Random(writer);
        long at = 0;
        try (Connection connection = Server.connection(schema)) {
            for (int i = 0; i < entries; i++) {
                String line = "{\"writer\":" + writer + ",\"entry\":" + i + "}\n";
                assertThat(new ChunkWriter(connection)
                                .publish(publication(stream, at, line))
                                .isAccepted())
                        .isTrue();
                if (i == entries - 1 || random.nextInt(200) == 0) {
                    Thread.sleep(i == entries - 1 ? 300 : random.nextInt(20));
                }
                connection.commit();
                at += line.length();
            }
        }
        return entries;
    }
}

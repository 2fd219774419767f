package dev.xmem.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.SyncBackend.Ability;
import dev.xmem.spi.SyncBackend.Ack;
import dev.xmem.spi.SyncBackend.Batch;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link SyncBackend}. A provider's test extends it, on JUnit 5 with AssertJ:
 *
 * <pre>{@code
 * final class MyBackendTest extends SyncBackendContract {
 *     protected SyncBackend connect(String machine) throws IOException {
 *         return new MyBackend(emptyFolderOfThisTest, machine);
 *     }
 * }
 * }</pre>
 */
public abstract class SyncBackendContract {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long PLENTY = 64L << 20;
    private static final String A = "a".repeat(32);
    private static final String B = "b".repeat(32);

    private final List<SyncBackend> open = new ArrayList<>();

    /**
     * Connects to the place of this test, which is empty when the test begins.
     *
     * @param machine the name of the connecting machine: the local state of a backend is separate for each machine
     */
    protected abstract SyncBackend connect(String machine) throws Exception;

    @AfterEach
    void closeAll() throws IOException {
        for (SyncBackend backend : open) {
            backend.close();
        }
    }

    private SyncBackend machine(String name) throws Exception {
        SyncBackend backend = connect(name);
        open.add(backend);
        return backend;
    }

    private static Stream failures(String replica) {
        return new Stream(replica, "failures");
    }

    private static Chunk chunk(Stream stream, long generation, long from, String text) {
        return Chunk.of(stream, generation, from, text.getBytes(StandardCharsets.UTF_8));
    }

    private static Ack publish(SyncBackend to, Chunk... chunks) throws IOException {
        return to.publish(
                Publication.of(chunks[0].stream().replica(), List.of(chunks), "X-MEM: Record 1 entry"), LIMIT);
    }

    /** Polls until there is no more, as the worker does, and concatenates the chunks. */
    private static Map<Stream, String> all(SyncBackend from) throws IOException {
        Map<Stream, String> texts = new HashMap<>();
        read(from, new HashMap<>(), PLENTY).forEach((stream, bytes) -> texts.put(stream, utf8(bytes)));
        return texts;
    }

    private static String utf8(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static Map<Stream, ByteArrayOutputStream> read(SyncBackend from, Map<Stream, Head> known, long maxBytes)
            throws IOException {
        Map<Stream, ByteArrayOutputStream> texts = new HashMap<>();
        Batch batch;
        int polls = 0;
        do {
            batch = from.poll(Map.copyOf(known), maxBytes, LIMIT);
            for (Chunk chunk : batch.chunks()) {
                Head head = known.getOrDefault(chunk.stream(), Head.NONE);
                assertThat(chunk.follows(head)).as("follows what is known").isTrue();
                if (chunk.from() == 0) {
                    texts.put(chunk.stream(), new ByteArrayOutputStream());
                }
                byte[] bytes = chunk.bytes();
                assertThat(bytes.length == 0 || bytes[bytes.length - 1] == '\n')
                        .as("ends with a newline")
                        .isTrue();
                texts.computeIfAbsent(chunk.stream(), s -> new ByteArrayOutputStream())
                        .writeBytes(bytes);
                known.put(chunk.stream(), chunk.end());
            }
            assertThat(batch.chunks().isEmpty() && batch.more()).as("goes on").isFalse();
            assertThat(++polls).as("polls").isLessThan(10_000);
        } while (batch.more());
        return texts;
    }

    @Test
    public void id_always_notBlank() throws Exception {
        assertThat(machine("one").id()).isNotBlank();
    }

    @Test
    public void poll_nothingPublished_empty() throws Exception {
        Batch batch = machine("one").poll(Map.of(), PLENTY, LIMIT);
        assertThat(batch.chunks()).isEmpty();
        assertThat(batch.refused()).isEmpty();
        assertThat(batch.more()).isFalse();
    }

    @Test
    public void publish_firstLines_areVisibleToAnotherMachine() throws Exception {
        Stream notes = new Stream(A, "notes");
        Stream archive = new Stream(A, "failures-2026-01");
        Ack ack = publish(
                machine("one"),
                chunk(failures(A), 1, 0, "{\"id\":\"1\"}\n{\"id\":\"2\"}\n"),
                chunk(notes, 1, 0, "{\"n\":1}\n"),
                chunk(archive, 1, 0, "{\"old\":1}\n"));
        assertThat(ack.isAccepted()).isTrue();
        assertThat(all(machine("two")))
                .containsOnly(
                        Map.entry(failures(A), "{\"id\":\"1\"}\n{\"id\":\"2\"}\n"),
                        Map.entry(notes, "{\"n\":1}\n"),
                        Map.entry(archive, "{\"old\":1}\n"));
    }

    @Test
    public void poll_knownPosition_onlyWhatFollows() throws Exception {
        SyncBackend one = machine("one");
        SyncBackend two = machine("two");
        publish(one, chunk(failures(A), 1, 0, "{}\n"));
        Map<Stream, Head> known = new HashMap<>();
        assertThat(read(two, known, PLENTY)).hasSize(1);
        assertThat(read(two, known, PLENTY)).isEmpty();
        publish(one, chunk(failures(A), 1, 3, "{\"b\":1}\n"));
        assertThat(utf8(read(two, known, PLENTY).get(failures(A)))).isEqualTo("{\"b\":1}\n");
    }

    /** A store uses this to check that it published to this backend. */
    @Test
    public void poll_byTheOwnerBeforeItsLastLine_returnsThatLine() throws Exception {
        SyncBackend one = machine("one");
        publish(one, chunk(failures(A), 1, 0, "{}\n{\"b\":1}\n"));
        Map<Stream, Head> known = new HashMap<>(Map.of(failures(A), new Head(1, 3)));
        assertThat(utf8(read(one, known, PLENTY).get(failures(A)))).isEqualTo("{\"b\":1}\n");
        assertThat(known.get(failures(A))).isEqualTo(new Head(1, 11));
    }

    @Test
    public void publish_notWhereTheStreamEnds_refusedAndNothingChanged() throws Exception {
        SyncBackend one = machine("one");
        publish(one, chunk(failures(A), 2, 0, "{}\n{}\n"));
        for (Chunk wrong : List.of(
                chunk(failures(A), 2, 0, "{}\n{}\n"),
                chunk(failures(A), 2, 3, "{\"x\":1}\n"),
                chunk(failures(A), 2, 60, "{\"x\":1}\n"),
                chunk(failures(A), 1, 0, "{\"x\":1}\n"),
                chunk(failures(A), 3, 6, "{\"x\":1}\n"),
                chunk(new Stream(A, "notes"), 1, 5, "{\"x\":1}\n"))) {
            Ack ack = publish(one, wrong);
            assertThat(ack.isAccepted()).isFalse();
            assertThat(ack.isRetired()).isFalse();
        }
        assertThat(all(machine("two"))).containsOnly(Map.entry(failures(A), "{}\n{}\n"));
    }

    @Test
    public void publish_oneChunkInvalid_nothingPublished() throws Exception {
        SyncBackend one = machine("one");
        publish(one, chunk(failures(A), 1, 0, "{}\n"));
        Stream notes = new Stream(A, "notes");
        Ack ack = publish(one, chunk(failures(A), 1, 3, "{\"b\":1}\n"), chunk(notes, 1, 9, "{\"c\":1}\n"));
        assertThat(ack.isAccepted()).isFalse();
        ack = publish(one, chunk(notes, 1, 9, "{\"c\":1}\n"), chunk(failures(A), 1, 3, "{\"b\":1}\n"));
        assertThat(ack.isAccepted()).isFalse();
        assertThat(all(machine("two"))).containsOnly(Map.entry(failures(A), "{}\n"));
    }

    @Test
    public void publish_higherGeneration_replacesAll() throws Exception {
        SyncBackend one = machine("one");
        SyncBackend two = machine("two");
        publish(one, chunk(failures(A), 1, 0, "{\"secret\":1}\n{\"b\":2}\n"));
        Map<Stream, Head> known = new HashMap<>();
        read(two, known, PLENTY);
        assertThat(publish(one, chunk(failures(A), 2, 0, "{\"b\":2}\n")).isAccepted())
                .isTrue();
        assertThat(publish(one, chunk(failures(A), 2, 8, "{\"c\":3}\n")).isAccepted())
                .isTrue();
        assertThat(utf8(read(two, known, PLENTY).get(failures(A)))).isEqualTo("{\"b\":2}\n{\"c\":3}\n");
        assertThat(all(machine("three"))).containsOnly(Map.entry(failures(A), "{\"b\":2}\n{\"c\":3}\n"));
    }

    @Test
    public void publish_emptyGeneration_emptiesTheStream() throws Exception {
        SyncBackend one = machine("one");
        SyncBackend two = machine("two");
        publish(one, chunk(failures(A), 1, 0, "{\"secret\":1}\n"));
        Map<Stream, Head> known = new HashMap<>();
        read(two, known, PLENTY);
        publish(one, chunk(failures(A), 2, 0, ""));
        assertThat(utf8(read(two, known, PLENTY).get(failures(A)))).isEmpty();
        assertThat(known.get(failures(A))).isEqualTo(new Head(2, 0));
        assertThat(publish(one, chunk(failures(A), 2, 0, "")).isAccepted())
                .as("repeated, since its answer was lost")
                .isTrue();
        publish(one, chunk(failures(A), 2, 0, "{}\n"));
        assertThat(utf8(read(two, known, PLENTY).get(failures(A)))).isEqualTo("{}\n");
    }

    @Test
    public void poll_higherKnown_nothing() throws Exception {
        publish(machine("one"), chunk(failures(A), 2, 0, "{}\n"));
        SyncBackend two = machine("two");
        for (Head beyond : List.of(new Head(2, 9), new Head(3, 0), new Head(3, 3))) {
            assertThat(two.poll(Map.of(failures(A), beyond), PLENTY, LIMIT).chunks())
                    .isEmpty();
        }
    }

    @Test
    public void poll_inSmallBatches_returnsEverything() throws Exception {
        SyncBackend one = machine("one");
        StringBuilder text = new StringBuilder();
        Random random = new Random(7);
        for (int i = 0; i < 400; i++) {
            text.append("{\"i\":\"").append("x".repeat(random.nextInt(900))).append("\"}\n");
        }
        text.append("{\"long\":\"").append("y".repeat(300_000)).append("\"}\n{}\n");
        publish(one, chunk(failures(A), 1, 0, text.toString()));
        publish(one, chunk(failures(B), 1, 0, "{}\n"));
        Map<Stream, ByteArrayOutputStream> read = read(machine("two"), new HashMap<>(), 5_000);
        assertThat(utf8(read.get(failures(A)))).isEqualTo(text.toString());
        assertThat(utf8(read.get(failures(B)))).isEqualTo("{}\n");
    }

    @Test
    public void bytes_ofAnyValue_areUnchanged() throws Exception {
        byte[] bytes = new byte[2048];
        new Random(3).nextBytes(bytes);
        bytes[1000] = '\r';
        bytes[1001] = '\n';
        bytes[2047] = '\n';
        Chunk chunk = Chunk.of(failures(A), 1, 0, bytes);
        assertThat(publish(machine("one"), chunk).isAccepted()).isTrue();
        assertThat(read(machine("two"), new HashMap<>(), PLENTY)
                        .get(failures(A))
                        .toByteArray())
                .isEqualTo(bytes);
    }

    @Test
    public void connection_closedAndReopened_continues() throws Exception {
        SyncBackend one = connect("one");
        publish(one, chunk(failures(A), 1, 0, "{}\n"));
        one.close();
        SyncBackend again = machine("one");
        assertThat(publish(again, chunk(failures(A), 1, 3, "{\"b\":1}\n")).isAccepted())
                .isTrue();
        assertThat(all(again)).containsOnly(Map.entry(failures(A), "{}\n{\"b\":1}\n"));
    }

    @Test
    public void publish_byTheOwnerOnNewMachine_continues() throws Exception {
        publish(machine("one"), chunk(failures(A), 1, 0, "{}\n"));
        SyncBackend moved = machine("two");
        assertThat(publish(moved, chunk(failures(A), 1, 0, "{}\n")).isAccepted())
                .isFalse();
        assertThat(publish(moved, chunk(failures(A), 1, 3, "{\"b\":1}\n")).isAccepted())
                .isTrue();
    }

    /**
     * After a store was copied, two machines publish under one id. One of them is refused, and no line is overwritten.
     */
    @Test
    public void publish_sameStreamFromTwoMachines_oneWins() throws Exception {
        SyncBackend one = machine("one");
        SyncBackend two = machine("two");
        publish(one, chunk(failures(A), 1, 0, "{}\n"));
        Ack first = publish(one, chunk(failures(A), 1, 3, "{\"one\":1}\n"));
        Ack second = publish(two, chunk(failures(A), 1, 3, "{\"two\":2}\n"));
        assertThat(first.isAccepted()).isTrue();
        assertThat(second.isAccepted()).isFalse();
        assertThat(all(two)).containsOnly(Map.entry(failures(A), "{}\n{\"one\":1}\n"));
    }

    @Test
    public void publish_manyReplicasConcurrently_allStored() throws Exception {
        int replicas = 4;
        int rounds = 8;
        ExecutorService threads = Executors.newFixedThreadPool(replicas);
        Map<Stream, String> expected = new HashMap<>();
        List<Callable<Integer>> work = new ArrayList<>();
        for (int r = 0; r < replicas; r++) {
            Stream stream = failures(String.valueOf((char) ('a' + r)).repeat(32));
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < rounds; i++) {
                text.append("{\"i\":").append(i).append("}\n");
            }
            expected.put(stream, text.toString());
            SyncBackend backend = machine("m" + r);
            work.add(() -> {
                int refused = 0;
                for (int i = 0; i < rounds; i++) {
                    refused += publish(backend, chunk(stream, 1, 8L * i, "{\"i\":" + i + "}\n"))
                                    .isAccepted()
                            ? 0
                            : 1;
                }
                return refused;
            });
        }
        try {
            for (Future<Integer> done : threads.invokeAll(work)) {
                assertThat(done.get()).as("refused").isZero();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(all(machine("reader"))).isEqualTo(expected);
    }

    @Test
    public void retire_replica_staysReadableAndIsRefused() throws Exception {
        SyncBackend one = machine("one");
        SyncBackend two = machine("two");
        if (!two.abilities().contains(Ability.RETIRE)) {
            assertThatThrownBy(() -> two.retire(A, LIMIT)).isInstanceOf(UnsupportedOperationException.class);
            return;
        }
        publish(one, chunk(failures(A), 1, 0, "{}\n"));
        two.retire(A, LIMIT);
        Ack ack = publish(one, chunk(failures(A), 1, 3, "{\"b\":1}\n"));
        assertThat(ack.isAccepted()).isFalse();
        assertThat(ack.isRetired()).isTrue();
        assertThat(all(two)).containsOnly(Map.entry(failures(A), "{}\n"));
        assertThat(publish(one, chunk(failures(B), 1, 0, "{}\n")).isAccepted()).isTrue();
    }

    @Test
    public void retire_again_noEffect() throws Exception {
        SyncBackend one = machine("one");
        assumeTrue(one.abilities().contains(Ability.RETIRE));
        publish(one, chunk(failures(A), 1, 0, "{}\n"));
        one.retire(A, LIMIT);
        one.retire(A, LIMIT);
        assertThat(all(machine("two"))).containsOnly(Map.entry(failures(A), "{}\n"));
    }

    /** Appends, rewrites and polls in random order, compared with a model. */
    @Test
    public void calls_inAnyOrder_agreeWithTheModel() throws Exception {
        for (int seed = 0; seed < 3; seed++) {
            walk(new Random(seed), String.valueOf("cde".charAt(seed)).repeat(32));
        }
    }

    private void walk(Random random, String replica) throws Exception {
        SyncBackend writer = machine("writer" + replica.charAt(0));
        SyncBackend reader = machine("reader");
        Map<Stream, Head> known = new HashMap<>();
        Map<Stream, Head> heads = new HashMap<>();
        Map<Stream, StringBuilder> model = new HashMap<>();
        Map<Stream, StringBuilder> copy = new HashMap<>();
        for (int step = 0; step < 25; step++) {
            Stream stream = new Stream(replica, random.nextBoolean() ? "failures" : "notes");
            Head head = heads.getOrDefault(stream, new Head(1, 0));
            String line = "{\"step\":" + step + ",\"x\":\"" + "z".repeat(random.nextInt(200)) + "\"}\n";
            boolean rewrite = random.nextInt(5) == 0;
            Chunk next = rewrite
                    ? chunk(stream, head.generation() + 1, 0, line)
                    : chunk(stream, head.generation(), head.position(), line);
            assertThat(publish(writer, next).isAccepted()).isTrue();
            StringBuilder text = model.computeIfAbsent(stream, s -> new StringBuilder());
            text.replace(0, rewrite ? text.length() : 0, "").append(line);
            heads.put(stream, next.end());
            if (random.nextInt(3) == 0) {
                Map<Stream, Head> before = new HashMap<>(known);
                read(reader, known, 100 + random.nextInt(5_000)).forEach((s, bytes) -> {
                    StringBuilder copied = copy.computeIfAbsent(s, x -> new StringBuilder());
                    boolean again = before.getOrDefault(s, Head.NONE).generation()
                            < known.getOrDefault(s, Head.NONE).generation();
                    copied.replace(0, again ? copied.length() : 0, "").append(utf8(bytes));
                });
                model.forEach(
                        (s, expected) -> assertThat(copy.get(s)).asString().isEqualTo(expected.toString()));
            }
        }
    }
}

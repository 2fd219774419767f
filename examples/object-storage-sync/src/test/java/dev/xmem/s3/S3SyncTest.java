package dev.xmem.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.s3.TestBucket.Fault;
import dev.xmem.spi.SyncBackend.Ack;
import dev.xmem.spi.SyncBackend.Batch;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The example's scenario, and failures of the bucket, its other clients and the network. */
@Timeout(60)
class S3SyncTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String REPLICA = "a".repeat(32);
    private static final Stream FAILURES = new Stream(REPLICA, "failures");
    private static final String HEAD = "xmem-v1/heads/" + REPLICA + ".json";

    private final TestBucket bucket = new TestBucket();

    @AfterEach
    void stop() {
        bucket.close();
    }

    private static Publication publication(long generation, long from, String lines) {
        Chunk chunk = Chunk.of(FAILURES, generation, from, lines.getBytes(StandardCharsets.UTF_8));
        return Publication.of(REPLICA, List.of(chunk), "x");
    }

    private static String text(Batch batch) {
        return batch.chunks().stream()
                .map(chunk -> new String(chunk.bytes(), StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }

    private String read() throws IOException {
        return text(bucket.backend().poll(Map.of(), 1 << 20, LIMIT));
    }

    private long pieces() {
        return bucket.objects().keySet().stream()
                .filter(key -> key.contains("/pieces/"))
                .count();
    }

    @Test
    void start_bucketThatCannotBeUsed_isSaidBeforeAnythingElse(@TempDir Path folder) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream text = new PrintStream(out, true, StandardCharsets.UTF_8);

        assertThat(S3Sync.start(new String[] {"No Bucket"}, text)).isEqualTo(2);
        assertThat(S3Sync.run(
                        folder,
                        () -> S3SyncBackend.of("bucket")
                                .endpoint(URI.create("http://127.0.0.1:1"))
                                .credentials(S3Credentials.of("key", "secret", null))
                                .build(),
                        text))
                .isFalse();
        assertThat(out.toString(StandardCharsets.UTF_8)).matches("(The bucket cannot be used: [^\\n]+\\n){2}");
    }

    @Test
    void run_twoStoresAndOneBucket_secondGetsAdvice(@TempDir Path folder) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(S3Sync.run(folder, bucket::backend, new PrintStream(out, true, StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("ben got the advice", "python3 -m venv");
    }

    /** Each request of a publication in turn: the request or its answer is lost, or the server is busy. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DROPPED_BEFORE", "DROPPED_AFTER", "SLOW_DOWN", "INTERNAL"})
    void publish_oneRequestFails_storedOnce(Fault fault) throws IOException {
        S3SyncBackend backend = bucket.backend();
        assertThat(backend.publish(publication(1, 0, "{}\n"), LIMIT).isAccepted())
                .isTrue();
        int failures = 0;
        String expected = "{}\n";
        for (int at = 1; failures == at - 1; at++) {
            AtomicInteger left = new AtomicInteger(at);
            int before = bucket.faults.get();
            bucket.fault = (method, key) -> left.decrementAndGet() == 0 ? fault : Fault.NONE;
            String line = "{\"at\":" + at + "}\n";
            assertThat(backend.publish(publication(1, expected.length(), line), LIMIT)
                            .isAccepted())
                    .isTrue();
            expected += line;
            failures += bucket.faults.get() - before;
            bucket.fault = (method, key) -> Fault.NONE;
            assertThat(read()).isEqualTo(expected);
        }
        assertThat(failures).as("bytes, head, replaced piece").isEqualTo(3);
    }

    @Test
    void publish_connectionHangs_endsAtLimitAndWorksLater() throws IOException {
        S3SyncBackend backend = bucket.backend();
        bucket.fault = (method, key) -> Fault.HANGS;
        assertThatThrownBy(() -> backend.publish(publication(1, 0, "{}\n"), Duration.ofMillis(200)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not respond");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> backend.poll(Map.of(), 100, LIMIT)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        bucket.fault = (method, key) -> Fault.NONE;
        assertThat(backend.publish(publication(1, 0, "{}\n"), LIMIT).isAccepted())
                .isTrue();
    }

    /** A copied store publishes between the moment when this one has read the head, and its write of the head. */
    @Test
    void publish_copyWritesTheHeadInBetween_refusedAndNothingOverwritten() throws IOException {
        S3SyncBackend one = bucket.backend();
        S3SyncBackend copy = bucket.backend();
        one.publish(publication(1, 0, "{}\n"), LIMIT);
        AtomicBoolean done = new AtomicBoolean();
        bucket.before = (method, key) -> {
            if (method.equals("PUT") && key.equals(HEAD) && done.compareAndSet(false, true)) {
                try {
                    assertThat(copy.publish(publication(1, 3, "{\"copy\":1}\n"), LIMIT)
                                    .isAccepted())
                            .isTrue();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
            return null;
        };
        Ack ack = one.publish(publication(1, 3, "{\"one\":1}\n"), LIMIT);
        assertThat(ack.isAccepted()).isFalse();
        assertThat(read()).isEqualTo("{}\n{\"copy\":1}\n");
        assertThat(copy.publish(publication(1, 14, "{\"more\":1}\n"), LIMIT).isAccepted())
                .isTrue();
        assertThat(read()).isEqualTo("{}\n{\"copy\":1}\n{\"more\":1}\n");
    }

    @Test
    void publish_headDeleted_refusedAndEverythingCanBePublishedAgain() throws IOException {
        S3SyncBackend backend = bucket.backend();
        backend.publish(publication(1, 0, "{}\n"), LIMIT);
        bucket.objects.remove(HEAD);
        assertThat(backend.publish(publication(1, 3, "{}\n"), LIMIT).isAccepted())
                .isFalse();
        assertThat(backend.publish(publication(1, 0, "{}\n{}\n"), LIMIT).isAccepted())
                .isTrue();
        assertThat(read()).isEqualTo("{}\n{}\n");
    }

    @Test
    void publish_manySmallOnes_fewObjects() throws IOException {
        S3SyncBackend backend = bucket.backend();
        String line = "{\"x\":\"" + "y".repeat(5000) + "\"}\n";
        long at = 0;
        for (int i = 0; i < 40; i++) {
            backend.publish(publication(1, at, line), LIMIT);
            at += line.length();
        }
        assertThat(pieces()).isEqualTo(1 + at / (PieceStore.ROLL_BYTES + 5000));
        assertThat(read()).isEqualTo(line.repeat(40));
        assertThat(bucket.backend().publish(publication(1, at, line), LIMIT).isAccepted())
                .as("by another process")
                .isTrue();
        assertThat(read()).isEqualTo(line.repeat(41));
    }

    @Test
    void publish_higherGeneration_nothingOfTheLowerOneIsLeft() throws IOException {
        S3SyncBackend backend = bucket.backend();
        backend.publish(publication(1, 0, "{\"secret\":\"Rumpelstilzchen\"}\n"), LIMIT);
        backend.publish(publication(2, 0, "{}\n"), LIMIT);
        assertThat(bucket.everything()).doesNotContain("Rumpelstilzchen");
        assertThat(pieces()).isEqualTo(1);
    }

    /** The process dies after it has written the head of a new generation, before it has deleted the old one. */
    @Test
    void publish_deletionFails_theNextProcessDeletes() throws IOException {
        S3SyncBackend backend = bucket.backend();
        backend.publish(publication(1, 0, "{\"secret\":\"Rumpelstilzchen\"}\n"), LIMIT);
        bucket.fault = (method, key) -> method.equals("DELETE") ? Fault.DENIED : Fault.NONE;
        assertThatThrownBy(() -> backend.publish(publication(2, 0, "{}\n"), LIMIT))
                .isInstanceOf(S3Exception.class);
        bucket.fault = (method, key) -> Fault.NONE;
        assertThat(bucket.everything()).contains("Rumpelstilzchen");
        assertThat(bucket.backend().publish(publication(2, 0, "{}\n"), LIMIT).isAccepted())
                .as("repeated")
                .isFalse();
        assertThat(bucket.everything()).doesNotContain("Rumpelstilzchen");
    }

    /** The process dies in the same place, and its machine with it: whoever retires the replica deletes. */
    @Test
    void retire_deletionFailedBefore_nothingOfLowerGenerationsIsLeft() throws IOException {
        S3SyncBackend backend = bucket.backend();
        backend.publish(publication(1, 0, "{\"secret\":\"Rumpelstilzchen\"}\n"), LIMIT);
        bucket.fault = (method, key) -> method.equals("DELETE") ? Fault.DENIED : Fault.NONE;
        assertThatThrownBy(() -> backend.publish(publication(2, 0, "{}\n"), LIMIT))
                .isInstanceOf(S3Exception.class);
        bucket.fault = (method, key) -> Fault.NONE;
        for (int i = 0; i < 2; i++) {
            bucket.backend().retire(REPLICA, LIMIT);
            assertThat(bucket.everything()).doesNotContain("Rumpelstilzchen");
            assertThat(read()).isEqualTo("{}\n");
        }
    }

    /** The only entry of a log is purged; the round that publishes it fails, and the next one does it. */
    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE"})
    void sync_everythingPurgedAndRoundFails_theNextOneErases(String method, @TempDir Path folder) {
        try (XMemStore store = XMem.builder(folder)
                .sync(bucket.backend())
                .syncInterval(Duration.ofDays(1))
                .open()) {
            Failure learned = store.recordFailure(
                    Failure.of(ToolCall.shell("pip install pyyaml"), ToolError.exit(1, "error: Rumpelstilzchen")));
            assertThat(store.sync(LIMIT).lastError()).isNull();
            assertThat(bucket.everything()).contains("Rumpelstilzchen");
            assertThat(store.purge(Set.of(learned.id()))).isEqualTo(1);
            bucket.fault = (each, key) -> each.equals(method) ? Fault.DENIED : Fault.NONE;
            assertThat(store.sync(LIMIT).lastError()).isNotNull();
            bucket.fault = (each, key) -> Fault.NONE;
            assertThat(store.sync(LIMIT).lastError()).isNull();
            assertThat(bucket.everything()).doesNotContain("Rumpelstilzchen");
        }
    }

    /** The first publication of a stream fails after its bytes were written; they are purged before the next one. */
    @Test
    void publish_purgedAfterTheFirstAttemptFailed_nothingIsLeft() throws IOException {
        S3SyncBackend backend = bucket.backend();
        backend.publish(publication(1, 0, "{}\n"), LIMIT);
        Stream notes = new Stream(REPLICA, "notes");
        byte[] secret = "{\"secret\":\"Rumpelstilzchen\"}\n".getBytes(StandardCharsets.UTF_8);
        bucket.fault = (method, key) -> method.equals("PUT") && key.equals(HEAD) ? Fault.DENIED : Fault.NONE;
        assertThatThrownBy(() ->
                        backend.publish(Publication.of(REPLICA, List.of(Chunk.of(notes, 1, 0, secret)), "x"), LIMIT))
                .isInstanceOf(S3Exception.class);
        bucket.fault = (method, key) -> Fault.NONE;
        assertThat(bucket.everything()).contains("Rumpelstilzchen");
        backend.publish(Publication.of(REPLICA, List.of(Chunk.of(notes, 2, 0, new byte[0])), "x"), LIMIT);
        assertThat(bucket.everything()).doesNotContain("Rumpelstilzchen");
    }

    /** A head that is not found for a while is no reason to delete what it names. */
    @Test
    void publish_headNotFoundForAWhile_itsPiecesStay() throws IOException {
        bucket.backend().publish(publication(1, 0, "{}\n"), LIMIT);
        bucket.objects.replaceAll((key, object) -> new TestBucket.Stored(object.bytes(), object.tag(), Instant.EPOCH));
        TestBucket.Stored head = bucket.objects.remove(HEAD);
        assertThat(bucket.backend().publish(publication(1, 3, "{}\n"), LIMIT).isAccepted())
                .isFalse();
        bucket.objects.put(HEAD, head);
        assertThat(read()).isEqualTo("{}\n");
    }

    /** A process that never ends deletes what others left, too. */
    @Test
    void publish_orphansOfLater_areDeletedInTime() throws IOException {
        S3SyncBackend backend = bucket.builder().orphansAge(Duration.ZERO).build();
        backend.publish(publication(1, 0, "{}\n"), LIMIT);
        String orphan = "xmem-v1/pieces/" + REPLICA + "/failures/1/0000000000000009-" + "1".repeat(32);
        bucket.store(orphan, "{}\n");
        backend.publish(publication(1, 3, "{}\n"), LIMIT);
        assertThat(bucket.objects()).doesNotContainKey(orphan);
        assertThat(read()).isEqualTo("{}\n{}\n");
    }

    @Test
    void publish_orphans_oldOnesAreDeleted() throws IOException {
        String folder = "xmem-v1/pieces/" + REPLICA + "/failures/1/";
        String young = folder + "0000000000000009-" + "1".repeat(32);
        String old = folder + "0000000000000008-" + "2".repeat(32);
        String other = "xmem-v1/pieces/" + "b".repeat(32) + "/failures/1/0000000000000000-" + "2".repeat(32);
        bucket.store(old, "{}\n");
        bucket.store(other, "{}\n");
        bucket.modified = Instant.now();
        bucket.store(young, "{}\n");
        bucket.backend().publish(publication(1, 0, "{}\n"), LIMIT);
        assertThat(bucket.objects()).containsKeys(young, other).doesNotContainKey(old);
    }

    /** The owner replaces the last object of a stream while another store reads it. */
    @Test
    void poll_pieceReplacedMeanwhile_readsTheNewOne() throws IOException {
        S3SyncBackend owner = bucket.backend();
        owner.publish(publication(1, 0, "{}\n"), LIMIT);
        AtomicBoolean done = new AtomicBoolean();
        bucket.before = (method, key) -> {
            if (method.equals("GET") && key.contains("/pieces/") && done.compareAndSet(false, true)) {
                try {
                    owner.publish(publication(1, 3, "{\"b\":1}\n"), LIMIT);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
            return null;
        };
        Batch batch = bucket.backend().poll(Map.of(), 1 << 20, LIMIT);
        assertThat(text(batch)).isEqualTo("{}\n{\"b\":1}\n");
        assertThat(batch.refused()).isEmpty();
    }

    @Test
    void poll_nothingNew_oneRequest() throws IOException {
        bucket.backend().publish(publication(1, 0, "{}\n"), LIMIT);
        S3SyncBackend reader = bucket.backend();
        reader.poll(Map.of(), 1 << 20, LIMIT);
        int before = bucket.requests.get();
        reader.poll(Map.of(FAILURES, new Head(1, 3)), 1 << 20, LIMIT);
        assertThat(bucket.requests.get() - before).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void poll_known_onlyTheRest(boolean honorsRange) throws IOException {
        bucket.honorsRange = honorsRange;
        bucket.backend().publish(publication(1, 0, "{}\n{\"b\":1}\n"), LIMIT);
        assertThat(text(bucket.backend().poll(Map.of(FAILURES, new Head(1, 3)), 100, LIMIT)))
                .isEqualTo("{\"b\":1}\n");
    }

    @Test
    void poll_hostileObjects_areRefusedAndTheRestIsRead() throws IOException {
        S3SyncBackend good = bucket.backend();
        good.publish(publication(1, 0, "{\"good\":1}\n"), LIMIT);
        String piece = "[\"" + "1".repeat(32) + "\",3]";
        Map<String, String> heads = Map.of(
                "b",
                "{\"format\":1,\"streams\":[{\"name\":\"failures\",\"generation\":1,\"pieces\":[" + piece + "]}]}",
                "c",
                "{\"format\":1,\"streams\":[{\"name\":\"../x\",\"generation\":1,\"pieces\":[]}]}",
                "d",
                "{\"format\":2,\"streams\":[]}",
                "e",
                "[".repeat(5000),
                "f",
                "{\"format\":1,\"streams\":[{\"name\":\"notes\",\"generation\":1,\"pieces\":[[\"" + "1".repeat(32)
                        + "\",99999999999]]}]}",
                "0",
                "",
                "1",
                "{\"format\":1,\"streams\":[{\"name\":\"notes\",\"generation\":1,\"pieces\":[" + piece + "]}]}");
        heads.forEach((replica, json) -> bucket.store("xmem-v1/heads/" + replica.repeat(32) + ".json", json));
        bucket.store("xmem-v1/pieces/" + "1".repeat(32) + "/notes/1/0000000000000000-" + "1".repeat(32), "[]\n");
        for (String each : List.of("2", "3")) {
            bucket.store("xmem-v1/heads/" + each.repeat(32) + ".json", heads.get("1"));
        }
        bucket.store("xmem-v1/pieces/" + "2".repeat(32) + "/notes/1/0000000000000000-" + "1".repeat(32), "[1,2,3]\n");
        bucket.store("xmem-v1/pieces/" + "3".repeat(32) + "/notes/1/0000000000000000-" + "1".repeat(32), "\n");
        bucket.store("xmem-v1/heads/../../x.json", "{}");
        bucket.store("xmem-v1/heads/\u0001.json", "{}");
        Map<Stream, Head> known = Map.of(new Stream("3".repeat(32), "notes"), new Head(1, 2));
        Batch batch = bucket.backend().poll(known, 1 << 20, LIMIT);
        assertThat(text(batch)).isEqualTo("{\"good\":1}\n");
        assertThat(batch.refused())
                .containsExactlyInAnyOrder(
                        "22222222 cannot be read: the object store answers with more than 3 bytes",
                        "33333333 cannot be read: the object store refuses GET xmem-v1/pieces/" + "3".repeat(32)
                                + "/notes/1/0000000000000000-" + "1".repeat(32) + " with 416 InvalidRange",
                        "bbbbbbbb lacks an object",
                        "the head of cccccccc is malformed",
                        "the head of dddddddd was written by a later version; use a later release",
                        "the head of eeeeeeee is malformed",
                        "the head of ffffffff is malformed",
                        "the head of 00000000 is malformed",
                        "11111111/notes has an object with other bytes than its head says, at 0");
        bucket.store(HEAD, "{}");
        assertThatThrownBy(() -> bucket.backend().publish(publication(1, 11, "{}\n"), LIMIT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is malformed; delete " + HEAD);
    }

    /** What a writer publishes, every reader accepts. */
    @Test
    void json_moreThanReadersAccept_refused() throws IOException {
        ReplicaHead.Piece piece = ReplicaHead.Piece.of(new byte[1]);
        for (int extra = 0; extra < 2; extra++) {
            ReplicaHead.Pieces pieces = new ReplicaHead.Pieces(1, Collections.nCopies((1 << 17) + extra, piece));
            ReplicaHead head = new ReplicaHead("c", false, new TreeMap<>(Map.of("notes", pieces)));
            if (extra == 0) {
                assertThat(ReplicaHead.parse(head.json())).isEqualTo(head);
            } else {
                assertThatThrownBy(head::json).isInstanceOf(IOException.class).hasMessageContaining("compact");
            }
        }
    }

    /** Other writers' heads are kept in memory up to a limit; the rest is read with each poll. */
    @Test
    void poll_headsBeyondTheCache_areReadAgain() throws IOException {
        String json = "{\"format\":1,\"streams\":[]}";
        List.of("a", "b", "c").forEach(each -> bucket.store("xmem-v1/heads/" + each.repeat(32) + ".json", json));
        HeadStore heads = new HeadStore(bucket.builder().client(), "xmem-v1/", 2 * json.length());
        for (int round = 0; round < 2; round++) {
            TimeLimit limit = new TimeLimit(LIMIT);
            int before = bucket.requests.get();
            for (Map.Entry<String, String> tag : heads.list(limit).entrySet()) {
                assertThat(heads.get(tag.getKey(), tag.getValue(), limit)).isNotNull();
            }
            assertThat(bucket.requests.get() - before).isEqualTo(round == 0 ? 4 : 2);
            bucket.objects.remove(round == 0 ? "" : "xmem-v1/heads/" + "a".repeat(32) + ".json");
        }
        TimeLimit limit = new TimeLimit(LIMIT);
        for (Map.Entry<String, String> tag : heads.list(limit).entrySet()) {
            heads.get(tag.getKey(), tag.getValue(), limit);
        }
        assertThat(heads.cached("c".repeat(32)))
                .as("in the place of one that is gone")
                .isNotNull();
    }

    /** A hostile stream is fetched once, not with every poll; when its owner ends the line, it is read. */
    @Test
    void poll_streamThatCannotBeRead_isFetchedOnceAndReadWhenItChanges() throws IOException {
        S3SyncBackend owner = bucket.backend();
        owner.publish(publication(1, 0, "{\"no\":\"end\""), LIMIT);
        AtomicInteger fetched = new AtomicInteger();
        bucket.before = (method, key) -> {
            fetched.addAndGet(method.equals("GET") && key.contains("/pieces/") ? 1 : 0);
            return null;
        };
        S3SyncBackend reader = bucket.backend();
        for (int i = 0; i < 3; i++) {
            assertThat(reader.poll(Map.of(), 1 << 20, LIMIT).refused())
                    .containsExactly("aaaaaaaa/failures ends within a line");
        }
        assertThat(fetched.get()).isEqualTo(1);
        owner.publish(publication(1, 11, "}\n"), LIMIT);
        assertThat(text(reader.poll(Map.of(), 1 << 20, LIMIT))).isEqualTo("{\"no\":\"end\"}\n");
    }

    @Test
    void poll_answerTooLong_endsWithoutReadingIt() {
        bucket.answer = new byte[9 << 20];
        assertThatThrownBy(() -> bucket.backend().poll(Map.of(), 100, LIMIT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than");
    }

    @Test
    void poll_bucketKeepsVersions_isToldOnce() throws IOException {
        bucket.keepsVersions = true;
        S3SyncBackend backend = bucket.backend();
        backend.publish(publication(1, 0, "{}\n"), LIMIT);
        assertThat(backend.poll(Map.of(), 100, LIMIT).refused())
                .singleElement()
                .asString()
                .contains("noncurrent");
        assertThat(backend.poll(Map.of(), 100, LIMIT).refused()).isEmpty();
    }

    @Test
    void publish_storeIgnoresConditions_typedAndNothingPublished() {
        bucket.honorsConditions = false;
        S3Exception refused = catchThrowableOfType(
                S3Exception.class, () -> bucket.backend().publish(publication(1, 0, "{}\n"), LIMIT));
        assertThat(refused.code()).isEqualTo(S3Exception.NO_CONDITIONS);
        assertThat(bucket.objects()).doesNotContainKey(HEAD);
    }

    /** Without entity tags, conditions would be empty, and a service may take them for none. */
    @Test
    void publish_storeSendsNoEntityTags_typedAndNothingPublished() {
        bucket.sendsTags = false;
        S3Exception refused = catchThrowableOfType(
                S3Exception.class, () -> bucket.backend().publish(publication(1, 0, "{}\n"), LIMIT));
        assertThat(refused.code()).isEqualTo(S3Exception.NO_TAG);
        assertThat(bucket.objects()).doesNotContainKey(HEAD);
    }
}

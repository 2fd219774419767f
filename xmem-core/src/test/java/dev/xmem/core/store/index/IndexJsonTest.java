package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code index.json}: the schema of the X-MEM protocol, equal to a recount of the logs, whatever happened to it. */
class IndexJsonTest {
    private static final String FOREIGN =
            "{\"id\":\"2026-02-14-017\",\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"tool_failure\","
                    + "\"tool\":\"rclone\",\"error\":\"x\",\"tags\":[\"gdrive\",\"config\",\"gdrive\"],\"ctx_hash\":\"rclone-sync-x\"}\n";

    @TempDir
    Path directory;

    private Path index;

    @BeforeEach
    void fill() {
        index = directory.resolve("data/index.json");
        try (XMemStore store = XMem.open(directory)) {
            store.recordFailure(Failure.of("git", "push", "rejected").tags("git", "push"));
            store.recordFailure(Failure.of("npm", "install x", "ETIMEDOUT").tags("network"));
            store.recordSuccess(Success.of("git", "Push with -u").action("push").tags("push"));
            store.writeNote(Note.of("note", "not in the index").tags("push"));
        }
        isCurrent();
    }

    /** The content that the X-MEM protocol asks for, counted from the files. */
    private Map<String, Object> recount() {
        List<Map<String, Object>> failures = Json.lines(directory.resolve("data/failures.jsonl"));
        List<Map<String, Object>> successes = Json.lines(directory.resolve("data/successes.jsonl"));
        Map<String, Map<String, Integer>> tools = new TreeMap<>();
        Map<String, Integer> tags = new TreeMap<>();
        Map<String, List<String>> hashes = new TreeMap<>();
        failures.forEach(line -> count(line, "failures", tools, tags, hashes));
        successes.forEach(line -> count(line, "successes", tools, tags, hashes));
        return Map.of(
                "version", "1.0.0",
                "total_entries", Map.of("failures", failures.size(), "successes", successes.size()),
                "tool_index", tools,
                "tag_index", tags,
                "ctx_hash_index", hashes);
    }

    private static void count(
            Map<String, Object> line,
            String kind,
            Map<String, Map<String, Integer>> tools,
            Map<String, Integer> tags,
            Map<String, List<String>> hashes) {
        Map<String, Integer> tool = tools.computeIfAbsent(
                (String) line.get("tool"), name -> new TreeMap<>(Map.of("failures", 0, "successes", 0)));
        tool.merge(kind, 1, Integer::sum);
        ((List<?>) line.get("tags")).stream().distinct().forEach(tag -> tags.merge((String) tag, 1, Integer::sum));
        hashes.computeIfAbsent((String) line.get("ctx_hash"), hash -> new ArrayList<>())
                .add((String) line.get("id"));
    }

    private Map<String, Object> read() {
        try {
            return Json.object(Files.readAllBytes(index));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void isCurrent() {
        Map<String, Object> found = read();
        assertThat(found.keySet())
                .containsExactly(
                        "version", "last_updated", "total_entries", "tool_index", "tag_index", "ctx_hash_index");
        assertThat((String) found.remove("last_updated"))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
        assertThat(plain(found)).isEqualTo(plain(recount()));
    }

    /** The same with every number as a text and every map sorted. */
    private static Object plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> sorted = new TreeMap<>();
            map.forEach((key, inner) -> sorted.put((String) key, plain(inner)));
            return sorted;
        } else if (value instanceof List<?> list) {
            return list.stream().map(IndexJsonTest::plain).toList();
        }
        return value instanceof BigDecimal || value instanceof Integer ? value.toString() : value;
    }

    private void openAndClose() {
        XMem.open(directory).close();
    }

    @Test
    void index_isMissing_isWrittenAgainAndNothingIsLost() throws IOException {
        byte[] before = Files.readAllBytes(index);
        Files.delete(index);
        openAndClose();
        assertThat(index).hasBinaryContent(before);
    }

    @Test
    void index_andAllThatIsDerivedIsMissing_isWrittenAgain() throws IOException {
        Files.delete(index);
        Files.delete(directory.resolve(".xmem/index-state.json"));
        openAndClose();
        isCurrent();
    }

    @Test
    void index_isTorn_isWrittenAgain() throws IOException {
        String whole = Files.readString(index);
        Files.writeString(index, whole.substring(0, whole.length() / 2));
        openAndClose();
        isCurrent();
    }

    @Test
    void index_isConflicted_isWrittenAgain() throws IOException {
        String whole = Files.readString(index);
        Files.writeString(index, "<<<<<<< HEAD\n" + whole + "=======\n" + whole + ">>>>>>> theirs\n");
        openAndClose();
        isCurrent();
    }

    @Test
    void index_isEmpty_isWrittenAgain() throws IOException {
        Files.writeString(index, "");
        openAndClose();
        isCurrent();
    }

    @Test
    void index_itsStateIsTorn_isWrittenAgain() throws IOException {
        Files.writeString(directory.resolve(".xmem/index-state.json"), "{\"index_bytes\":1");
        Files.delete(index);
        openAndClose();
        isCurrent();
    }

    @Test
    void index_aLineWasAppendedWhileClosed_isWrittenAgain() throws IOException {
        Files.writeString(directory.resolve("data/failures.jsonl"), FOREIGN, StandardOpenOption.APPEND);
        openAndClose();
        isCurrent();
    }

    @Test
    void index_aLineWasAppendedWhileOpen_isCurrentAfterAFlushAndAfterAClose() throws IOException {
        try (XMemStore store = XMem.open(directory)) {
            Files.writeString(directory.resolve("data/failures.jsonl"), FOREIGN, StandardOpenOption.APPEND);
            store.flush();
            isCurrent();
            Files.writeString(
                    directory.resolve("data/failures.jsonl"), FOREIGN.replace("017", "018"), StandardOpenOption.APPEND);
        }
        isCurrent();
    }

    @Test
    void index_theLogsWereReplacedWhileClosed_isWrittenAgain() throws IOException {
        Files.writeString(directory.resolve("data/failures.jsonl"), FOREIGN);
        openAndClose();
        isCurrent();
    }

    @Test
    void index_anotherStoreOfThisDirectoryAppended_isCurrentAfterTheLastClose() {
        try (XMemStore one = XMem.open(directory);
                XMemStore two = XMem.open(directory)) {
            one.recordFailure(Failure.of("git", "pull", "one"));
            two.recordFailure(Failure.of("git", "pull", "two"));
            one.recordFailure(Failure.of("git", "pull", "three"));
        }
        isCurrent();
    }

    @Test
    void index_namesThatJsonMustEscape_areEscaped() throws IOException {
        String line =
                "{\"id\":\"2026-02-14-018\",\"type\":\"tool_failure\",\"tool\":\"a\\\"\\n\\u0001\",\"error\":\"x\","
                        + "\"tags\":[\"\\ud83d\\ude00\",\"\\\\\"],\"ctx_hash\":\"a\\tb\"}\n";
        Files.writeString(directory.resolve("data/failures.jsonl"), line, StandardOpenOption.APPEND);
        openAndClose();
        isCurrent();
    }

    @Test
    void index_aForeignTagWithHalfACharacter_isWrittenAllTheSame() throws IOException {
        String line = "{\"id\":\"2026-02-14-018\",\"type\":\"tool_failure\",\"tool\":\"a\",\"error\":\"x\","
                + "\"tags\":[\"\\ud83d\"],\"ctx_hash\":\"\\udc00\"}\n";
        Files.writeString(directory.resolve("data/failures.jsonl"), line, StandardOpenOption.APPEND);
        try (XMemStore store = XMem.open(directory)) {
            store.flush();
        }
        assertThat(read().get("total_entries")).hasToString("{failures=3, successes=1}");
    }

    @Test
    void index_readWhileEntriesComeIn_isAlwaysWhole() throws Exception {
        AtomicInteger read = new AtomicInteger();
        AtomicReference<Throwable> trouble = new AtomicReference<>();
        Thread reader = new Thread(() -> {
            while (!Thread.interrupted() && trouble.get() == null) {
                try {
                    assertThat(Json.object(Files.readAllBytes(index))).hasSize(6);
                    read.incrementAndGet();
                } catch (IOException | RuntimeException | AssertionError e) {
                    trouble.compareAndSet(null, e instanceof ClosedByInterruptException ? null : e);
                }
            }
        });
        reader.start();
        try (XMemStore store = XMem.open(directory)) {
            for (int i = 0; i < 2_000; i++) {
                store.recordFailure(Failure.of("git", "push", "error " + i));
                if (i % 20 == 0) {
                    store.flush();
                }
            }
        } finally {
            reader.interrupt();
            reader.join();
        }
        assertThat(trouble.get()).isNull();
        assertThat(read.get()).isPositive();
        isCurrent();
    }
}

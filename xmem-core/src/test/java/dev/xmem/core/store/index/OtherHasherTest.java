package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that is opened with another hasher keeps the hashes in its lines, and knows the new ones beside them. */
class OtherHasherTest {
    private static final ToolCall CALL = ToolCall.json("acme", "deploy");

    @TempDir
    Path folder;

    /** Groups by the last word of the error, or of a success's name. */
    private static final class LastWord implements ContextHasher {
        @Override
        public String id() {
            return "last-word-1";
        }

        @Override
        public ContextHash hash(HashInput input) {
            String text = input.error().isEmpty() ? String.valueOf(input.patternName()) : input.error();
            String[] words = text.strip().split("[^a-z]+");
            return ContextHash.of(input.tool(), "", words[words.length - 1]);
        }
    }

    private XMemStore open(boolean other, int segmentLines) {
        XMem.Builder builder = TestStores.builder(folder, segmentLines);
        return (other ? builder.hasher(new LastWord()) : builder).open();
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(folder.resolve("data/failures.jsonl"));
    }

    private static Advice recall(XMemStore store) {
        return store.recall(CALL, ToolError.text("something quite different about the quota"));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 1 << 15})
    void recall_withAnotherHasher_findsWhatTheFirstOneStored(int segmentLines) throws IOException {
        String stored;
        try (XMemStore store = open(false, segmentLines)) {
            stored = store.recordFailure(Failure.of("acme", "deploy", "error: exceeded the quota")
                            .patternAvoid("Ask first."))
                    .ctxHash();
            store.recordSuccess(Success.of("acme", "asked for more quota"));
            IntStream.range(0, 9)
                    .forEach(i -> store.recordFailure(Failure.of("acme", "deploy", "error: no such region " + i)));
        }
        List<String> before = lines();
        for (int i = 0; i < 3; i++) {
            try (XMemStore store = open(true, segmentLines)) {
                Advice advice = recall(store);
                assertThat(advice.text()).contains("Ask first.");
                assertThat(advice.matches().get(0).matchType()).isEqualTo(Match.MatchType.EXACT);
                assertThat(store.search(Query.all().ctxHash("acme-quota")).total())
                        .isEqualTo(2);
                assertThat(store.search(Query.all().ctxHash(stored)).total()).isEqualTo(1);
                assertThat(store.verify().findings()).isEmpty();
            }
        }
        assertThat(lines()).isEqualTo(before);
    }

    @Test
    void recall_withTheFirstHasherAgain_findsWhatTheOtherStored() {
        try (XMemStore store = open(true, 4)) {
            store.recordFailure(Failure.of("acme", "deploy", "fatal: could not resolve host acme.example")
                    .patternAvoid("Use the mirror."));
        }
        try (XMemStore store = open(false, 4)) {
            Advice advice = store.recall(CALL, ToolError.text("fatal: could not resolve host other.example"));
            assertThat(advice.text()).contains("Use the mirror.");
            assertThat(advice.matches().get(0).matchType()).isEqualTo(Match.MatchType.EXACT);
        }
    }

    @Test
    void open_withAnotherHasher_givesItTheExitCode() {
        try (XMemStore store = open(false, 4)) {
            store.recordFailure(Failure.of(CALL, ToolError.exit(137, "gone")));
        }
        ContextHasher byExitCode = new ContextHasher() {
            @Override
            public String id() {
                return "exit-1";
            }

            @Override
            public ContextHash hash(HashInput input) {
                return ContextHash.of(input.tool(), "", "exit-" + input.exitCode());
            }
        };
        try (XMemStore store = TestStores.builder(folder, 4).hasher(byExitCode).open()) {
            assertThat(store.search(Query.all().ctxHash("acme-exit-137")).total())
                    .isEqualTo(1);
        }
    }

    @Test
    void open_withTheOnlyHasherThereEverWas_hashesNothingAgain() throws IOException {
        try (XMemStore store = open(true, 4)) {
            store.recordFailure(Failure.of("acme", "deploy", "exceeded the quota"));
        }
        assertThat(Files.readString(folder.resolve(".xmem/hashers"))).isEqualTo("last-word-1\n");
        ContextHasher broken = new ContextHasher() {
            @Override
            public String id() {
                return "last-word-1";
            }

            @Override
            public ContextHash hash(HashInput input) {
                throw new IllegalStateException("asked");
            }
        };
        try (XMemStore store = XMem.builder(folder).hasher(broken).open()) {
            assertThat(store.search(Query.all().ctxHash("acme-quota")).total()).isEqualTo(1);
        }
    }

    @Test
    void open_readOnlyWithAnotherHasher_findsAndWritesNothing() throws IOException {
        try (XMemStore store = open(false, 4)) {
            store.recordFailure(
                    Failure.of("acme", "deploy", "exceeded the quota").patternAvoid("Ask first."));
        }
        try (XMemStore store =
                XMem.builder(folder).readOnly().hasher(new LastWord()).open()) {
            assertThat(recall(store).text()).contains("Ask first.");
        }
        assertThat(Files.readString(folder.resolve(".xmem/hashers")))
                .isEqualTo(XMem.hasher().id() + "\n");
    }

    @Test
    void recall_entryOfAReplicaWithAnotherHasher_isExact() throws IOException {
        Path shared = folder.resolve("shared");
        Path theirs = folder.resolve("theirs");
        try (XMemStore store = XMem.builder(theirs)
                .hasher(new LastWord())
                .sync(DirectoryBackend.at(shared))
                .open()) {
            store.recordFailure(Failure.of("acme", "deploy", "fatal: could not resolve host acme.example")
                    .patternAvoid("Use the mirror."));
            store.sync(Duration.ofSeconds(30));
        }
        try (XMemStore store = XMem.builder(folder.resolve("mine"))
                .sync(DirectoryBackend.at(shared))
                .open()) {
            store.sync(Duration.ofSeconds(30));
            Advice advice = store.recall(CALL, ToolError.text("fatal: could not resolve host other.example"));
            assertThat(advice.text()).contains("Use the mirror.");
            assertThat(advice.matches().get(0).matchType()).isEqualTo(Match.MatchType.EXACT);
        }
    }

    @Test
    void recall_storeOfTheFirstHasher_isReadByTheNewOne() throws IOException {
        Path log = folder.resolve("data/failures.jsonl");
        Files.createDirectories(log.getParent());
        Files.writeString(
                log,
                "{\"id\":\"2026-01-01-001\",\"ts\":\"2026-01-01T10:00:00Z\",\"type\":\"tool_failure\",\"tags\":[],\"tool\":\"acme\",\"action\":\"deploy\","
                        + "\"error\":\"fatal: could not resolve host acme.example\",\"ctx_hash\":\"acme-old-name\","
                        + "\"pattern_avoid\":\"Use the mirror.\"}\n");
        for (int i = 0; i < 2; i++) {
            try (XMemStore store = open(false, 4)) {
                Advice advice = store.recall(CALL, ToolError.text("fatal: could not resolve host other.example"));
                assertThat(advice.matches().get(0).matchType()).isEqualTo(Match.MatchType.EXACT);
                assertThat(store.search(Query.all().ctxHash("acme-old-name")).total())
                        .isEqualTo(1);
            }
        }
        assertThat(Files.readString(folder.resolve(".xmem/hashers"))).contains("slug-1\n");
    }
}

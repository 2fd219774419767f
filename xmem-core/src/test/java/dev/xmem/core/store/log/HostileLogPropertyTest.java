package dev.xmem.core.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.fixtures.Json;
import dev.xmem.core.write.EntryRoundTripPropertyTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/**
 * Any bytes as a log, and any text as a draft, give an entry, a counted malformed line or a typed exception, nothing
 * else.
 */
class HostileLogPropertyTest {
    private static final Path DIRECTORY = Path.of("/store");
    private static final List<String> LOGS =
            List.of("failures.jsonl", "successes.jsonl", "notes.jsonl", "memories.ndjson");
    private static final List<String> LINES = List.of(
            "{\"id\":\"2026-02-14-001\",\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"tool_failure\",\"tool\":\"rclone\","
                    + "\"action\":\"sync a:b /c\",\"error\":\"didn't find section\",\"pattern_avoid\":null,\"tried_also\":[\"x\"],"
                    + "\"block_level\":\"warning\",\"tags\":[\"a\",1,null,[\"b\"]],\"ctx_hash\":\"rclone-sync-x\",\"new\":{\"a\":[1]}}",
            "{\"id\":\"2026-02-14-002\",\"ts\":\"2026-02-14T17:00:00+01:00\",\"type\":\"tool_success\",\"tool\":\"git\","
                    + "\"pattern_name\":\"p\",\"key_steps\":[\"a\",\"b\"],\"critical_params\":{\"a\":1e5},\"confidence\":\"NaN\","
                    + "\"usage_count\":1e99,\"tags\":\"one\",\"ctx_hash\":\"git-commit-heredoc\"}",
            "{\"ts\":\"2026-02-14T17:00:00Z\",\"type\":\"note\",\"content\":\"User prefers Python.\",\"tags\":null,\"meta\":{}}",
            "{\"id\":\"2026-02-14-003\",\"ts\":1771086600,\"type\":[],\"tool\":{\"a\":true},\"error\":7,\"future\":\"kind\"}",
            "{\"id\":\"2026-02-14-004\",\"ts\":\"2026-02-14T17:00:00Z\",\"scope\":\"local\",\"kind\":\"rule\",\"triple\":"
                    + "{\"subject\":\"user\",\"predicate\":\"prefers\",\"object\":\"tabs\"},\"canonical\":\"User prefers tabs.\","
                    + "\"strength\":1,\"source\":\"user_direct\",\"tags\":[],\"dedupe_key\":\"user|prefers|tabs\"}");

    private static Arbitrary<byte[]> valid() {
        return Arbitraries.of(LINES).map(line -> line.getBytes(StandardCharsets.UTF_8));
    }

    private static Arbitrary<byte[]> mutated() {
        return Combinators.combine(
                        valid(),
                        Arbitraries.randomValue(Random::nextLong),
                        Arbitraries.integers().between(1, 4))
                .as(HostileLogPropertyTest::mutate);
    }

    private static byte[] mutate(byte[] line, long seed, int times) {
        Random random = new Random(seed);
        byte[] changed = line.clone();
        for (int i = 0; i < times && changed.length > 1; i++) {
            int at = random.nextInt(changed.length);
            switch (random.nextInt(4)) {
                case 0 -> changed[at] = (byte) random.nextInt();
                case 1 -> changed[at] = (byte) "{}[]\",:\\\n\r0-.eE".charAt(random.nextInt(15));
                case 2 -> changed = Arrays.copyOf(changed, at);
                default -> changed = Arrays.copyOfRange(changed, at, changed.length);
            }
        }
        return changed;
    }

    @Provide
    Arbitrary<byte[]> files() {
        Arbitrary<byte[]> ends = Arbitraries.of("\n", "\n", "\n", "\r\n", "", "\n\n", " \n", "\0\n")
                .map(end -> end.getBytes(StandardCharsets.UTF_8));
        Arbitrary<byte[]> parts = Arbitraries.frequencyOf(
                Tuple.of(4, valid()),
                Tuple.of(5, mutated()),
                Tuple.of(1, Arbitraries.bytes().array(byte[].class).ofMaxSize(60)),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(30).map(text -> text.getBytes(StandardCharsets.UTF_8))));
        return Combinators.combine(parts, ends)
                .as(HostileLogPropertyTest::join)
                .list()
                .ofMaxSize(8)
                .map(all -> all.stream().reduce(new byte[0], HostileLogPropertyTest::join));
    }

    private static byte[] join(byte[] a, byte[] b) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(a);
        both.writeBytes(b);
        return both.toByteArray();
    }

    private static byte[] content(FileSystem disk, Path file) {
        try {
            FileSystem.Stat stat = disk.stat(file);
            byte[] bytes = new byte[stat == null ? 0 : (int) stat.length()];
            if (bytes.length > 0) {
                try (FileSystem.Input source = disk.open(file)) {
                    source.read(0, bytes, 0, bytes.length);
                }
            }
            return bytes;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
    void open_anyBytesAsALog_answersAppendsAndKeepsThem(@ForAll("files") byte[] bytes, @ForAll("names") String name)
            throws IOException {
        FileSystem disk = new InMemoryFileSystem();
        Path log = DIRECTORY.resolve("data").resolve(name);
        disk.replace(log, bytes);
        long entries;
        long malformed;
        try (XMemStore store = TestStores.builder(DIRECTORY, disk).open()) {
            useAll(store);
            checkValidLines(store, bytes);
            store.recordAll(List.of(Failure.of("git", "push", "own"), Note.of("note", "own")));
            store.recordAll(
                    List.of(JsonDraft.of("{\"type\":\"tool_success\",\"tool\":\"git\",\"pattern_name\":\"own\"}")));
            useAll(store);
            checkValidLines(store, bytes);
            entries = store.search(Query.all()).total();
            malformed = store.stats().malformedLines();
            store.flush();
            Json.object(content(disk, DIRECTORY.resolve("data/index.json")));
        }
        byte[] after = content(disk, log);
        assertThat(Arrays.copyOf(after, bytes.length)).isEqualTo(bytes);
        try (XMemStore again = TestStores.builder(DIRECTORY, disk).open()) {
            useAll(again);
            assertThat(again.search(Query.all()).total()).isEqualTo(entries);
            if (!name.equals("memories.ndjson")) {
                assertThat(again.stats().malformedLines()).isEqualTo(malformed);
            }
        }
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.of(LOGS);
    }

    /** Every valid line that is a whole line of the file is found with its exact bytes. */
    private static void checkValidLines(XMemStore store, byte[] bytes) {
        List<String> all = store.search(Query.all()).matches().stream()
                .map(Match::entry)
                .map(Entry::json)
                .toList();
        String text = "\n" + new String(bytes, StandardCharsets.ISO_8859_1) + "\n";
        for (String line : LINES) {
            boolean directive = line.contains("dedupe_key");
            if (text.contains("\n" + line + "\n") && !directive) {
                assertThat(all).contains(line);
            }
        }
    }

    private static void useAll(XMemStore store) {
        for (Match match : store.search(Query.all()).matches()) {
            Entry entry = match.entry();
            assertThat(entry.id()).isNotBlank();
            assertThat(entry.ts()).isNotNull();
            assertThat(entry.tags()).doesNotContainNull();
            assertThat(entry.json()).isNotEmpty();
            useFields(entry);
            try {
                assertThat(store.find(entry.id())).isPresent();
            } catch (XMemException.AmbiguousId e) {
                assertThat(e.candidates()).hasSizeGreaterThan(1);
            }
        }
        assertThat(store.search(Query.words("python section tabs")).text()).isNotNull();
        assertThat(store.search(Query.literal("a")).text()).isNotNull();
        assertThat(store.search(Query.regex("[a-z]+")).text()).isNotNull();
        assertThat(store.recall(ToolCall.shell("rclone sync a:b /c"), ToolError.text("didn't find section"))
                        .text())
                .isNotNull();
        assertThat(store.stats().text()).isNotBlank();
        assertThat(store.verify().lines()).isNotNegative();
    }

    private static void useFields(Entry entry) {
        if (entry instanceof Failure failure) {
            assertThat(failure.tool() + failure.action() + failure.error() + failure.ctxHash())
                    .isNotNull();
            assertThat(failure.triedAlso()).doesNotContainNull();
            assertThat(failure.blockLevel()).isNotNull();
        } else if (entry instanceof Success success) {
            assertThat(success.confidence()).isBetween(0.0, 1.0);
            assertThat(success.usageCount()).isNotNegative();
            assertThat(success.criticalParams()).startsWith("{");
            assertThat(success.keySteps()).doesNotContainNull();
        } else if (entry instanceof Note note) {
            assertThat(note.type() + note.content()).isNotNull();
        } else if (entry instanceof Directive directive) {
            assertThat(directive.strength()).isPositive();
            assertThat(directive.triple()).isNotNull();
            assertThat(directive.confirmation()).isNotBlank();
        }
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                valid().map(line -> new String(line, StandardCharsets.UTF_8)),
                mutated().map(line -> new String(line, StandardCharsets.UTF_8)),
                mutated().map(line -> new String(line, StandardCharsets.UTF_8)),
                EntryRoundTripPropertyTest.texts(),
                EntryRoundTripPropertyTest.texts()
                        .map(text -> "{\"type\":\"tool_failure\",\"tool\":\"x\",\"error\":\"e\",\""
                                + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\":1}"),
                Arbitraries.of(
                        "{\"type\":\"tool_failure\",\"tool\":\"x\",\"error\":\"\\ud800\",\"\\udc00\":1}",
                        "{\"type\":\"tool_failure\",\"tool\":\"x\",\"error\":1,\"exit_code\":1e400}",
                        "{\"type\":\"tool_success\",\"tool\":\"x\",\"pattern_name\":\"p\",\"confidence\":1e-400}",
                        "{\"type\":\"tool_success\",\"tool\":\"x\",\"pattern_name\":\"p\",\"usage_count\":99999999999999999999}",
                        "{\"type\":\"note\",\"content\":\"x\",\"ts\":\"+999999999-12-31T23:59:59Z\"}",
                        "{\"type\":\"note\",\"content\":\"x\",\"ts\":\"0000-01-01T00:00:00Z\"}",
                        "{\"type\":\"note\",\"type\":\"fact\",\"content\":\"x\",\"content\":null}"));
    }

    @Property(tries = 600, shrinking = ShrinkingMode.BOUNDED)
    void record_anyTextAsADraft_isStoredOrRefusedWithATypedError(@ForAll("texts") String json) {
        try (XMemStore store = XMem.inMemory()) {
            try {
                Entry entry = store.recordAll(List.of(JsonDraft.of(json))).get(0);
                assertThat(store.find(entry.id())).isPresent();
                assertThat(Json.object(entry.json())).isNotEmpty();
            } catch (XMemException.Invalid | XMemException.Limit | XMemException.DuplicateId | XMemException.Secret e) {
                assertThat(e).hasMessageMatching("(?s).+");
                assertThat(store.search(Query.all()).total()).isZero();
            }
            store.flush();
            useAll(store);
        }
    }
}

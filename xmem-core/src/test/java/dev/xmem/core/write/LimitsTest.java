package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Limits;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An entry larger than a limit is refused with both figures, and nothing is written. */
class LimitsTest {
    private static final Limits DEFAULTS = Limits.defaults();

    @TempDir
    Path directory;

    private void isRefused(Limits limits, EntryDraft draft, long found, long limit) {
        try (XMemStore store = XMem.builder(directory).limits(limits).open()) {
            assertThatThrownBy(() -> store.recordAll(List.of(Note.of("note", "of the same batch"), draft)))
                    .isInstanceOfSatisfying(XMemException.Limit.class, e -> {
                        assertThat(e.found()).isEqualTo(found);
                        assertThat(e.limit()).isEqualTo(limit);
                        assertThat(e)
                                .hasMessageContaining(String.valueOf(found))
                                .hasMessageContaining(String.valueOf(limit));
                    });
        }
        assertThat(logs()).isEmpty();
    }

    private void isTaken(Limits limits, EntryDraft draft) {
        try (XMemStore store = XMem.builder(directory).limits(limits).open()) {
            assertThat(store.recordAll(List.of(draft))).hasSize(1);
        }
    }

    private List<Path> logs() {
        try (Stream<Path> files = Files.list(directory.resolve("data"))) {
            return files.filter(file -> file.toString().endsWith(".jsonl")).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String deep(int depth) {
        return "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
    }

    private static String[] texts(int n) {
        return Collections.nCopies(n, "x").toArray(String[]::new);
    }

    @Test
    void field_tooLong_isRefused() {
        isRefused(DEFAULTS, Note.of("note", "é".repeat(131_073)), 262_146, 262_144);
        isTaken(DEFAULTS, Note.of("note", "é".repeat(131_072)));
    }

    @Test
    void field_unknownAndTooLong_isRefused() {
        String json = "{\"type\":\"note\",\"content\":\"x\",\"more\":\"%s\"}";
        isRefused(DEFAULTS.fieldBytes(100), JsonDraft.of(json.formatted("y".repeat(101))), 101, 100);
        isTaken(DEFAULTS.fieldBytes(100), JsonDraft.of(json.formatted("y".repeat(100))));
    }

    @Test
    void line_tooLong_isRefused() {
        Failure.Draft draft = Failure.of("git", "push", "x").notes("n".repeat(200));
        int length;
        try (XMemStore store = XMem.inMemory()) {
            length = store.recordFailure(draft).json().length();
        }
        try (XMemStore store =
                XMem.builder(directory).limits(DEFAULTS.lineBytes(length - 30)).open()) {
            assertThatThrownBy(() -> store.recordFailure(draft)).isInstanceOf(XMemException.Limit.class);
            assertThat(store.stats().failures()).isZero();
        }
        assertThat(logs()).isEmpty();
        isTaken(DEFAULTS.lineBytes(length + 30), draft);
    }

    @Test
    void line_asLongAsAllowed_isFoundAgain() {
        int[] length = {0};
        try (XMemStore store = XMem.open(directory)) {
            Note.Draft draft = Note.of("note", "x".repeat(1000));
            length[0] = store.writeNote(draft).json().length();
        }
        try (XMemStore store =
                XMem.builder(directory).limits(DEFAULTS.lineBytes(length[0])).open()) {
            assertThat(store.stats().notes()).isEqualTo(1);
            assertThat(store.stats().malformedLines()).isZero();
        }
        try (XMemStore store = XMem.builder(directory)
                .limits(DEFAULTS.lineBytes(length[0] - 1))
                .open()) {
            assertThat(store.stats().notes()).isZero();
            assertThat(store.stats().malformedLines()).isEqualTo(1);
        }
    }

    @Test
    void line_withTheLargestLimitThereIs_isFoundAgain() {
        Limits limits = DEFAULTS.lineBytes(Integer.MAX_VALUE);
        isTaken(limits, Failure.of("git", "push", "x"));
        try (XMemStore store = XMem.builder(directory).limits(limits).open()) {
            assertThat(store.stats().failures()).isEqualTo(1);
            assertThat(store.stats().malformedLines()).isZero();
        }
    }

    @Test
    void tags_tooMany_areRefused() {
        isRefused(DEFAULTS, Failure.of("git", "push", "x").tags(texts(65)), 65, 64);
        isTaken(DEFAULTS, Failure.of("git", "push", "x").tags(texts(64)));
    }

    @Test
    void tag_tooLong_isRefused() {
        isRefused(DEFAULTS, Failure.of("git", "push", "x").tags("t".repeat(129)), 129, 128);
        isTaken(DEFAULTS, Failure.of("git", "push", "x").tags("t".repeat(128)));
    }

    @Test
    void list_tooLong_isRefused() {
        isRefused(DEFAULTS, Failure.of("git", "push", "x").triedAlso(texts(257)), 257, 256);
        isRefused(DEFAULTS, Success.of("git", "x").keySteps(texts(257)), 257, 256);
        isTaken(DEFAULTS, Success.of("git", "x").keySteps(texts(256)));
    }

    @Test
    void nesting_tooDeep_isRefused() {
        isRefused(DEFAULTS, Success.of("git", "x").criticalParams(deep(33)), 33, 32);
        isRefused(DEFAULTS, Note.of("note", "x").meta(deep(40)), 40, 32);
        isRefused(DEFAULTS, JsonDraft.of("{\"type\":\"note\",\"content\":\"x\",\"meta\":" + deep(32) + "}"), 33, 32);
        isTaken(DEFAULTS, Success.of("git", "x").criticalParams(deep(32)));
    }

    /** The parser stops at its own limit, which is neither the depth of the object nor the limit of the store. */
    @Test
    void nesting_deeperThanTheParserReads_isReportedWithItsDepth() {
        isRefused(DEFAULTS, Note.of("note", "x").meta(deep(5_000)), 5_000, 32);
        isRefused(DEFAULTS, JsonDraft.of("{\"type\":\"note\",\"content\":\"x\",\"meta\":" + deep(300) + "}"), 301, 32);
        isRefused(DEFAULTS.nesting(1_000), Note.of("note", "x").meta(deep(300)), 300, 256);
        isTaken(DEFAULTS, Note.of("note", "x").meta("{\"a\":\"" + "[{\\\"".repeat(40) + "\"}"));
    }

    @Test
    void nesting_veryDeep_isRefusedWithoutHarm() {
        try (XMemStore store = XMem.open(directory)) {
            for (String json : List.of(deep(5_000), "[".repeat(100_000), "{\"a\":".repeat(100_000))) {
                assertThatThrownBy(() -> store.writeNote(Note.of("note", "x").meta(json)))
                        .isInstanceOfAny(XMemException.Limit.class, XMemException.Invalid.class);
                assertThatThrownBy(() -> store.recordAll(List.of(JsonDraft.of(json))))
                        .isInstanceOfAny(XMemException.Limit.class, XMemException.Invalid.class);
            }
        }
        assertThat(logs()).isEmpty();
    }

    @Test
    void store_full_isRefused() throws IOException {
        try (XMemStore store =
                XMem.builder(directory).limits(DEFAULTS.storeBytes(1_000)).open()) {
            long room = 1_000;
            while (room > 0) {
                room -= store.recordFailure(Failure.of("git", "push", "x"))
                                .json()
                                .length()
                        + 1;
                room = room < 260 ? 0 : room;
            }
            long bytes = Files.size(directory.resolve("data/failures.jsonl"));
            assertThatThrownBy(() -> store.recordSuccess(Success.of("git", "x".repeat(300))))
                    .isInstanceOfSatisfying(
                            XMemException.Limit.class,
                            e -> assertThat(e)
                                    .hasMessageEndingWith(
                                            "Compact the store, purge entries, or raise Limits.storeBytes.")
                                    .extracting(XMemException.Limit::limit)
                                    .isEqualTo(1_000L));
            assertThatThrownBy(() -> store.writeNote(Note.of("note", "x".repeat(300))))
                    .isInstanceOf(XMemException.Limit.class);
            assertThat(directory.resolve("data/failures.jsonl")).hasSize(bytes);
        }
    }

    @Test
    void store_fullOfNotes_isRefused() {
        try (XMemStore store =
                XMem.builder(directory).limits(DEFAULTS.storeBytes(1_000)).open()) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            store.writeNote(Note.of("note", "x".repeat(100)));
                        }
                    })
                    .isInstanceOf(XMemException.Limit.class);
            assertThat(directory.resolve("data/notes.jsonl").toFile().length()).isBetween(500L, 1_000L);
        }
    }
}

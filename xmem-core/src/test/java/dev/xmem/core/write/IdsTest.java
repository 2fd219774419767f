package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which ids and times entries are given, and which of their own they keep. */
class IdsTest {
    @TempDir
    Path directory;

    private Instant now = Instant.parse("2026-02-14T16:30:00Z");

    private XMemStore open() {
        return XMem.builder(directory).clock(() -> now).open();
    }

    private static Failure failure(XMemStore store) {
        return store.recordFailure(Failure.of("git", "push", "rejected"));
    }

    private static JsonDraft json(String more) {
        return JsonDraft.of("{\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"rejected\"" + more + "}");
    }

    private static Entry record(XMemStore store, EntryDraft draft) {
        return store.recordAll(List.of(draft)).get(0);
    }

    private void foreign(String... lines) throws IOException {
        Files.createDirectories(directory.resolve("data"));
        Path log = directory.resolve("data/failures.jsonl");
        Files.write(log, List.of(lines), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void record_failuresAndSuccesses_shareOneCounterOfTheDay() {
        try (XMemStore store = open()) {
            assertThat(failure(store).id()).isEqualTo("2026-02-14-001");
            assertThat(store.recordSuccess(Success.of("git", "push -u")).id()).isEqualTo("2026-02-14-002");
            assertThat(store.writeNote(Note.of("note", "no id")).json()).doesNotContain("\"id\"");
            assertThat(failure(store).id()).isEqualTo("2026-02-14-003");
        }
        try (XMemStore again = open()) {
            assertThat(failure(again).id()).isEqualTo("2026-02-14-004");
        }
    }

    @Test
    void record_moreThan999OnADay_goesOnWithFourDigits() {
        try (XMemStore store = open()) {
            record(store, json(",\"id\":\"2026-02-14-998\""));
            assertThat(failure(store).id()).isEqualTo("2026-02-14-999");
            assertThat(failure(store).id()).isEqualTo("2026-02-14-1000");
            assertThat(failure(store).id()).isEqualTo("2026-02-14-1001");
        }
        try (XMemStore again = open()) {
            assertThat(failure(again).id()).isEqualTo("2026-02-14-1002");
        }
    }

    @Test
    void record_theHighestNumberThereIs_neverGivesAnIdTwice() throws IOException {
        foreign("{\"id\":\"2026-02-14-999999999\",\"type\":\"tool_failure\",\"tool\":\"x\",\"error\":\"y\"}");
        List<String> ids = new ArrayList<>();
        try (XMemStore store = open()) {
            for (int i = 0; i < 3; i++) {
                ids.add(failure(store).id());
            }
        }
        try (XMemStore again = open()) {
            ids.add(failure(again).id());
        }
        assertThat(ids).doesNotHaveDuplicates().doesNotContain("2026-02-14-999999999");
    }

    @Test
    void record_theNextDay_beginsAgainAtOne() {
        try (XMemStore store = open()) {
            failure(store);
            now = Instant.parse("2026-02-14T23:59:59.999Z");
            assertThat(failure(store).id()).isEqualTo("2026-02-14-002");
            now = Instant.parse("2026-02-15T00:00:00Z");
            assertThat(failure(store).id()).isEqualTo("2026-02-15-001");
        }
    }

    @Test
    void record_clockGoesBack_keepsTimeAndDay() {
        try (XMemStore store = open()) {
            now = Instant.parse("2026-02-15T00:00:01Z");
            Failure before = failure(store);
            now = Instant.parse("2026-02-14T23:59:59Z");
            Failure after = failure(store);
            assertThat(after.ts()).isEqualTo(before.ts());
            assertThat(after.id()).isEqualTo("2026-02-15-002");
        }
        try (XMemStore again = open()) {
            assertThat(failure(again).id()).isEqualTo("2026-02-15-003");
        }
    }

    @Test
    void record_foreignTimeFarInTheFuture_doesNotPushOurs() throws IOException {
        foreign("{\"id\":\"2099-01-01-001\",\"ts\":\"2099-01-01T00:00:00Z\",\"type\":\"tool_failure\","
                + "\"tool\":\"x\",\"error\":\"y\"}");
        try (XMemStore store = open()) {
            assertThat(failure(store).ts()).isEqualTo(now);
            record(store, json(",\"ts\":\"2098-01-01T00:00:00Z\""));
            Failure after = failure(store);
            assertThat(after.ts()).isEqualTo(now);
            assertThat(after.id()).startsWith("2026-02-14-");
        }
    }

    @Test
    void record_otherStoreIsABitAhead_isNotBeforeIt() {
        try (XMemStore store = open();
                XMemStore ahead = XMem.builder(directory)
                        .clock(() -> now.plus(Duration.ofSeconds(30)))
                        .open()) {
            failure(store);
            Failure other = failure(ahead);
            Failure own = failure(store);
            assertThat(own.ts()).isEqualTo(other.ts());
        }
    }

    @Test
    void record_givenIdTimeAndHash_keepsThem() {
        String given = ",\"id\":\"2020-01-02-017\",\"ts\":\"2020-01-02T03:04:05Z\",\"ctx_hash\":\"git-push-x\"";
        try (XMemStore store = open()) {
            Failure entry = (Failure) record(store, json(given));
            assertThat(entry.id()).isEqualTo("2020-01-02-017");
            assertThat(entry.ts()).isEqualTo(Instant.parse("2020-01-02T03:04:05Z"));
            assertThat(entry.ctxHash()).isEqualTo("git-push-x");
            assertThat(failure(store).id()).isEqualTo("2026-02-14-001");
        }
    }

    @Test
    void record_givenIdOfToday_isCountedFrom() {
        try (XMemStore store = open()) {
            List<EntryDraft> batch =
                    List.of(json(""), json(",\"id\":\"2026-02-14-041\""), Failure.of("git", "pull", "x"));
            assertThat(store.recordAll(batch))
                    .extracting(Entry::id)
                    .containsExactly("2026-02-14-001", "2026-02-14-041", "2026-02-14-042");
        }
    }

    @Test
    void record_sameIdAndSameLine_isAcknowledgedAndStoredOnce() {
        JsonDraft draft = json(",\"id\":\"2026-02-14-007\"");
        try (XMemStore store = open()) {
            Entry first = record(store, draft);
            now = now.plusSeconds(60);
            assertThat(record(store, draft)).isEqualTo(first);
            assertThat(store.recordAll(List.of(draft, draft))).containsExactly(first, first);
        }
        try (XMemStore again = open()) {
            assertThat(record(again, draft).id()).isEqualTo("2026-02-14-007");
        }
        assertThat(Json.lines(directory.resolve("data/failures.jsonl"))).hasSize(1);
    }

    @Test
    void record_sameIdAndSameLineOfAnotherWriter_isAcknowledgedAndStoredOnce() throws IOException {
        String line = "{\"id\": \"2026-02-14-007\", \"ts\": \"2026-02-14T16:30:00Z\", \"type\": \"tool_failure\", "
                + "\"tool\": \"git\", \"error\": \"rejected\"}";
        foreign(line);
        try (XMemStore store = open()) {
            assertThat(record(store, JsonDraft.of(line)).id()).isEqualTo("2026-02-14-007");
        }
        assertThat(Json.lines(directory.resolve("data/failures.jsonl"))).hasSize(1);
    }

    @Test
    void record_sameIdAndAnotherLine_isRefused() {
        try (XMemStore store = open()) {
            record(store, json(",\"id\":\"2026-02-14-007\""));
            assertThatThrownBy(() -> record(store, json(",\"id\":\"2026-02-14-007\",\"notes\":\"other\"")))
                    .isInstanceOfSatisfying(
                            XMemException.DuplicateId.class,
                            e -> assertThat(e.id()).isEqualTo("2026-02-14-007"));
            JsonDraft success = JsonDraft.of(
                    "{\"type\":\"tool_success\",\"tool\":\"git\",\"pattern_name\":\"p\",\"id\":\"2026-02-14-007\"}");
            assertThatThrownBy(() -> record(store, success)).isInstanceOf(XMemException.DuplicateId.class);
        }
        assertThat(Json.lines(directory.resolve("data/failures.jsonl"))).hasSize(1);
    }

    @Test
    void recordAll_oneOfTheBatchIsRefused_writesNothing() {
        try (XMemStore store = open()) {
            record(store, json(",\"id\":\"2026-02-14-007\""));
            List<EntryDraft> batch = List.of(
                    Failure.of("a", "b", "c"),
                    Note.of("note", "d"),
                    json(",\"id\":\"2026-02-14-008\""),
                    json(",\"id\":\"2026-02-14-007\",\"notes\":\"other\""));
            assertThatThrownBy(() -> store.recordAll(batch)).isInstanceOf(XMemException.DuplicateId.class);
            assertThat(store.stats().failures()).isEqualTo(1);
            assertThat(store.stats().notes()).isZero();
            assertThat(failure(store).id()).isEqualTo("2026-02-14-008");
        }
        assertThat(directory.resolve("data/notes.jsonl")).doesNotExist();
    }

    @Test
    void record_malformedIds_areRefused() {
        List<String> ids =
                List.of("7", "2026-02-14-07", "2026-02-14-abc", "2026-02-14-001~ab", "note-1", " 2026-02-14-001");
        try (XMemStore store = open()) {
            for (String id : ids) {
                assertThatThrownBy(() -> record(store, json(",\"id\":\"" + id + "\"")))
                        .as(id)
                        .isInstanceOfSatisfying(
                                XMemException.Invalid.class,
                                e -> assertThat(e.field()).isEqualTo("id"));
            }
        }
    }

    @Test
    void find_twoLinesWithOneId_tellsThemApart() throws IOException {
        String line = "{\"id\":\"2026-02-14-001\",\"type\":\"tool_failure\",\"tool\":\"x\",\"error\":\"%s\"}";
        foreign(line.formatted("here"), line.formatted("there"), line.formatted("here"));
        try (XMemStore store = open()) {
            assertThat(store.stats().failures()).isEqualTo(2);
            assertThatThrownBy(() -> store.find("2026-02-14-001"))
                    .isInstanceOfSatisfying(
                            XMemException.AmbiguousId.class,
                            e -> assertThat(e.candidates())
                                    .hasSize(2)
                                    .allMatch(id -> id.startsWith("2026-02-14-001~"))
                                    .allMatch(id -> store.find(id).isPresent()));
            assertThat(record(store, JsonDraft.of(line.formatted("there"))).id())
                    .startsWith("2026-02-14-001~");
            assertThat(failure(store).id()).isEqualTo("2026-02-14-002");
        }
    }
}

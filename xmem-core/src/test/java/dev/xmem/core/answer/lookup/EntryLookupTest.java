package dev.xmem.core.answer.lookup;

import static dev.xmem.core.answer.search.Stores.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which entry an id, or the beginning of one, addresses. */
class EntryLookupTest {
    @TempDir
    Path directory;

    private static String failure(String id, String error) {
        return "{'id':'" + id + "','ts':'2026-01-01T00:00:00Z','type':'tool_failure','tool':'git','error':'" + error
                + "'}";
    }

    private static String success(String id, String name) {
        return "{'id':'" + id + "','ts':'2026-01-01T00:00:00Z','type':'tool_success','tool':'git','pattern_name':'"
                + name + "'}";
    }

    private static List<String> candidates(XMemStore store, String prefix) {
        List<String> candidates = new ArrayList<>();
        assertThatThrownBy(() -> store.find(prefix))
                .isInstanceOfSatisfying(XMemException.AmbiguousId.class, e -> candidates.addAll(e.candidates()))
                .hasMessageContaining("Give more of the id");
        return candidates;
    }

    @Test
    void find_idOfEachKind_isThatEntry() {
        try (XMemStore store = Stores.inMemory()) {
            Failure failure = store.recordFailure(Failure.of("git", "push", "x"));
            Success success = store.recordSuccess(Success.of("git", "y"));
            Note note = store.writeNote(Note.of("note", "z"));
            for (Entry entry : List.of(failure, success, note)) {
                assertThat(store.find(entry.id())).hasValueSatisfying(found -> {
                    assertThat(found.id()).isEqualTo(entry.id());
                    assertThat(found.kind()).isEqualTo(entry.kind());
                    assertThat(found.json()).isEqualTo(entry.json());
                });
            }
        }
    }

    @Test
    void find_unknown_isEmpty() {
        try (XMemStore store = Stores.inMemory()) {
            assertThat(store.find("2026-02-14-001")).isEmpty();
            store.recordFailure(Failure.of("git", "push", "x"));
            assertThat(store.find("2026-02-14-002")).isEmpty();
            assertThat(store.find("2026-02-14-0010")).isEmpty();
            assertThat(store.find("x")).isEmpty();
        }
    }

    @Test
    void emptyId_namesNoEntry() {
        try (XMemStore store = Stores.inMemory()) {
            Failure failure = store.recordFailure(Failure.of("git", "push", "x"));
            assertThat(store.find("")).isEmpty();
            assertThatThrownBy(() -> store.amend("", Amendment.pin()))
                    .isInstanceOf(XMemException.Invalid.class)
                    .hasMessageContaining("must not be empty");
            assertThatThrownBy(() -> store.amend(failure.id(), Amendment.supersededBy("")))
                    .isInstanceOf(XMemException.Invalid.class)
                    .hasMessageContaining("must not be empty");
            assertThatThrownBy(() -> store.reportOutcome("", Outcome.WORKED, "monday"))
                    .isInstanceOf(XMemException.Invalid.class)
                    .hasMessageContaining("must not be empty");
        }
    }

    @Test
    void find_unambiguousPrefix_isThatEntry() {
        append(directory, "failures.jsonl", failure("2026-01-01-001", "a"), failure("2026-02-01-001", "b"));
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.find("2026-02").map(Entry::id)).hasValue("2026-02-01-001");
        }
    }

    @Test
    void find_ambiguousPrefix_listsTheCandidatesOfAllLogs() {
        append(directory, "failures.jsonl", failure("2026-01-01-001", "a"), failure("2026-01-01-002", "b"));
        append(directory, "successes.jsonl", success("2026-01-01-003", "c"));
        try (XMemStore store = Stores.in(directory)) {
            assertThat(candidates(store, "2026-01"))
                    .containsExactlyInAnyOrder("2026-01-01-001", "2026-01-01-002", "2026-01-01-003");
        }
    }

    @Test
    void find_idThatIsAlsoAPrefix_isTheExactOne() {
        append(directory, "failures.jsonl", failure("2026-01-01-1000", "long"));
        append(directory, "successes.jsonl", success("2026-01-01-100", "short"));
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.find("2026-01-01-100").map(Entry::kind)).hasValue(Entry.Kind.SUCCESS);
            assertThat(store.find("2026-01-01-1000").map(Entry::kind)).hasValue(Entry.Kind.FAILURE);
        }
    }

    @Test
    void find_sameLineTwice_isOneEntry() {
        append(directory, "failures.jsonl", failure("2026-01-01-001", "a"), failure("2026-01-01-001", "a"));
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.find("2026-01-01-001").map(Entry::id)).hasValue("2026-01-01-001");
        }
    }

    @Test
    void find_twoLinesWithOneIdInALog_areToldApartByASuffix() {
        append(directory, "failures.jsonl", failure("2026-01-01-001", "one"), failure("2026-01-01-001", "two"));
        assertToldApart("one", "two");
    }

    @Test
    void find_twoLinesWithOneIdInTwoLogs_areToldApartByASuffix() {
        append(directory, "failures.jsonl", failure("2026-01-01-001", "one"));
        append(directory, "successes.jsonl", success("2026-01-01-001", "two"));
        assertToldApart("one", "two");
    }

    private void assertToldApart(String... texts) {
        try (XMemStore store = Stores.in(directory)) {
            List<String> candidates = candidates(store, "2026-01-01-001");
            assertThat(candidates)
                    .hasSize(2)
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id.matches("2026-01-01-001~[0-9a-f]{8}"));
            for (String text : texts) {
                String id = Stores.ids(store.search(Query.literal(text))).get(0);
                assertThat(candidates).contains(id);
                assertThat(store.find(id))
                        .map(Entry::json)
                        .hasValueSatisfying(json -> assertThat(json).contains(text));
                assertThat(store.find(id.substring(0, id.length() - 4)).map(Entry::id))
                        .hasValue(id);
            }
        }
    }

    @Test
    void find_noteById_isStableAcrossStores() {
        String id;
        try (XMemStore store = Stores.in(directory)) {
            id = store.writeNote(Note.of("fact", "walrus")).id();
            store.writeNote(Note.of("fact", "marmot"));
        }
        try (XMemStore store = Stores.in(directory)) {
            assertThat(id).matches("note-[0-9a-f]{16}");
            assertThat(store.find(id)).map(found -> ((Note) found).content()).hasValue("walrus");
            assertThat(store.find(id.substring(0, 12)).map(Entry::id)).hasValue(id);
        }
    }

    @Test
    void find_lineOfAnUnknownType_isFoundByItsId() {
        append(directory, "failures.jsonl", "{'id':'2026-01-01-009','ts':'2026-01-01T00:00:00Z','type':'tool_dream'}");
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.find("2026-01-01-009").map(Entry::kind)).hasValue(Entry.Kind.UNKNOWN);
        }
    }
}

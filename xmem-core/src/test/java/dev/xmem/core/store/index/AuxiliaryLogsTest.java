package dev.xmem.core.store.index;

import static dev.xmem.core.answer.search.Stores.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that are read and not appended to: archives by month, and what others published. */
class AuxiliaryLogsTest {
    private static final String LINE = "{'id':'%s','ts':'%sT10:00:00Z','type':'tool_failure','tool':'git',"
            + "'action':'push','error':'%s','tags':['vcs'],'ctx_hash':'git-push-x','session_id':null}";
    private static final String JANUARY = "archive/failures-2026-01.jsonl";
    private static final String PEER = "peers/5f3a9c01d2e4b687/failures.jsonl";

    @TempDir
    Path directory;

    private static String line(String day, int number, String error) {
        return LINE.formatted("%s-%03d".formatted(day, number), day, error);
    }

    private static String covering(String day, int number, String error, int occurrences, String covers) {
        return line(day, number, error).replace("}", ",'covers':[" + covers + "],'occurrences':" + occurrences + "}");
    }

    private void write(String log, String... lines) {
        try {
            Files.createDirectories(
                    directory.resolve("data").resolve(log).resolve("..").normalize());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Stores.append(directory, log, lines);
    }

    private XMemStore open() {
        return Stores.in(directory);
    }

    private static List<String> all(XMemStore store) {
        return ids(store.search(Query.all().order(Query.Order.NEWEST)));
    }

    @Test
    void archive_isThere_isSearchedRecalledFoundAndCounted() {
        write(JANUARY, line("2026-01-05", 1, "walrus refused"));
        write("failures.jsonl", line("2026-02-05", 1, "new refused"));
        try (XMemStore store = open()) {
            assertThat(all(store)).containsExactly("2026-02-05-001", "2026-01-05-001");
            assertThat(ids(store.search(Query.words("walrus")))).containsExactly("2026-01-05-001");
            assertThat(store.find("2026-01-05-001")).isPresent();
            assertThat(store.find("2026-01")).isPresent();
            assertThat(store.stats().failures()).isEqualTo(2);
            assertThat(store.stats().topTags(1)).isEqualTo(Map.of("vcs", 2L));
        }
        assertThat(index().get("total_entries")).hasToString("{failures=2, successes=0}");
    }

    @Test
    void archive_appearsAndChangesWhileTheStoreIsOpen_isSeen() throws IOException {
        try (XMemStore store = open()) {
            assertThat(all(store)).isEmpty();
            write(JANUARY, line("2026-01-05", 1, "one"));
            assertThat(all(store)).containsExactly("2026-01-05-001");
            write(JANUARY, line("2026-01-06", 1, "two"));
            assertThat(all(store)).containsExactly("2026-01-06-001", "2026-01-05-001");
            write("archive/successes-2025-12.jsonl", line("2025-12-06", 1, "three"));
            assertThat(all(store)).containsExactly("2026-01-06-001", "2026-01-05-001", "2025-12-06-001");
            Files.delete(directory.resolve("data").resolve(JANUARY));
            assertThat(all(store)).containsExactly("2025-12-06-001");
        }
    }

    @Test
    void line_standsInHotLogAndArchive_isOneEntryUntilTheHotOneIsGone() throws IOException {
        String one = line("2026-01-05", 1, "one");
        write(JANUARY, one, line("2026-01-06", 1, "two"));
        write("failures.jsonl", one, line("2026-02-05", 1, "three"));
        try (XMemStore store = open()) {
            List<String> each = List.of("2026-02-05-001", "2026-01-06-001", "2026-01-05-001");
            assertThat(all(store)).isEqualTo(each);
            assertThat(store.stats().failures()).isEqualTo(3);
            assertThat(store.stats().topTags(1)).isEqualTo(Map.of("vcs", 3L));
            store.flush();
            assertThat(index().get("total_entries")).hasToString("{failures=3, successes=0}");
            Path hot = directory.resolve("data/failures.jsonl");
            Path next = directory.resolve("next");
            Files.writeString(next, line("2026-02-05", 1, "three").replace('\'', '"') + "\n");
            Files.move(next, hot, StandardCopyOption.ATOMIC_MOVE);
            assertThat(all(store)).isEqualTo(each);
            assertThat(store.stats().failures()).isEqualTo(3);
        }
    }

    @Test
    void line_isAppendedToTheHotLogThoughItIsArchived_isOneEntry() {
        String one = line("2026-01-05", 1, "one");
        write(JANUARY, one);
        try (XMemStore store = open()) {
            assertThat(all(store)).hasSize(1);
            write("failures.jsonl", one);
            assertThat(all(store)).containsExactly("2026-01-05-001");
            assertThat(store.find("2026-01-05-001")).isPresent();
        }
    }

    @Test
    void line_ofTwoArchives_isOneEntry() {
        String one = line("2026-01-05", 1, "one");
        write(JANUARY, one);
        write("archive/failures-2025-12.jsonl", one, line("2025-12-05", 1, "two"));
        write("archive/failures-2026-03.jsonl", one);
        try (XMemStore store = open()) {
            assertThat(all(store)).containsExactly("2026-01-05-001", "2025-12-05-001");
        }
    }

    @Test
    void line_covers_hidesWhatItNamesAndWhatItReplaced() {
        String merged = covering("2026-01-07", 1, "one", 3, "'2026-01-05-001','2026-01-06-001'");
        write(JANUARY, line("2026-01-05", 1, "one"), merged);
        write("failures.jsonl", line("2026-01-06", 1, "one"), line("2026-01-07", 1, "one"));
        try (XMemStore store = open()) {
            assertThat(all(store)).containsExactly("2026-01-07-001");
            assertThat(store.stats().failures()).isEqualTo(1);
            assertThat(store.find("2026-01-07-001").orElseThrow().json()).contains("covers");
        }
    }

    @Test
    void line_coversOneOfAnotherFamilyOrThatHappenedMoreOften_doesNotHideIt() {
        write(
                "failures.jsonl",
                line("2026-01-05", 1, "one").replace("git-push-x", "git-push-y"),
                covering("2026-01-06", 1, "two", 5, "'2026-01-04-001'"),
                covering("2026-01-07", 1, "three", 2, "'2026-01-05-001','2026-01-06-001'"));
        try (XMemStore store = open()) {
            assertThat(all(store)).hasSize(3);
        }
    }

    @Test
    void lines_coverEachOther_oneIsShown() {
        write(
                "failures.jsonl",
                covering("2026-01-06", 1, "two", 2, "'2026-01-07-001'"),
                covering("2026-01-07", 1, "three", 3, "'2026-01-06-001'"));
        try (XMemStore store = open()) {
            assertThat(all(store)).containsExactly("2026-01-07-001");
            write("failures.jsonl", line("2026-01-06", 1, "two, as it was"));
            assertThat(all(store)).containsExactly("2026-01-07-001");
            write("failures.jsonl", covering("2026-01-08", 1, "four", 4, "'2026-01-07-001'"));
            assertThat(all(store)).containsExactly("2026-01-08-001");
        }
    }

    @Test
    void peer_isImported_isShownWithItsReplica() {
        write(PEER, line("2026-02-05", 1, "theirs"));
        write("failures.jsonl", line("2026-02-05", 1, "ours"));
        try (XMemStore store = open()) {
            assertThat(all(store)).containsExactly("2026-02-05-001", "2026-02-05-001@5f3a9c01");
            assertThat(store.find("2026-02-05-001").map(Entry::json).orElse("")).contains("ours");
            assertThat(store.find("2026-02-05-001@5f3a").map(Entry::json).orElse(""))
                    .contains("theirs");
            assertThat(store.find("2026-02-05-001@5f3a9c01").map(Entry::json).orElse(""))
                    .contains("theirs");
            assertThat(store.find("2026-02-05-001@0000")).isEmpty();
            ToolCall call = ToolCall.shell("git push");
            assertThat(store.recall(call, ToolError.exit(1, "x")).matches()).isEmpty();
            store.flush();
            assertThat(index().get("ctx_hash_index"))
                    .isEqualTo(Map.of("git-push-x", List.of("2026-02-05-001", "2026-02-05-001@5f3a9c01")));
            write(PEER, line("2026-02-06", 1, "theirs too"));
            write("peers/00ff/notes.jsonl", "{'ts':'2026-02-07T00:00:00Z','type':'note','content':'theirs as well'}");
            assertThat(all(store)).hasSize(4);
            assertThat(all(store).get(0)).startsWith("note-").endsWith("@00ff");
        }
    }

    @Test
    void peer_coversALineOfOurs_hidesOnlyItsOwn() {
        write("failures.jsonl", line("2026-02-05", 1, "ours"));
        write(PEER, line("2026-02-05", 1, "theirs"), covering("2026-02-06", 1, "theirs", 9, "'2026-02-05-001'"));
        try (XMemStore store = open()) {
            assertThat(all(store)).containsExactly("2026-02-06-001@5f3a9c01", "2026-02-05-001");
        }
    }

    @Test
    void peer_leadsOutOfTheStore_isNotRead(@TempDir Path elsewhere) throws IOException {
        Files.writeString(
                elsewhere.resolve("failures.jsonl"), line("2026-02-05", 1, "x").replace('\'', '"') + "\n");
        Files.createDirectories(directory.resolve("data/peers"));
        Files.createSymbolicLink(directory.resolve("data/peers/bad"), elsewhere);
        write(PEER, line("2026-02-05", 1, "theirs"));
        try (XMemStore store = open()) {
            assertThat(all(store)).containsExactly("2026-02-05-001@5f3a9c01");
        }
    }

    @Test
    void record_givenIdIsArchived_isRefusedUnlessTheLineIsTheSame() {
        write(JANUARY, line("2026-01-05", 1, "one"));
        try (XMemStore store = open()) {
            JsonDraft same = JsonDraft.of(line("2026-01-05", 1, "one").replace('\'', '"'));
            JsonDraft other = JsonDraft.of(line("2026-01-05", 1, "other").replace('\'', '"'));
            assertThat(store.recordAll(List.of(same)).get(0).id()).isEqualTo("2026-01-05-001");
            assertThatThrownBy(() -> store.recordAll(List.of(other))).isInstanceOf(XMemException.DuplicateId.class);
            assertThat(all(store)).hasSize(1);
            assertThat(directory.resolve("data/failures.jsonl")).doesNotExist();
        }
    }

    @Test
    void mint_theHighestIdOfTheDayIsCovered_goesOnAfterIt() {
        write("failures.jsonl", covering("2026-02-14", 2, "one", 2, "'2026-02-14-007'"));
        try (XMemStore store = open()) {
            assertThat(store.recordFailure(Failure.of("git", "push", "x")).id()).isEqualTo("2026-02-14-008");
        }
    }

    @Test
    void cursor_peersAreImportedMeanwhile_goesOn() {
        for (int i = 1; i <= 6; i++) {
            write("failures.jsonl", line("2026-02-0" + i, 1, "ours"));
            write(JANUARY, line("2026-01-0" + i, 1, "ours, older"));
        }
        try (XMemStore store = open()) {
            Query query = Query.all().order(Query.Order.NEWEST).limit(4);
            Page first = store.search(query);
            write(PEER, line("2026-02-05", 1, "theirs"));
            Page second = store.search(query.after(Objects.requireNonNull(first.cursor())));
            Page third = store.search(query.after(Objects.requireNonNull(second.cursor())));
            assertThat(ids(second))
                    .containsExactly("2026-02-02-001", "2026-02-01-001", "2026-01-06-001", "2026-01-05-001");
            assertThat(ids(third))
                    .containsExactly("2026-01-04-001", "2026-01-03-001", "2026-01-02-001", "2026-01-01-001");
            assertThat(third.cursor()).isNull();
        }
    }

    private Map<String, Object> index() {
        try {
            return Json.object(Files.readAllBytes(directory.resolve("data/index.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void verify_archivesAndReferences_saysWhatIsWrongAndWhere() {
        write(JANUARY, line("2026-01-05", 1, "one"), line("2026-02-05", 2, "misplaced"), "{broken");
        write(
                "failures.jsonl",
                line("2026-02-05", 1, "new"),
                "{'ts':'2026-02-06T00:00:00Z','type':'outcome','target':'2026-01-05-001','outcome':'worked','session_id':'s'}",
                "{'ts':'2026-02-06T00:00:00Z','type':'outcome','target':'2026-01-07-001','outcome':'worked','session_id':'s'}");
        try (XMemStore store = open()) {
            assertThat(store.verify().findings())
                    .hasSize(3)
                    .anyMatch(
                            finding -> finding.matches("failures-2026-01.jsonl at byte \\d+: ts is not in the month.*"))
                    .anyMatch(finding -> finding.matches("failures-2026-01.jsonl at byte \\d+: is not valid JSON.*"))
                    .anyMatch(finding -> finding.matches(
                            "failures.jsonl at byte \\d+: target names 2026-01-07-001, which does not exist"));
        }
    }

    @Test
    void verify_lineOfAPeer_namesThePeer() {
        write(PEER, "{broken");
        try (XMemStore store = open()) {
            assertThat(store.verify().findings())
                    .singleElement()
                    .asString()
                    .startsWith(PEER + " at byte 0: is not valid JSON");
        }
    }

    @Test
    void stats_manyLinesRepeatOthers_saysThatACompactionIsDue() {
        try (XMemStore store = open()) {
            for (int i = 0; i < 99; i++) {
                store.recordFailure(Failure.of("git", "push", "rejected"));
            }
            assertThat(store.stats().compactionDue()).isNull();
            store.recordFailure(Failure.of("git", "push", "rejected"));
            store.recordFailure(Failure.of("git", "push", "rejected"));
            assertThat(store.stats().compactionDue()).startsWith("100 of 101 lines repeat another within 7 days");
            assertThat(store.stats().text()).contains("Compaction is due: 100 of 101");
            store.compact(store.planCompaction(Retention.defaults()));
            assertThat(store.stats().compactionDue()).isNull();
        }
    }

    /** One look at the folder of the logs tells that nothing was added; it has to tell that something was. */
    @Test
    void logs_appearInAFolderThatWasQuiet_areSeen() throws IOException {
        write("failures.jsonl", line("2026-02-05", 1, "one"));
        Path data = directory.resolve("data");
        try (XMemStore store = open()) {
            List<String> seen = new ArrayList<>(List.of("2026-02-05-001"));
            for (String log : List.of("archive/failures-2026-01.jsonl", "successes.jsonl", PEER)) {
                Files.setLastModifiedTime(data, FileTime.fromMillis(1_000_000L + seen.size()));
                assertThat(all(store)).containsExactlyInAnyOrderElementsOf(seen);
                assertThat(all(store)).containsExactlyInAnyOrderElementsOf(seen);
                write(log, line("2026-01-0" + seen.size(), 1, "x"));
                seen.add("2026-01-0" + seen.size() + "-001" + (log.equals(PEER) ? "@5f3a9c01" : ""));
                assertThat(all(store)).containsExactlyInAnyOrderElementsOf(seen);
            }
        }
    }
}

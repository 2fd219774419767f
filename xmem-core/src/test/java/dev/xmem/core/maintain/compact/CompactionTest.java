package dev.xmem.core.maintain.compact;

import static dev.xmem.core.answer.search.Stores.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Amendment;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a compaction removes, and what it keeps. */
class CompactionTest extends CompactionFixture {
    @Test
    void plan_duplicates_namesThemAndTouchesNothing() {
        hotTrio();
        String before = read("data/failures.jsonl");
        try (XMemStore store = open()) {
            CompactionPlan plan = store.planCompaction(DEFAULTS);
            assertThat(plan.removes().stream().map(match -> match.entry().id()))
                    .containsExactly("2026-02-10-001", "2026-02-11-001");
            assertThat(plan.removes().get(0).explanation())
                    .contains("2026-02-12-001")
                    .contains("7 days");
            assertThat(plan.text())
                    .contains("failures.jsonl at byte 0, 2026-02-10-001")
                    .contains("it covers 2 others");
            assertThat(read("data/failures.jsonl")).isEqualTo(before);
            assertThat(directory.resolve("data/backup")).doesNotExist();
        }
    }

    @Test
    void compact_duplicates_areOneLineThatKnowsAll() {
        hotTrio();
        String before = read("data/failures.jsonl");
        try (XMemStore store = open()) {
            CompactionReport report = compact(store, DEFAULTS);
            assertThat(report.removed()).isEqualTo(2);
            assertThat(report.completed()).isTrue();
            assertThat(all(store)).containsExactly("2026-02-12-001");
            Map<String, Object> line = Json.object(read("data/failures.jsonl").stripTrailing());
            assertThat(line)
                    .containsEntry("id", "2026-02-12-001")
                    .containsEntry("covers", List.of("2026-02-11-001", "2026-02-10-001"))
                    .containsEntry("tried_also", List.of("b", "a"))
                    .containsEntry("sessions", List.of("s1", "s2", "s3"))
                    .containsEntry("pattern_avoid", "p2")
                    .containsEntry("further_advice", List.of("p1"))
                    .containsEntry("notes", "n2\nn1")
                    .containsEntry("block_level", "critical")
                    .containsEntry("first_ts", "2026-02-10T10:00:00Z")
                    .containsKey("x");
            assertThat(line.get("occurrences")).hasToString("3");
            assertThat(report.backup().resolve("failures.jsonl")).hasContent(before);
            assertThat(store.stats().failures()).isEqualTo(1);
            assertThat(store.stats().lastCompaction()).isEqualTo(Stores.NOW);
            assertThat(Json.object(read("data/index.json")).get("total_entries"))
                    .hasToString("{failures=1, successes=0}");
            assertThat(store.find("2026-02-10-001").map(Entry::id)).contains("2026-02-12-001");
            assertThat(ids(store.search(Query.all().session("s1")))).containsExactly("2026-02-12-001");
        }
    }

    @Test
    void compact_oneHashOfSeveralOperations_keepsTheOperationsApart() {
        ToolError denied = ToolError.exit(254, "An error occurred (AccessDenied): Access Denied");
        ToolCall list = ToolCall.shell("gh pr list -R a/b");
        ToolCall describe = ToolCall.shell("gh run view 7");
        try (XMemStore store = open()) {
            for (String session : List.of("a", "b")) {
                store.recordFailure(Failure.of(ToolCall.shell("gh pr list -R a/" + session), denied)
                        .patternAvoid("Use the profile dev")
                        .sessionId(session));
            }
            for (String session : List.of("c", "d")) {
                store.recordFailure(Failure.of(describe, denied)
                        .patternAvoid("Assume the role")
                        .sessionId(session));
            }
            assertThat(store.stats().failures()).isEqualTo(4);
            assertThat(store.guard().before(list).text()).contains("Use the profile dev");
            compact(store, DEFAULTS);
            List<Map<String, Object>> lines =
                    read("data/failures.jsonl").lines().map(Json::object).toList();
            assertThat(lines).extracting("ctx_hash").containsOnly("gh-forbidden");
            assertThat(lines).extracting("sessions").containsExactly(List.of("a", "b"), List.of("c", "d"));
            assertThat(store.guard().before(list).text()).contains("Use the profile dev");
        }
    }

    @Test
    void compact_again_isTheSame() {
        hotTrio();
        try (XMemStore store = open()) {
            compact(store, DEFAULTS);
            String once = read("data/failures.jsonl");
            assertThat(store.planCompaction(DEFAULTS).removes()).isEmpty();
            compact(store, DEFAULTS);
            assertThat(read("data/failures.jsonl")).isEqualTo(once);
            hot(failure("2026-02-13-001", "2026-02-13T10:00:00Z", "'session_id':'s4'"));
            compact(store, DEFAULTS);
            Map<String, Object> line = Json.object(read("data/failures.jsonl").stripTrailing());
            assertThat(line.get("occurrences")).hasToString("4");
            assertThat((List<?>) line.get("covers")).hasSize(3);
        }
    }

    @Test
    void compact_otherSubjectHashOrTime_isLeftAlone() {
        hot(
                failure("2026-02-01-001", "2026-02-01T10:00:00Z", ""),
                failure("2026-02-10-001", "2026-02-10T10:00:00Z", "'subject':'a'"),
                failure("2026-02-11-001", "2026-02-11T10:00:00Z", "'subject':'b'"),
                failure("2026-02-12-001", "2026-02-12T10:00:00Z", "").replace("git-push-rejected", "git-push-other"),
                failure("2026-02-13-001", "2026-02-13T10:00:00Z", ""));
        String before = read("data/failures.jsonl");
        try (XMemStore store = open()) {
            assertThat(compact(store, DEFAULTS).removed()).isZero();
            assertThat(read("data/failures.jsonl")).isEqualTo(before);
        }
    }

    @Test
    void compact_brokenAndRepeatedLines_goToQuarantineAndAway() throws IOException {
        hot(failure("2026-02-01-001", "2026-02-01T10:00:00Z", ""), "{broken", "");
        hot(failure("2026-02-01-001", "2026-02-01T10:00:00Z", ""));
        try (XMemStore store = open()) {
            store.writeNote(Note.of("note", "x"));
            Stores.append(directory, "notes.jsonl", "{broken note");
            compact(store, DEFAULTS);
            assertThat(store.verify().findings()).singleElement().asString().contains("notes.jsonl");
            assertThat(read("data/failures.jsonl").strip())
                    .isEqualTo(failure("2026-02-01-001", "2026-02-01T10:00:00Z", "")
                            .replace('\'', '"'));
            assertThat(read("data/notes.jsonl")).contains("{broken note");
            try (Stream<Path> files = Files.list(directory.resolve(".xmem/quarantine"))) {
                assertThat(files.toList())
                        .singleElement()
                        .satisfies(file -> assertThat(file).hasContent("{broken\n"));
            }
        }
    }

    @Test
    void compact_oldEntries_moveToTheArchiveOfTheirMonth() {
        hot(
                failure("2025-10-01-001", "2025-10-01T10:00:00Z", "'session_id':'s1'"),
                failure("2025-10-02-001", "2025-10-02T10:00:00Z", "'session_id':'s2'"),
                failure("2025-11-01-001", "2025-11-01T10:00:00Z", ""),
                failure("2026-02-01-001", "2026-02-01T10:00:00Z", ""));
        try (XMemStore store = open()) {
            CompactionReport report = compact(store, DEFAULTS);
            assertThat(report.removed()).isEqualTo(3);
            assertThat(Json.lines(directory.resolve("data/failures.jsonl"))).hasSize(1);
            assertThat(Json.lines(directory.resolve("data/archive/failures-2025-10.jsonl")))
                    .singleElement()
                    .satisfies(line -> assertThat(line).containsEntry("covers", List.of("2025-10-01-001")));
            assertThat(Json.lines(directory.resolve("data/archive/failures-2025-11.jsonl")))
                    .hasSize(1);
            assertThat(all(store)).containsExactly("2026-02-01-001", "2025-11-01-001", "2025-10-02-001");
            assertThat(store.find("2025-10-01-001").map(Entry::id)).contains("2025-10-02-001");
            assertThat(store.stats().failures()).isEqualTo(3);
            assertThat(store.planCompaction(DEFAULTS).removes()).isEmpty();
            assertThat(store.verify().findings()).isEmpty();
        }
    }

    @Test
    void compact_pruneAfter_removesWhatNothingHappenedTo() {
        hot(
                failure("2025-10-01-001", "2025-10-01T10:00:00Z", "'subject':'recurs'"),
                failure("2025-10-02-001", "2025-10-02T10:00:00Z", "'subject':'stale'"),
                failure("2025-10-03-001", "2025-10-03T10:00:00Z", "'subject':'voted'"),
                failure("2025-10-04-001", "2025-10-04T10:00:00Z", "'subject':'pinned'"),
                failure("2026-02-01-001", "2026-02-01T10:00:00Z", "'subject':'recurs'"));
        Retention prune = DEFAULTS.pruneAfter(Duration.ofDays(60));
        try (XMemStore store = open()) {
            store.reportOutcome("2025-10-03-001", Outcome.WORKED, "s");
            store.amend("2025-10-04-001", Amendment.pin());
            assertThat(store.planCompaction(DEFAULTS.hotWindow(Duration.ofDays(1000)))
                            .removes())
                    .isEmpty();
            CompactionReport report = compact(store, prune);
            assertThat(all(store))
                    .containsExactlyInAnyOrder("2025-10-01-001", "2025-10-03-001", "2025-10-04-001", "2026-02-01-001");
            assertThat(report.backup().resolve("failures.jsonl")).content().contains("2025-10-02-001");
            compact(store, prune.pruneAfter(Duration.ofDays(1)));
            assertThat(all(store)).contains("2025-10-03-001", "2025-10-04-001").doesNotContain("2025-10-01-001");
        }
    }

    @Test
    void compact_votesOnWhatIsCovered_countForTheLineThatCoversIt() {
        hotTrio();
        try (XMemStore store = open()) {
            store.reportOutcome("2026-02-10-001", Outcome.WORKED, "v1");
            compact(store, DEFAULTS);
            assertThat(store.reportOutcome("2026-02-12-001", Outcome.WORKED, "v1"))
                    .isFalse();
            assertThat(store.reportOutcome("2026-02-10-001", Outcome.WORKED, "v2"))
                    .isTrue();
            assertThat(store.reportOutcome("2026-02-12-001", Outcome.WORKED, "v2"))
                    .isFalse();
        }
    }

    @Test
    void compact_lineThatIsThereTwice_isCounted() {
        String line = failure("2026-02-10-001", "2026-02-10T10:00:00Z", "");
        hot(line, line);
        try (XMemStore store = open()) {
            assertThat(compact(store, DEFAULTS).removed()).isEqualTo(1);
            assertThat(read("data/failures.jsonl").lines()).hasSize(1);
        }
    }

    @Test
    void compact_anotherCompactionCameFirst_isRefusedBeforeAnythingChanges() {
        hotTrio();
        try (XMemStore store = open()) {
            CompactionPlan plan = store.planCompaction(DEFAULTS);
            compact(store, DEFAULTS);
            String after = read("data/failures.jsonl");
            assertThatThrownBy(() -> store.compact(plan))
                    .isInstanceOf(XMemException.Invalid.class)
                    .hasMessage("plan is out of date: failures.jsonl was replaced since, as another compaction does."
                            + " Plan again.");
            assertThat(read("data/failures.jsonl")).isEqualTo(after);
        }
    }

    @Test
    void compact_parametersAreNoObject_joinsLinesThatHaveTheSameOnes() {
        for (int i = 1; i <= 3; i++) {
            Stores.append(
                    directory,
                    "successes.jsonl",
                    ("{'id':'2026-02-1%d-001','ts':'2026-02-1%dT10:00:00Z','type':'tool_success','tool':'git',"
                                    + "'critical_params':'%s','ctx_hash':'git-push'}")
                            .formatted(i, i, i == 1 ? "other" : "same"));
        }
        try (XMemStore store = open()) {
            assertThat(compact(store, DEFAULTS).removed()).isEqualTo(1);
            assertThat(all(store)).containsExactly("2026-02-13-001", "2026-02-11-001");
        }
    }

    /**
     * Of a family of 4,000 lines that contradict each other all would be compared with all, which is eight million
     * times.
     */
    @Test
    void plan_manyLinesContradictEachOther_leavesWhatWouldTakeTooLong() {
        try (XMemStore store = open()) {
            assertThat(contradicting(100)).isEqualTo(1);
            assertThat(contradicting(4_000)).isZero();
            assertThat(store.stats().failures()).isEqualTo(4_000 + 100);
        }
    }

    /** Returns how many of n lines with one hash would leave; only the oldest two can be merged. */
    private int contradicting(int lines) {
        String[] family = new String[lines];
        for (int i = 0; i < lines; i++) {
            String ts = Instant.parse("2026-02-10T10:00:00Z").plusSeconds(i).toString();
            family[i] = failure("2026-02-10-%04d".formatted(lines + i), ts, "'x':" + Math.max(1, i))
                    .replace("git-push-rejected", "git-push-" + lines);
        }
        hot(family);
        try (XMemStore store = open()) {
            return (int) store.planCompaction(DEFAULTS).removes().stream()
                    .filter(match -> match.entry().json().contains("git-push-" + lines))
                    .count();
        }
    }

    @Test
    void compact_inMemory_worksToo() {
        try (XMemStore store = Stores.inMemory()) {
            for (int i = 0; i < 5; i++) {
                store.recordFailure(Failure.of("git", "push", "rejected").sessionId("s" + i));
            }
            assertThat(compact(store, DEFAULTS).removed()).isEqualTo(4);
            assertThat(all(store)).hasSize(1);
        }
    }
}

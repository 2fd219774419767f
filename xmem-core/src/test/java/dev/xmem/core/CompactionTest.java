package dev.xmem.core;

import static dev.xmem.core.search.Stores.ids;
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
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.search.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a compaction removes, what it keeps, and how to take it back. */
class CompactionTest {
    private static final Retention DEFAULTS = Retention.defaults();

    @TempDir
    Path directory;

    private static String failure(String id, String ts, String more) {
        return ("{'id':'%s','ts':'%s','type':'tool_failure','tool':'git','action':'push','error':'rejected','tags':['vcs'],"
                        + "'ctx_hash':'git-push-rejected'%s}")
                .formatted(id, ts, more.isEmpty() ? "" : "," + more);
    }

    private void hot(String... lines) {
        Stores.append(directory, "failures.jsonl", lines);
    }

    private XMemStore open() {
        return Stores.in(directory);
    }

    private String read(String file) {
        try {
            return Files.readString(directory.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> all(XMemStore store) {
        return ids(store.search(Query.all().order(Query.Order.NEWEST)));
    }

    private static CompactionReport compact(XMemStore store, Retention retention) {
        return store.compact(store.planCompaction(retention));
    }

    private void hotTrio() {
        hot(
                failure("2026-02-10-001", "2026-02-10T10:00:00Z", "'tried_also':['a'],'notes':'n1','session_id':'s1'"),
                failure(
                        "2026-02-11-001",
                        "2026-02-11T10:00:00Z",
                        "'pattern_avoid':'p1','tried_also':['b'],'block_level':'critical','session_id':'s2'"),
                failure(
                        "2026-02-12-001",
                        "2026-02-12T10:00:00Z",
                        "'pattern_avoid':'p2','notes':'n2','session_id':'s3','x':{'kept':1}"));
    }

    @Test
    void plan_duplicates_namesThemAndTouchesNothing() {
        hotTrio();
        String before = read("data/failures.jsonl");
        try (XMemStore store = open()) {
            CompactionPlan plan = store.planCompaction(DEFAULTS);
            assertThat(plan.removes().stream().map(match -> match.entry().id()))
                    .containsExactly("2026-02-10-001", "2026-02-11-001");
            assertThat(plan.removes().get(0).because())
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
    void compact_planIsOutOfDate_isRefusedAndNothingChanges() {
        hotTrio();
        try (XMemStore store = open();
                XMemStore other = open()) {
            CompactionPlan plan = store.planCompaction(DEFAULTS);
            compact(other, DEFAULTS);
            String after = read("data/failures.jsonl");
            store.stats();
            assertThatThrownBy(() -> store.compact(plan))
                    .isInstanceOf(XMemException.Invalid.class)
                    .hasMessageContaining("Plan again");
            assertThat(read("data/failures.jsonl")).isEqualTo(after);
            assertThatThrownBy(() -> other.compact(plan)).isInstanceOf(XMemException.Invalid.class);
        }
    }

    @Test
    void compact_appendsSinceThePlan_areKept() {
        hotTrio();
        try (XMemStore store = open();
                XMemStore other = open()) {
            CompactionPlan plan = store.planCompaction(DEFAULTS);
            List<String> later = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                later.add((i % 2 == 0 ? store : other)
                        .recordFailure(Failure.of("npm", "install", "E" + i))
                        .id());
            }
            store.compact(plan);
            for (XMemStore each : List.of(store, other)) {
                assertThat(all(each)).containsAll(later).hasSize(later.size() + 1);
                later.add(each.recordFailure(Failure.of("npm", "ci", "x")).id());
                assertThat(all(each)).containsAll(later);
            }
        }
    }

    @Test
    void compact_lineThatWasDismissedSinceThePlan_hidesTheOneThatCoversIt() {
        hotTrio();
        try (XMemStore store = open()) {
            CompactionPlan plan = store.planCompaction(DEFAULTS);
            store.amend("2026-02-10-001", Amendment.dismiss("no more"));
            store.compact(plan);
            assertThat(all(store)).isEmpty();
            assertThat(store.find("2026-02-10-001"))
                    .hasValueSatisfying(entry -> assertThat(entry.json())
                            .contains("\"id\":\"2026-02-12-001\"", "\"dismissed\":\"no more\""));
            store.amend("2026-02-12-001", Amendment.pin());
            assertThat(all(store)).containsExactly("2026-02-12-001");
        }
    }

    @Test
    void compact_listenerSaysNo_endsWithTheStoreAsItWas() {
        hotTrio();
        String before = read("data/failures.jsonl");
        try (XMemStore store = open()) {
            CompactionReport report = store.compact(store.planCompaction(DEFAULTS), share -> share < 0.5);
            assertThat(report.completed()).isFalse();
            assertThat(report.removed()).isZero();
            assertThat(read("data/failures.jsonl")).isEqualTo(before);
            assertThat(all(store)).hasSize(3);
        }
    }

    private void noBackup(XMemStore store) {
        assertThat(store.stats().lastCompaction()).isNull();
        assertThat(directory.resolve("data/backup"))
                .satisfiesAnyOf(
                        folder -> assertThat(folder).doesNotExist(),
                        folder -> assertThat(folder).isEmptyDirectory());
    }

    @Test
    void compact_endedAtAnyStep_isNoCompactionAndLeavesNoBackup() {
        hotTrio();
        try (XMemStore store = open()) {
            for (double end : List.of(0.0, 0.3, 0.6)) {
                CompactionReport report = store.compact(store.planCompaction(DEFAULTS), share -> share < end);
                assertThat(report.completed()).isFalse();
                assertThat(report.backup()).isEqualTo(directory.resolve("data/backup"));
                noBackup(store);
            }
            assertThat(compact(store, DEFAULTS).completed()).isTrue();
            assertThat(store.stats().lastCompaction()).isEqualTo(Stores.NOW);
        }
    }

    @Test
    void compact_fails_isNoCompactionAndLeavesNoBackup() throws IOException {
        hotTrio();
        Path inTheWay = directory.resolve("data/failures.jsonl.compacting/x");
        Files.createDirectories(inTheWay);
        try (XMemStore store = open()) {
            CompactionPlan plan = store.planCompaction(DEFAULTS);
            assertThatThrownBy(() -> store.compact(plan)).isInstanceOf(XMemException.class);
            noBackup(store);
            Files.delete(inTheWay);
            assertThat(store.compact(plan).completed()).isTrue();
            assertThat(store.stats().lastCompaction()).isEqualTo(Stores.NOW);
        }
    }

    @Test
    void compact_afterACrash_removesTheUnfinishedBackup() throws IOException {
        hotTrio();
        Path unfinished = directory.resolve("data/backup/2026-02-13T10_00_00Z.unfinished");
        Files.createDirectories(unfinished.resolve("archive"));
        Files.writeString(unfinished.resolve("archive/failures-2026-01.jsonl"), "{}\n");
        try (XMemStore store = open()) {
            assertThat(store.stats().lastCompaction()).isNull();
            assertThatThrownBy(() -> store.restore(unfinished)).isInstanceOf(XMemException.Invalid.class);
            CompactionReport report = compact(store, DEFAULTS);
            assertThat(unfinished).doesNotExist();
            assertThat(report.backup()).isDirectoryContaining(file -> file.endsWith("failures.jsonl"));
        }
    }

    @Test
    void restore_compaction_bringsEveryLineBackAndKeepsWhatCameSince() {
        hotTrio();
        hot(
                failure("2025-10-01-001", "2025-10-01T10:00:00Z", "'session_id':'s1'"),
                failure("2025-10-02-001", "2025-10-02T10:00:00Z", "'session_id':'s2'"));
        String before = read("data/failures.jsonl");
        try (XMemStore store = open()) {
            List<String> each = all(store);
            CompactionReport report = compact(store, DEFAULTS);
            assertThat(all(store)).hasSize(2);
            String later = store.recordFailure(Failure.of("npm", "ci", "x")).id();
            CompactionReport restored = store.restore(report.backup());
            assertThat(restored.backup()).isNotEqualTo(report.backup());
            assertThat(read("data/failures.jsonl")).startsWith(before);
            assertThat(all(store)).hasSize(6).containsAll(each).contains(later);
            assertThat(store.verify().findings()).isEmpty();
            compact(store, DEFAULTS);
            assertThat(all(store)).hasSize(3);
            assertThatThrownBy(() -> store.restore(directory)).isInstanceOf(XMemException.Invalid.class);
        }
    }

    @Test
    void restore_logHasLinesTwice_bringsEveryLineBackOnce() {
        hotTrio();
        try (XMemStore store = open()) {
            CompactionReport report = compact(store, DEFAULTS);
            String made = read("data/failures.jsonl");
            Stores.appendRaw(directory, "failures.jsonl", made + "{broken\n" + made);
            store.restore(report.backup());
            assertThat(all(store)).containsExactly("2026-02-12-001", "2026-02-11-001", "2026-02-10-001");
            assertThat(read("data/failures.jsonl")).endsWith("}\n{broken\n");
        }
    }

    @Test
    void purge_ids_areGoneEverywhere() throws IOException {
        hotTrio();
        hot(
                failure("2025-10-01-001", "2025-10-01T10:00:00Z", ""),
                failure("2026-02-13-007", "2026-02-13T10:00:00Z", "").replace("git-push-rejected", "git-push-other"),
                "{broken 2026-02-13-007");
        try (XMemStore store = open()) {
            store.reportOutcome("2026-02-13-007", Outcome.WORKED, "v");
            CompactionReport report = compact(store, DEFAULTS);
            assertThat(store.purge(Set.of("2026-02-13-007", "2025-10-01-001", "2026-02-10-001", "2020-01-01-001")))
                    .isEqualTo(4);
            assertThat(all(store)).isEmpty();
            assertThat(report.backup().resolve("failures.jsonl")).content().contains("2026-02-13-007");
            store.purge(Set.of("2026-02-13-007"), true);
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .as(file.toString())
                            .doesNotContain("2026-02-13-007");
                }
            }
            assertThat(report.backup().resolve("failures.jsonl")).content().contains("2026-02-11-001");
        }
    }

    @Test
    void purge_note_isGone() {
        try (XMemStore store = open()) {
            Note note = store.writeNote(Note.of("note", "secret"));
            store.writeNote(Note.of("note", "other"));
            assertThat(store.purge(Set.of(note.id()))).isEqualTo(1);
            assertThat(read("data/notes.jsonl")).contains("other").doesNotContain("secret");
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

package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Advice;
import dev.xmem.CompactionReport;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Backups that come back, and entries that are erased. */
class RestorePurgeTest extends CompactionFixture {
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
    void restore_olderBackupThatWouldCountEntriesTwice_isRefusedUntilTheNewerOnesAreBack() {
        hot(
                failure("2026-02-01-001", "2026-02-01T10:00:00Z", ""),
                failure("2026-02-06-001", "2026-02-06T10:00:00Z", ""));
        try (XMemStore store = open()) {
            Path first = store.restore(compact(store, DEFAULTS).backup()).backup();
            hot(failure("2026-02-12-001", "2026-02-12T10:00:00Z", ""));
            Path second = compact(store, DEFAULTS).backup();
            assertThat(all(store)).containsExactly("2026-02-12-001", "2026-02-01-001");
            String before = read("data/failures.jsonl");
            assertThatThrownBy(() -> store.restore(first))
                    .isInstanceOf(XMemException.Invalid.class)
                    .hasMessageContaining("part of 2026-02-12-001 now. Restore the newer backups first");
            assertThat(read("data/failures.jsonl")).isEqualTo(before);
            store.restore(second);
            store.restore(first);
            assertThat(all(store)).containsExactly("2026-02-12-001", "2026-02-06-001");
            assertThat(store.find("2026-02-01-001").map(Entry::id)).contains("2026-02-06-001");
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
            Files.writeString(directory.resolve(".xmem/hooks.ndjson"), "{\"recorded\":\"2026-02-13-007\"}\n");
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
    void purge_failureThatSuccessesAnswer_leavesNoReferenceToIt() {
        try (XMemStore store = open()) {
            String gone =
                    store.recordFailure(Failure.of("git", "push", "rejected")).id();
            String kept = store.recordFailure(Failure.of("npm", "ci", "x")).id();
            Success.Draft draft = Success.of("git", "Pull first").keySteps("git pull");
            String both = store.recordSuccess(draft.answers(gone, kept)).id();
            String one = store.recordSuccess(draft.answers(gone)).id();
            store.reportOutcome(gone, Outcome.FAILED, "v");
            store.reportOutcome(one, Outcome.WORKED, "v");
            assertThat(store.purge(Set.of(gone))).isEqualTo(2);
            assertThat(store.verify().findings()).isEmpty();
            assertThat(read("data/successes.jsonl")).doesNotContain(gone);
            assertThat(store.find(both)).get().isInstanceOfSatisfying(Success.class, success -> {
                assertThat(success.answers()).containsExactly(kept);
                assertThat(success.keySteps()).containsExactly("git pull");
            });
            assertThat(store.find(one))
                    .get()
                    .isInstanceOfSatisfying(
                            Success.class,
                            success -> assertThat(success.answers()).isEmpty());
        }
        try (XMemStore again = open()) {
            assertThat(again.verify().findings()).isEmpty();
            assertThat(again.stats().successes()).isEqualTo(2);
        }
    }

    @Test
    void purge_withBackups_leavesNoReferenceInThem() throws IOException {
        hotTrio();
        try (XMemStore store = open()) {
            store.recordSuccess(Success.of("git", "Pull first").answers("2026-02-10-001"));
            Path backup = compact(store, DEFAULTS).backup();
            Files.writeString(backup.resolve("successes.jsonl"), read("data/successes.jsonl"));
            store.purge(Set.of("2026-02-10-001"), true);
            assertThat(store.verify().findings()).isEmpty();
            assertThat(backup.resolve("successes.jsonl"))
                    .content()
                    .contains("Pull first")
                    .doesNotContain("2026-02-10-001");
        }
    }

    @Test
    void purge_mergedEntryWithBackups_erasesWhatItWasMergedFrom() throws IOException {
        hotTrio();
        hot(failure("2026-02-13-007", "2026-02-13T10:00:00Z", "").replace("git-push-rejected", "git-push-other"));
        try (XMemStore store = open()) {
            Path backup = compact(store, DEFAULTS).backup();
            String merged = store.search(Query.all().ctxHash("git-push-rejected"))
                    .matches()
                    .get(0)
                    .entry()
                    .id();
            assertThat(store.purge(Set.of(merged), true)).isEqualTo(4);
            assertThat(backup.resolve("failures.jsonl")).content().doesNotContain("git-push-rejected");
            assertThat(all(store)).containsExactly("2026-02-13-007");
        }
    }

    @Test
    void purge_entryThatOnlyBackupsHave_countsItsLines() {
        hotTrio();
        try (XMemStore store = open()) {
            compact(store, DEFAULTS);
            store.purge(Set.of("2026-02-10-001"));
            assertThat(store.purge(Set.of("2026-02-10-001"), true)).isEqualTo(1);
            assertThat(store.purge(Set.of("2026-02-10-001"), true)).isZero();
        }
    }

    @Test
    void restore_afterAPurge_bringsSuccessesBackOnce() {
        hotTrio();
        try (XMemStore store = open()) {
            store.recordSuccess(Success.of("git", "Tag it"));
            store.recordSuccess(Success.of("git", "Tag it"));
            String kept = store.recordSuccess(Success.of("git", "Pull first").answers("2026-02-10-001"))
                    .id();
            Path backup = compact(store, DEFAULTS).backup();
            store.purge(Set.of("2026-02-10-001"));
            assertThat(store.find(kept)).isPresent();
            store.restore(backup);
            assertThat(store.stats().failures()).isEqualTo(3);
            assertThat(store.stats().successes()).isEqualTo(3);
            assertThat(store.find(kept))
                    .get()
                    .isInstanceOfSatisfying(
                            Success.class,
                            success -> assertThat(success.answers()).containsExactly("2026-02-10-001"));
            assertThat(store.verify().findings()).isEmpty();
        }
    }

    @Test
    void restore_backupWithoutThePurgedFailure_leavesAnAnswerToNothingThatIsNeverTold() {
        try (XMemStore store = open()) {
            String gone = store.recordFailure(Failure.of("git", "push", "fatal: quota exceeded on remote"))
                    .id();
            store.recordSuccess(Success.of("git", "Tag it"));
            store.recordSuccess(Success.of("git", "Tag it"));
            String kept = store.recordSuccess(
                            Success.of("git", "Pull first").signature("pull").answers(gone))
                    .id();
            Path backup = compact(store, DEFAULTS).backup();
            assertThat(backup.resolve("failures.jsonl")).doesNotExist();
            store.purge(Set.of(gone));
            store.restore(backup);

            assertThat(store.find(kept))
                    .get()
                    .isInstanceOfSatisfying(
                            Success.class,
                            success -> assertThat(success.answers()).containsExactly(gone));
            assertThat(store.verify().findings())
                    .singleElement()
                    .asString()
                    .contains("answers names " + gone + ", which does not exist");
            for (String error : List.of("fatal: quota exceeded on remote", "fatal: no such branch")) {
                String next =
                        store.recordFailure(Failure.of("git", "push", error)).id();
                assertThat(next).isGreaterThan(kept);
                Advice advice = store.recall(ToolCall.shell("git push"), ToolError.exit(1, error));
                assertThat(advice.text()).contains("seen 1×").doesNotContain("Pull first");
            }
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
    void purge_idsMadeFromLinesThatAreThereTwice_areGoneEverywhere() throws IOException {
        String nameless = failure("x", "2026-02-12T10:00:00Z", "'notes':'one'").replace("'id':'x',", "");
        String first = failure("2026-02-11-009", "2026-02-11T10:00:00Z", "'notes':'two'");
        String second = failure("2026-02-11-009", "2026-02-11T11:00:00Z", "'notes':'three'");
        hot(nameless, first, second);
        try (XMemStore store = open()) {
            Set<String> ids = Set.copyOf(all(store));
            assertThat(ids).hasSize(3).doesNotContain("2026-02-11-009");
            String log = read("data/failures.jsonl");
            hotTrio();
            Path backup = compact(store, DEFAULTS).backup();
            Files.writeString(backup.resolve("failures.jsonl"), log);
            Stores.appendRaw(directory, "failures.jsonl", log + log);
            store.purge(ids, true);
            assertThat(read("data/failures.jsonl")).doesNotContain("one").doesNotContain("two");
            assertThat(backup.resolve("failures.jsonl")).isEmptyFile();
            assertThat(store.verify().findings()).isEmpty();
        }
    }

    /**
     * A file system may give the number of a file that is gone to the next one, which is not the sealed one for that.
     */
    @Test
    void purge_twiceWhereFileNumbersComeAgain_verifyFindsNothing() {
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        disk.reusesNumbers = true;
        hotTrio();
        try (XMemStore store = TestStores.builder(directory, disk).open()) {
            store.flush();
            store.purge(Set.of("2026-02-10-001"));
            store.purge(Set.of("2026-02-11-001"));
            assertThat(store.verify().findings()).isEmpty();
            store.flush();
            assertThat(store.verify().findings()).isEmpty();
        }
    }
}

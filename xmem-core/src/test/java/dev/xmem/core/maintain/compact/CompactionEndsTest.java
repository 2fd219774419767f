package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Amendment;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Failure;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A compaction beside appends, refused, ended or failed. */
class CompactionEndsTest extends CompactionFixture {
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
    void compact_logIsReplacedMeanwhile_isRefusedAndNothingChanges() {
        hotTrio();
        Path log = directory.resolve("data/failures.jsonl");
        String other = read("data/failures.jsonl")
                + failure("2026-02-13-009", "2026-02-13T10:00:00Z", "").replace('\'', '"') + "\n";
        try (XMemStore store = open()) {
            CompactionPlan plan = store.planCompaction(DEFAULTS);
            assertThatThrownBy(() -> store.compact(plan, share -> {
                        try {
                            Files.move(
                                    Files.writeString(directory.resolve("other"), other),
                                    log,
                                    StandardCopyOption.REPLACE_EXISTING);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                        return store.stats().failures() == 4;
                    }))
                    .isInstanceOf(XMemException.Invalid.class)
                    .hasMessageContaining("Plan again");
            assertThat(read("data/failures.jsonl")).isEqualTo(other);
            noBackup(store);
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
}

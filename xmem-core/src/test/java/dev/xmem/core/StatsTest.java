package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Stats;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of a store, against a recount. */
class StatsTest {
    @TempDir
    Path directory;

    @Test
    void stats_ofAnEmptyStore_areZero() {
        try (XMemStore store = Stores.inMemory()) {
            Stats stats = store.stats();
            assertThat(List.of(stats.failures(), stats.successes(), stats.notes(), stats.directives()))
                    .containsOnly(0L);
            assertThat(List.of(stats.appended(), stats.recalled(), stats.advised(), stats.guardDropped()))
                    .containsOnly(0L);
            assertThat(stats.topTags(5)).isEmpty();
            assertThat(stats.topToolsByFailures(5)).isEmpty();
            assertThat(stats.lastCompaction()).isNull();
            assertThat(stats.tailWindowHitRate()).isEqualTo(1.0);
            assertThat(stats.cacheHitRate()).isEqualTo(1.0);
        }
    }

    /** A correction is no further failure, and takes the place of a line, merged or not, that stays in its file. */
    @Test
    void stats_afterCorrections_countWhatIsShown() {
        try (XMemStore store = Stores.in(directory)) {
            String wrong = store.recordFailure(
                            Failure.of("git", "push", "rejected").tags("a"))
                    .id();
            store.recordFailure(Failure.of("git", "push", "rejected").tags("a"));
            store.compact(store.planCompaction(Retention.defaults()));
            String right =
                    store.recordFailure(Failure.of("git", "push", "rejected")).id();
            String old =
                    store.recordSuccess(Success.of("npm", "clean").tags("b")).id();
            String note = store.writeNote(Note.of("note", "gone")).id();

            store.amend(wrong, Amendment.supersededBy(right));
            store.amend(old, Amendment.dismiss("no"));
            store.amend(note, Amendment.dismiss("no"));

            Stats stats = store.stats();
            assertThat(stats.failures()).isEqualTo(store.search(Query.all()).total());
            assertThat(List.of(stats.failures(), stats.successes())).containsExactly(1L, 0L);
            assertThat(stats.topToolsByFailures(5)).isEqualTo(Map.of("git", 1L));
            assertThat(stats.topToolsBySuccesses(5)).isEmpty();
            assertThat(stats.topTags(5)).isEmpty();

            store.amend(old, Amendment.restore());
            assertThat(store.stats().successes()).isEqualTo(1);
        }
    }

    @Test
    void stats_ofRandomEntries_equalARecount() throws IOException {
        Random random = new Random(7);
        Map<String, Long> failures = new TreeMap<>();
        Map<String, Long> successes = new TreeMap<>();
        Map<String, Long> tags = new TreeMap<>();
        long notes = 0;
        try (XMemStore store = Stores.in(directory)) {
            for (int i = 0; i < 300; i++) {
                String tool = "tool" + random.nextInt(6);
                String tag = "tag" + random.nextInt(9);
                switch (random.nextInt(3)) {
                    case 0 -> {
                        store.recordFailure(
                                Failure.of(tool, "run", "error " + i).tags(tag, "all"));
                        failures.merge(tool, 1L, Long::sum);
                        tags.merge(tag, 1L, Long::sum);
                        tags.merge("all", 1L, Long::sum);
                    }
                    case 1 -> {
                        store.recordSuccess(Success.of(tool, "pattern " + i).tags(tag));
                        successes.merge(tool, 1L, Long::sum);
                        tags.merge(tag, 1L, Long::sum);
                    }
                    default -> {
                        store.writeNote(Note.of("note", "note " + i).tags(tag));
                        notes++;
                    }
                }
            }
            Stats stats = store.stats();
            assertThat(stats.failures()).isEqualTo(sum(failures));
            assertThat(stats.successes()).isEqualTo(sum(successes));
            assertThat(stats.notes()).isEqualTo(notes);
            assertThat(stats.appended()).isEqualTo(300);
            assertThat(stats.malformedLines()).isZero();
            assertThat(stats.topToolsByFailures(100)).isEqualTo(failures);
            assertThat(stats.topToolsBySuccesses(100)).isEqualTo(successes);
            assertThat(stats.topTags(100)).isEqualTo(tags);
            for (int n : new int[] {0, 1, 3, 7}) {
                assertThat(List.copyOf(stats.topTags(n).entrySet())).isEqualTo(top(tags, n));
                assertThat(List.copyOf(stats.topToolsByFailures(n).entrySet())).isEqualTo(top(failures, n));
            }
            for (String log : List.of("failures.jsonl", "successes.jsonl", "notes.jsonl")) {
                assertThat(stats.fileBytes())
                        .containsEntry(log, Files.size(directory.resolve("data").resolve(log)));
            }
            assertThat(stats.fileBytes()).containsEntry("memories.ndjson", 0L);
        }
    }

    @Test
    void compactionDue_ofManySegmentsAndHashes_saysWhatAPlanDoes() throws IOException {
        Random random = new Random(11);
        Instant now = Instant.parse("2026-06-01T00:00:00Z");
        for (boolean ascending : new boolean[] {true, false}) {
            Path folder = directory.resolve("ascending-" + ascending);
            StringBuilder log = new StringBuilder();
            for (int i = 0; i < 1000; i++) {
                long hours = ascending ? i * 4L + random.nextInt(3) : random.nextInt(4000);
                Instant time = Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofHours(hours));
                String hash = "git-push-h" + random.nextInt(60);
                log.append(
                        "{\"id\":\"%s-%03d\",\"ts\":\"%s\",\"type\":\"tool_failure\",\"tool\":\"git\",\"ctx_hash\":\"%s\"}%n"
                                .formatted(time.toString().substring(0, 10), i + 1, time, hash));
            }
            Files.createDirectories(folder.resolve("data"));
            Files.writeString(folder.resolve("data/failures.jsonl"), log);
            try (XMemStore store =
                    TestStores.builder(folder, 64).clock(() -> now).open()) {
                Matcher plan = Pattern.compile("(\\d+) merged into another, (\\d+) moved to an archive")
                        .matcher(store.planCompaction(Retention.defaults()).text());
                assertThat(plan.find()).isTrue();
                assertThat(Integer.parseInt(plan.group(1))).isBetween(50, 950);
                assertThat(Integer.parseInt(plan.group(2))).isBetween(100, 900);
                String expected = "%s of 1000 lines repeat another within 7 days, and %s are old enough for an archive"
                        .formatted(plan.group(1), plan.group(2));
                for (int i = 0; i < 3; i++) {
                    assertThat(store.stats().compactionDue()).isEqualTo(expected);
                    TestStores.writeDue(store);
                    TestStores.mergeOne(store, () -> false);
                }
            }
        }
    }

    /** What shares a hash, and what is old, is not all that a plan takes out of the logs. */
    @Test
    void compactionDue_planTakesNothing_isNull() throws IOException {
        Instant now = Instant.parse("2026-06-01T00:00:00Z");
        Files.createDirectories(directory.resolve("data"));
        StringBuilder old = new StringBuilder();
        for (int i = 0; i < 150; i++) {
            old.append("{\"id\":\"g-%d\",\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"tool_success\",\"tool\":\"git\"}%n"
                    .formatted(i));
        }
        Files.writeString(directory.resolve("data/successes.jsonl"), old);
        try (XMemStore store =
                TestStores.builder(directory, 64).clock(() -> now).open()) {
            for (int i = 0; i < 150; i++) {
                store.recordFailure(Failure.of("git", "git push r" + i, "unable to access r" + i + ": timed out"));
            }
            assertThat(store.planCompaction(Retention.defaults()).isEmpty()).isTrue();
            assertThat(store.stats().compactionDue()).isNull();
        }
    }

    /** Of a long log a sample is looked at. */
    @Test
    void compactionDue_ofALongLog_isAboutWhatAPlanDoes() throws IOException {
        Instant now = Instant.parse("2026-02-01T00:00:00Z");
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            log.append(
                    "{\"id\":\"2026-01-31-%03d\",\"ts\":\"2026-01-31T00:00:00Z\",\"type\":\"tool_failure\",\"tool\":\"git\",\"ctx_hash\":\"git-push-h%d\",\"subject\":\"s%d\"}%n"
                            .formatted(i + 1, i % 700, i % 2 == 0 ? 0 : i));
        }
        Files.createDirectories(directory.resolve("data"));
        Files.writeString(directory.resolve("data/failures.jsonl"), log);
        try (XMemStore store =
                TestStores.builder(directory, 64).clock(() -> now).open()) {
            int merged = store.planCompaction(Retention.defaults()).removes().size();
            Matcher due = Pattern.compile("about (\\d+) of 10000 lines repeat.*, and 0 are old enough.*")
                    .matcher(String.valueOf(store.stats().compactionDue()));
            assertThat(due.matches()).isTrue();
            assertThat(Integer.parseInt(due.group(1))).isBetween(merged * 8 / 10, merged * 12 / 10);
        }
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(n -> n).sum();
    }

    /** Largest first, ties by name. */
    private static List<Map.Entry<String, Long>> top(Map<String, Long> counts, int n) {
        return counts.entrySet().stream()
                .sorted((a, b) -> a.getValue().equals(b.getValue())
                        ? a.getKey().compareTo(b.getKey())
                        : Long.compare(b.getValue(), a.getValue()))
                .limit(n)
                .map(e -> Map.entry(e.getKey(), e.getValue()))
                .toList();
    }

    @Test
    void stats_afterReopening_haveTheTotalsAndNewCounters() {
        try (XMemStore store = Stores.in(directory)) {
            store.recordFailure(Failure.of("git", "push", "x"));
        }
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.stats().failures()).isEqualTo(1);
            assertThat(store.stats().appended()).isZero();
        }
    }

    @Test
    void lastCompaction_isTheNewestBackup() throws IOException {
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.stats().lastCompaction()).isNull();
            Path backups = directory.resolve("data/backup");
            for (String name :
                    List.of("2026-01-15T10_00_00Z", "2026-02-01T00_00_00Z", "2025-12-31T23_59_59Z", "mine")) {
                Files.createDirectories(backups.resolve(name));
            }
            assertThat(store.stats().lastCompaction()).isEqualTo(Instant.parse("2026-02-01T00:00:00Z"));
            assertThat(store.stats().text()).contains("2026-02-01");
        }
    }

    @Test
    void latencies_ofCalls_areCounted() {
        try (XMemStore store = Stores.in(directory)) {
            for (int i = 0; i < 3; i++) {
                store.writeNote(Note.of("note", "walrus " + i));
            }
            store.search(Query.literal("walrus"));
            store.recall(ToolCall.shell("git push"), ToolError.exit(1, "fatal: no upstream"));
            Stats stats = store.stats();
            assertThat(stats.appendLatency().count()).isEqualTo(3);
            assertThat(stats.searchLatency().count()).isOne();
            assertThat(stats.recallLatency().count()).isOne();
            assertThat(stats.appendLatency().percentile(0.5))
                    .isPositive()
                    .isLessThanOrEqualTo(stats.appendLatency().max());
        }
    }

    @Test
    void indexBytes_ofSealedLines_areTheirFiles() throws IOException {
        for (int round = 0; round < 2; round++) {
            try (XMemStore store = XMem.builder(directory).segmentLines(16).open()) {
                Path index = directory.resolve(".xmem/index");
                long bytes = 0;
                try (Stream<Path> files = Files.isDirectory(index) ? Files.list(index) : Stream.empty()) {
                    for (Path file : files.toList()) {
                        bytes += Files.size(file);
                    }
                }
                assertThat(store.stats().indexBytes()).isEqualTo(bytes);
                assertThat(bytes > 0).isEqualTo(round > 0);
                for (int i = 0; i < 20; i++) {
                    store.writeNote(Note.of("note", "walrus " + i));
                }
                store.verify();
            }
        }
    }

    @Test
    void hitRates_whateverIsRead_areFromZeroToOne() {
        try (XMemStore store = Stores.in(directory)) {
            for (int i = 0; i < 50; i++) {
                store.writeNote(Note.of("note", "walrus " + i));
                store.search(Query.literal("walrus").limit(3));
                Stats stats = store.stats();
                assertThat(stats.tailWindowHitRate()).isBetween(0.0, 1.0);
                assertThat(stats.cacheHitRate()).isBetween(0.0, 1.0);
            }
        }
    }

    @Test
    void counters_whileThingsHappen_onlyGrow() {
        try (XMemStore store = Stores.inMemory()) {
            Stats before = store.stats();
            ToolCall call = ToolCall.shell("git push");
            ToolError error = ToolError.exit(1, "fatal: no upstream");
            for (int i = 0; i < 10; i++) {
                store.recall(call, error);
                store.recordFailure(Failure.of(call, error));
                Stats now = store.stats();
                assertThat(now.appended()).isEqualTo(before.appended() + 1);
                assertThat(now.recalled()).isEqualTo(before.recalled() + 1);
                assertThat(now.advised()).isGreaterThanOrEqualTo(before.advised());
                before = now;
            }
            assertThat(before.advised()).isEqualTo(9);
        }
    }

    @Test
    void stats_taken_doNotChangeLater() {
        try (XMemStore store = Stores.inMemory()) {
            store.recordFailure(Failure.of("git", "push", "x").tags("one"));
            Stats stats = store.stats();
            String text = stats.text();
            store.recordFailure(Failure.of("git", "push", "y").tags("one", "two"));
            store.writeNote(Note.of("note", "z"));
            assertThat(stats.failures()).isEqualTo(1);
            assertThat(stats.notes()).isZero();
            assertThat(stats.topTags(5)).containsOnlyKeys("one").containsEntry("one", 1L);
            assertThat(stats.text()).isEqualTo(text);
        }
    }

    @Test
    void malformedLines_areCountedAndNothingElse() {
        Stores.appendRaw(directory, "failures.jsonl", "{\"id\":\n<<<<<<< ours\n");
        Stores.append(
                directory, "failures.jsonl", "{'id':'2026-01-01-001','type':'tool_failure','tool':'git','error':'x'}");
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.stats().malformedLines()).isEqualTo(2);
            assertThat(store.stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void text_ofManyTools_costsAtMost500Tokens() {
        try (XMemStore store = Stores.inMemory()) {
            for (int i = 0; i < 100; i++) {
                String name = "a rather long name of a tool or tag ".repeat(3) + i;
                store.recordFailure(Failure.of(name, "run", "x").tags(name.substring(0, 100) + i));
            }
            assertThat(TokenEstimator.heuristic().estimate(store.stats().text()))
                    .isLessThanOrEqualTo(500);
        }
    }

    @Test
    void kinds_ofMatches_sumUpToTheTotals() {
        try (XMemStore store = Stores.inMemory()) {
            store.recordFailure(Failure.of("git", "push", "x"));
            store.recordSuccess(Success.of("git", "y"));
            store.writeNote(Note.of("note", "z"));
            for (Entry.Kind kind : List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS, Entry.Kind.NOTE)) {
                assertThat(store.search(Query.all().kind(kind)).total()).isEqualTo(1);
            }
        }
    }
}

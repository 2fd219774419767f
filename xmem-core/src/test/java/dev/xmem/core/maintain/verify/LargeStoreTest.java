package dev.xmem.core.maintain.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import dev.xmem.core.fixtures.Json;
import dev.xmem.testing.LockHolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that are derived from all entries: exact in a small store, behind in a large one, and never wrong. */
class LargeStoreTest {
    @TempDir
    Path folder;

    private Path index;
    private Path seals;

    @BeforeEach
    void fillUpToTheLimit() throws IOException {
        index = folder.resolve("data/index.json");
        seals = folder.resolve(".xmem/seals.ndjson");
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i < IndexJsonWriter.SMALL; i++) {
            lines.append("{\"id\":\"2026-01-01-%05d\",\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"tool_failure\","
                    .formatted(i));
            lines.append("\"tool\":\"git\",\"error\":\"x%d\",\"ctx_hash\":\"git-push-x\"}\n".formatted(i));
        }
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("data/failures.jsonl"), lines);
        record();
        assertThat(covered()).isEqualTo(IndexJsonWriter.SMALL);
    }

    private void record() {
        try (XMemStore store = XMem.open(folder)) {
            store.recordFailure(Failure.of("git", "push", "rejected"));
        }
    }

    /** How many failures {@code index.json} counts, and lists. */
    private int covered() throws IOException {
        Map<String, Object> read = Json.object(Files.readAllBytes(index));
        String failures = String.valueOf(((Map<?, ?>) read.get("total_entries")).get("failures"));
        int ids = Files.readString(index).split("\"2026-01-01-|\"20[0-9-]{9}[0-9]+\"", -1).length - 1;
        assertThat(failures).isEqualTo(String.valueOf(ids));
        return ids;
    }

    private void makeOld() throws IOException {
        long millis = Files.getLastModifiedTime(index).toMillis();
        FileTime before = FileTime.fromMillis(millis - IndexJsonWriter.LARGE_PAUSE.toMillis() - 1);
        Files.setLastModifiedTime(index, before);
    }

    @Test
    void close_aboveTheLimit_writesNeitherOfThem() throws IOException {
        String sealed = Files.readString(seals);
        record();
        assertThat(covered()).isEqualTo(IndexJsonWriter.SMALL);
        assertThat(seals).hasContent(sealed);
    }

    @Test
    void flush_aboveTheLimit_writesNeitherOfThem() throws IOException {
        record();
        try (XMemStore store = XMem.open(folder)) {
            store.flush();
        }
        assertThat(covered()).isEqualTo(IndexJsonWriter.SMALL);
    }

    @Test
    void slashRecord_aboveTheLimit_doesNotSayThatItIsWritten() throws IOException {
        try (XMemStore store = XMem.open(folder)) {
            String command = "/xmem:record failure tool=git command=\"git push\" error=rejected";
            assertThat(SlashCommands.on(store).execute(command, "s").text())
                    .contains("✅ Recorded failure", "Index not yet updated: that of a large store is written later");
        }
        assertThat(covered()).isEqualTo(IndexJsonWriter.SMALL);
    }

    @Test
    void background_aboveTheLimit_writesBothOnceTheyAreOld() throws IOException {
        String sealed = Files.readString(seals);
        try (XMemStore store = XMem.open(folder)) {
            store.recordFailure(Failure.of("git", "push", "rejected"));
            TestStores.writeDue(store);
            assertThat(covered()).isEqualTo(IndexJsonWriter.SMALL);
            makeOld();
            TestStores.writeDue(store);
            assertThat(covered()).isEqualTo(IndexJsonWriter.SMALL + 1);
            assertThat(Files.readString(seals)).isNotEqualTo(sealed);
        }
    }

    @Test
    void verify_aboveTheLimit_saysHowFarItIsOrWritesIt() throws IOException {
        record();
        record();
        try (XMemStore store = XMem.builder(folder).readOnly().open()) {
            VerifyReport report = store.verify();
            assertThat(report.notices())
                    .containsExactly("index.json covers 10000 of 10002 failures and successes; the next flush or"
                            + " verify of a writable store brings it up to date");
            assertThat(report.clean()).isTrue();
            assertThat(report.findings()).isEmpty();
            assertThat(report.count()).isZero();
        }
        try (XMemStore store = XMem.open(folder)) {
            assertThat(store.verify().notices()).isEmpty();
        }
        assertThat(covered()).isEqualTo(IndexJsonWriter.SMALL + 2);
    }

    @Test
    void compaction_aboveTheLimit_writesIt() throws IOException {
        record();
        try (XMemStore store = XMem.open(folder)) {
            store.compact(store.planCompaction(Retention.defaults()));
        }
        assertThat(Files.readString(index)).contains("\"failures\" : " + failuresNow());
    }

    @Test
    void purge_aboveTheLimit_leavesNoIdInIt() throws IOException {
        record();
        assertThat(Files.readString(index)).contains("2026-01-01-00007");
        try (XMemStore store = XMem.open(folder)) {
            store.purge(Set.of("2026-01-01-00007"), true);
        }
        assertThat(Files.readString(index)).doesNotContain("2026-01-01-00007");
    }

    /** Another process that writes {@code index.json} for longer than an append would wait. */
    private CompletableFuture<Void> anotherWriter() throws IOException {
        LockHolder holder = new LockHolder(folder.resolve(".xmem/index-lock"));
        return CompletableFuture.runAsync(holder::release, CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS));
    }

    @Test
    void purge_whileAnotherProcessWritesIt_waits() throws IOException {
        record();
        record();
        try (XMemStore store = XMem.open(folder)) {
            CompletableFuture<Void> other = anotherWriter();
            store.purge(Set.of("2026-01-01-00007"), true);
            assertThat(Files.readString(index)).doesNotContain("2026-01-01-00007");
            other.join();
        }
    }

    @Test
    void verify_whileAnotherProcessWritesIt_waits() throws IOException {
        record();
        record();
        try (XMemStore store = XMem.open(folder)) {
            CompletableFuture<Void> other = anotherWriter();
            assertThat(store.verify().findings()).isEmpty();
            other.join();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void purge_cannotWriteIt_theNextFlushOrCloseDoes(boolean flush) throws IOException {
        record();
        record();
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        try (XMemStore store = TestStores.builder(folder, disk).open()) {
            disk.unwritable = index::equals;
            store.purge(Set.of("2026-01-01-00007"), true);
            disk.unwritable = any -> false;
            assertThat(Files.readString(index)).contains("2026-01-01-00007");
            if (flush) {
                store.flush();
                assertThat(Files.readString(index)).doesNotContain("2026-01-01-00007");
            }
        }
        assertThat(Files.readString(index)).doesNotContain("2026-01-01-00007");
    }

    @Test
    void background_isWritingIt_closeWaits() throws IOException, InterruptedException {
        record();
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CompletableFuture<Boolean> closedBefore = new CompletableFuture<>();
        XMemStore store = TestStores.builder(folder, disk).open();
        store.recordFailure(Failure.of("git", "push", "rejected"));
        makeOld();
        disk.unwritable = file -> {
            if (file.equals(index)) {
                begun.countDown();
                closedBefore.complete(awaits(closed));
            }
            return false;
        };
        CompletableFuture<Void> background = CompletableFuture.runAsync(() -> TestStores.writeDue(store));
        begun.await();
        store.close();
        closed.countDown();
        String sealed = Files.readString(seals);
        assertThat(covered()).isEqualTo(IndexJsonWriter.SMALL + 2);
        background.join();
        assertThat(closedBefore).isCompletedWithValue(false);
        assertThat(seals).hasContent(sealed);
        makeOld();
        TestStores.writeDue(store);
        assertThat(index)
                .satisfies(file -> assertThat(Files.getLastModifiedTime(file).toInstant())
                        .isBefore(Instant.now().minus(IndexJsonWriter.LARGE_PAUSE)));
    }

    private static boolean awaits(CountDownLatch latch) {
        try {
            return latch.await(500, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void background_itsTimeIsInTheFuture_writesIt() throws IOException {
        try (XMemStore store = XMem.open(folder)) {
            store.recordFailure(Failure.of("git", "push", "rejected"));
            Files.setLastModifiedTime(index, FileTime.from(Instant.now().plus(Duration.ofDays(3650))));
            TestStores.writeDue(store);
            assertThat(covered()).isEqualTo(IndexJsonWriter.SMALL + 1);
        }
    }

    private long failuresNow() {
        try (XMemStore store = XMem.builder(folder).readOnly().open()) {
            return store.stats().failures();
        }
    }

    @Test
    void anyWrite_fails_losesNothingAndTheNextOneWritesIt() throws IOException {
        for (Path file : new Path[] {index, folder.resolve(".xmem/index-state.json"), seals}) {
            FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
            try (XMemStore store = TestStores.builder(folder, disk).open()) {
                store.recordFailure(Failure.of("git", "push", "rejected"));
                makeOld();
                disk.unwritable = file::equals;
                TestStores.writeDue(store);
                assertThat(store.search(Query.all().tool("git").limit(1)).matches())
                        .hasSize(1);
                disk.unwritable = any -> false;
                makeOld();
                TestStores.writeDue(store);
                assertThat(covered()).isEqualTo((int) store.stats().failures());
            }
        }
    }

    @Test
    void memory_isTooSmall_failsNoClose() throws IOException {
        Path other = folder.resolve("small");
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        try (XMemStore store = TestStores.builder(other, disk).open()) {
            store.recordFailure(Failure.of("git", "push", "rejected"));
            disk.unwritable = file -> {
                if (file.endsWith("index.json")) {
                    throw new OutOfMemoryError("made by the test");
                }
                return false;
            };
        }
        assertThat(other.resolve("data/index.json")).doesNotExist();
        XMem.open(other).close();
        assertThat(other.resolve("data/index.json")).exists();
    }
}

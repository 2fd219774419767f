package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Durability;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledged appends survive failures of the disk. */
class DurabilityTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-02-14T16:30:00Z"));

    @TempDir
    Path directory;

    private final FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());

    private XMemStore open(Durability durability) {
        return TestStores.builder(directory, disk)
                .clock(CLOCK)
                .durability(durability)
                .open();
    }

    private static Failure record(XMemStore store, String error) {
        return store.recordFailure(Failure.of("git", "push", error));
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void record_anyDurability_writesTheSameBytes(Durability durability) throws IOException {
        try (XMemStore store = open(durability)) {
            record(store, "one");
            record(store, "two");
            store.recordSuccess(Success.of("git", "three"));
        }
        String lines = Files.readString(directory.resolve("data/failures.jsonl"));
        assertThat(lines.replaceAll("\"ctx_hash\":\"[a-z-]+\"", "\"ctx_hash\":\"…\""))
                .isEqualTo(line("001", "one") + line("002", "two"));
        assertThat(Json.lines(directory.resolve("data/successes.jsonl")))
                .extracting(line -> line.get("id"))
                .containsExactly("2026-02-14-003");
    }

    private static String line(String number, String error) {
        return "{\"id\":\"2026-02-14-" + number + "\",\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"tool_failure\","
                + "\"tool\":\"git\",\"action\":\"push\",\"error\":\"" + error + "\",\"pattern_avoid\":null,"
                + "\"tried_also\":[],\"block_level\":\"warning\",\"tags\":[],\"ctx_hash\":\"…\","
                + "\"session_id\":null,\"notes\":null}\n";
    }

    @Test
    void record_durabilityOs_neverForces() {
        try (XMemStore store = open(Durability.OS)) {
            record(store, "one");
            record(store, "two");
            assertThat(disk.forced).hasValue(0);
            store.flush();
            assertThat(disk.forced.get()).isPositive();
        }
    }

    @Test
    void record_durabilityEach_forcesEveryTime() {
        try (XMemStore store = open(Durability.EACH)) {
            for (int i = 0; i < 20; i++) {
                record(store, "error " + i);
            }
            assertThat(disk.forced).hasValue(20);
        }
    }

    @Test
    void record_durabilityGroupByManyThreads_keepsAllAndForcesNoMoreThanNeeded() throws Exception {
        int threads = 16;
        int each = 25;
        Queue<String> ids = new ConcurrentLinkedQueue<>();
        try (XMemStore store = open(Durability.GROUP)) {
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                String name = "thread " + t;
                running.add(new Thread(() -> recordMany(store, name, each, ids)));
            }
            running.forEach(Thread::start);
            for (Thread thread : running) {
                thread.join();
            }
        }
        assertThat(disk.forced.get()).isBetween(1, threads * each);
        assertThat(Json.lines(directory.resolve("data/failures.jsonl")))
                .extracting(line -> (String) line.get("id"))
                .hasSize(threads * each)
                .doesNotHaveDuplicates()
                .hasSameElementsAs(ids);
    }

    private static void recordMany(XMemStore store, String name, int each, Queue<String> ids) {
        int done = 0;
        while (done < each) {
            try {
                ids.add(record(store, name + ", error " + done).id());
                done++;
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Durability.class,
            names = {"GROUP", "EACH"})
    void record_forceFails_isReportedAndFinalForThatLog(Durability durability) {
        try (XMemStore store = open(durability)) {
            Failure before = record(store, "before");
            disk.failForce = true;
            assertThatThrownBy(() -> record(store, "in between")).isInstanceOf(XMemException.Io.class);
            assertThatThrownBy(() -> record(store, "after")).isInstanceOf(XMemException.Io.class);
            assertThatThrownBy(store::flush).isInstanceOf(XMemException.Io.class);
            assertThat(store.find(before.id())).contains(before);
            assertThat(store.recordSuccess(Success.of("git", "another log")).id())
                    .isNotBlank();
        }
        try (XMemStore again = open(durability)) {
            assertThat(record(again, "after the next open").id()).isNotBlank();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 60, 100_000})
    void record_writeFails_reportsItAndGoesOn(int writtenBytes) throws IOException {
        Failure before;
        Failure after;
        try (XMemStore store = open(Durability.OS)) {
            before = record(store, "before");
            disk.failWriteAfter = writtenBytes;
            assertThatThrownBy(() -> record(store, "in between")).isInstanceOf(XMemException.Io.class);
            assertThat(store.find(before.id())).contains(before);
            after = record(store, "after");
            assertThat(store.find(after.id())).contains(after);
        }
        boolean whole = writtenBytes == 100_000;
        boolean torn = writtenBytes > 0 && !whole;
        try (XMemStore again = open(Durability.OS)) {
            assertThat(again.find(before.id())).contains(before);
            assertThat(again.find(after.id())).contains(after);
            assertThat(again.stats().failures()).isEqualTo(whole ? 3 : 2);
            assertThat(again.stats().malformedLines()).isEqualTo(torn ? 1 : 0);
        }
        assertThat(Files.readString(directory.resolve("data/failures.jsonl")))
                .startsWith(before.json() + "\n")
                .endsWith("\n" + after.json() + "\n");
    }

    @Test
    void recordAll_writeFailsInTheMiddle_keepsAPrefixOfWholeLines() {
        List<Failure.Draft> batch = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            batch.add(Failure.of("git", "push", "error " + i));
        }
        try (XMemStore store = open(Durability.OS)) {
            disk.failWriteAfter = 1000;
            assertThatThrownBy(() -> store.recordAll(batch)).isInstanceOf(XMemException.Io.class);
            long kept = store.stats().failures();
            assertThat(kept).isBetween(1L, 9L);
            Failure after = record(store, "after");
            assertThat(after.id()).isEqualTo("2026-02-14-%03d".formatted(kept + 1));
            assertThat(store.stats().failures()).isEqualTo(kept + 1);
        }
    }

    @Test
    void writeNote_writeFails_reportsItAndGoesOn() {
        try (XMemStore store = open(Durability.OS)) {
            disk.failWriteAfter = 10;
            assertThatThrownBy(() -> store.writeNote(Note.of("note", "lost"))).isInstanceOf(XMemException.Io.class);
            Note note = store.writeNote(Note.of("note", "kept"));
            assertThat(store.find(note.id())).contains(note);
            assertThat(store.stats().notes()).isEqualTo(1);
        }
    }

    @Test
    void recordAll_oneKind_isOneWrite() {
        try (XMemStore store = open(Durability.OS)) {
            store.recordAll(List.of(Note.of("note", "a"), Note.of("note", "b"), Note.of("fact", "c")));
            assertThat(disk.written).containsExactly("notes.jsonl");
        }
    }
}

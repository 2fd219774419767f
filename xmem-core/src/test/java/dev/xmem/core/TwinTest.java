package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store in the heap and the one on disk: same inputs and clock, same bytes and same answers. */
class TwinTest {
    @TempDir
    Path directory;

    private static InstantSource clock() {
        AtomicLong millis = new AtomicLong(Instant.parse("2026-02-14T23:59:50Z").toEpochMilli());
        return () -> Instant.ofEpochMilli(millis.addAndGet(777));
    }

    private String use(FileSystem disk) {
        StringBuilder answers = new StringBuilder();
        try (XMemStore store = new XMem.Builder(directory, disk).clock(clock()).open()) {
            for (int i = 0; i < 20; i++) {
                store.recordFailure(
                        Failure.of("git", "push " + i, "error: rejected " + i).tags("git", "t" + i % 3));
                store.recordAll(List.of(
                        Success.of("git", "Pattern " + i).keySteps("a", "b\nc"),
                        Note.of("note", "content \"" + i + "\" 😀").meta("{\"a\":[1,{\"b\":null}]}"),
                        JsonDraft.of(
                                "{\"type\":\"tool_failure\",\"tool\":\"x\",\"error\":\"é\",\"more\":{\"n\":1.50}}")));
            }
            answers.append(store.search(Query.words("rejected pattern")).text())
                    .append(store.search(Query.all()).text())
                    .append(store.verify().findings())
                    .append(store.stats().text());
        }
        return answers.toString();
    }

    private static byte[] content(FileSystem disk, Path file) throws IOException {
        FileSystem.Stat stat = disk.stat(file);
        assertThat(stat).as(file.toString()).isNotNull();
        byte[] bytes = new byte[(int) stat.length()];
        try (FileSystem.Input source = disk.open(file)) {
            assertThat(source.read(0, bytes, 0, bytes.length)).isEqualTo(bytes.length);
        }
        return bytes;
    }

    @Test
    void stores_inTheHeapAndOnDisk_haveTheSameBytesAndAnswers() throws IOException {
        FileSystem heap = new InMemoryFileSystem();
        FileSystem disk = new NativeFileSystem();
        assertThat(use(heap)).isEqualTo(use(disk));
        for (String name : List.of("failures.jsonl", "successes.jsonl", "notes.jsonl", "index.json")) {
            Path file = directory.resolve("data").resolve(name);
            assertThat(content(heap, file)).as(name).isEqualTo(content(disk, file));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordAll_twice_hasTheSameBytes(boolean inHeap) {
        String once = use(inHeap ? new InMemoryFileSystem() : new NativeFileSystem());
        assertThat(once).contains("20").isNotBlank();
        if (inHeap) {
            assertThat(use(new InMemoryFileSystem())).isEqualTo(once);
        }
    }

    @Test
    void inMemory_always_writesNoFile() {
        try (XMemStore store = XMem.inMemory()) {
            Entry entry = store.recordFailure(Failure.of("git", "push", "x"));
            assertThat(store.find(entry.id())).contains(entry);
        }
        assertThat(Path.of("memory")).doesNotExist();
        assertThat(directory).isEmptyDirectory();
    }
}

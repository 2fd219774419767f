package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that is only read. */
class ReadOnlyTest {
    @TempDir
    Path folder;

    private static void use(XMemStore store) {
        store.search(Query.words("rejected"));
        store.recall(ToolCall.shell("git push"), ToolError.text("rejected"));
        store.find("2026-02-14-001");
        store.stats();
        store.verify();
        assertThatThrownBy(() -> store.recordFailure(Failure.of("git", "push", "x")))
                .isInstanceOf(XMemException.Unsupported.class)
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> store.writeNote(Note.of("note", "x"))).isInstanceOf(XMemException.Unsupported.class);
    }

    private Map<String, String> files() {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                found.put(file.toString(), Files.getLastModifiedTime(file) + " " + Files.size(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    @Test
    void readOnly_noStoreThere_makesNothing() {
        Map<String, String> before = files();
        try (XMemStore store = XMem.builder(folder.resolve("none")).readOnly().open()) {
            use(store);
            assertThat(store.search(Query.all()).total()).isZero();
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void readOnly_aStoreWithoutItsDerivedFiles_touchesNothing() throws IOException {
        Path directory = folder.resolve("store");
        try (XMemStore writer = XMem.open(directory)) {
            writer.recordFailure(Failure.of("git", "push", "rejected"));
        }
        Files.delete(directory.resolve("data/index.json"));
        Files.delete(directory.resolve(".xmem/lock"));
        Map<String, String> before = files();
        try (XMemStore store = XMem.builder(directory).readOnly().open()) {
            use(store);
            assertThat(store.stats().failures()).isEqualTo(1);
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void readOnly_aWriterAppends_seesIt() {
        Path directory = folder.resolve("store");
        try (XMemStore store = XMem.builder(directory).readOnly().open();
                XMemStore writer = XMem.open(directory)) {
            Failure first = writer.recordFailure(Failure.of("git", "push", "rejected"));
            assertThat(store.find(first.id())).contains(first);
            Failure second = writer.recordFailure(Failure.of("git", "push", "rejected again"));
            assertThat(store.search(Query.words("rejected")).total()).isEqualTo(2);
            assertThat(store.find(second.id())).contains(second);
        }
    }
}

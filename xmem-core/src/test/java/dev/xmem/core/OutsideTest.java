package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.fixtures.Jvm;
import dev.xmem.core.fixtures.UsedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process that uses a store leaves in the rest of the file system: nothing. */
class OutsideTest {
    @TempDir
    Path folder;

    @Test
    void use_ofAStore_writesNothingOutsideItsDirectory() throws Exception {
        Path home = Files.createDirectories(folder.resolve("home"));
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        Path working = Files.createDirectories(folder.resolve("work/inside"));
        Files.createDirectories(home.resolve(".codex"));
        Files.writeString(home.resolve(".codex/memory.jsonl"), "");
        Path store = folder.resolve("work/store");
        Map<String, String> before = everythingBut(store);
        List<String> options = List.of("-Duser.home=" + home, "-Djava.io.tmpdir=" + temporary);
        try (Jvm jvm = Jvm.start(working, options, UsedStore.class, store)) {
            jvm.succeeds();
        }
        assertThat(everythingBut(store)).isEqualTo(before);
    }

    @Test
    void use_ofAStore_leavesTheFilesThatTheFormatNames() throws IOException {
        Path store = folder.resolve("store");
        new UsedStore().accept(store);
        try (Stream<Path> files = Files.walk(store)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> store.relativize(file).toString()))
                    .containsExactlyInAnyOrder(
                            "data/failures.jsonl",
                            "data/successes.jsonl",
                            "data/notes.jsonl",
                            "data/index.json",
                            ".xmem/lock",
                            ".xmem/index-lock",
                            ".xmem/index-state.json",
                            ".xmem/seals.ndjson",
                            ".xmem/hashers",
                            ".xmem/.gitignore");
        }
    }

    /** Name, kind, size and time of everything beside the store. */
    private Map<String, String> everythingBut(Path store) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> !file.startsWith(store)).forEach(file -> found.put(file.toString(), state(file)));
        }
        return found;
    }

    private static String state(Path file) {
        try {
            return Files.isDirectory(file) ? "folder" : Files.size(file) + " bytes, " + Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

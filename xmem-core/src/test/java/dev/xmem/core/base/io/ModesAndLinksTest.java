package dev.xmem.core.base.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Json;
import dev.xmem.core.fixtures.UsedStore;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The permissions of a store's files, and symbolic links in and around it. */
class ModesAndLinksTest {
    @TempDir
    Path folder;

    private Path directory;

    @BeforeEach
    void onlyOnPosix() {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
        directory = folder.resolve("store");
    }

    private static void use(Path directory) {
        new UsedStore().accept(directory);
    }

    private static String mode(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void files_new_areReadableByTheOwnerOnly() throws IOException {
        use(directory);
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(mode(file))
                            .as(file.toString())
                            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------"));
        }
    }

    /** What cannot be read is not empty. */
    @Test
    void list_folderThatCannotBeReached_throws() throws IOException {
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
        NativeFileSystem files = new NativeFileSystem();
        assertThatThrownBy(() -> files.list(loop)).isInstanceOf(FileSystemException.class);
        assertThat(files.list(folder.resolve("missing"))).isEmpty();
    }

    @Test
    void files_thatAreThere_keepTheirModes() throws IOException {
        Path data = Files.createDirectories(directory.resolve("data"));
        Path log = Files.createFile(data.resolve("failures.jsonl"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxr-x"));
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-rw-r--"));
        use(directory);
        assertThat(mode(directory)).isEqualTo("rwxr-xr-x");
        assertThat(mode(data)).isEqualTo("rwxrwxr-x");
        assertThat(mode(log)).isEqualTo("rw-rw-r--");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data/failures.jsonl",
                "data/notes.jsonl",
                "data/index.json",
                ".xmem/lock",
                ".xmem/index-lock",
                ".xmem/index-state.json",
                ".xmem/seals.ndjson"
            })
    void link_ofAFileOutOfTheStore_isRefused(String name) throws IOException {
        Path outside = Files.writeString(folder.resolve("outside"), "precious\n");
        Path link = directory.resolve(name);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, outside);
        assertThatThrownBy(() -> XMem.open(directory)).isInstanceOf(XMemException.Io.class);
        assertThat(outside).hasContent("precious\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"data", ".xmem"})
    void link_ofAFolderOutOfTheStore_isRefused(String name) throws IOException {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Files.createDirectories(directory);
        Files.createSymbolicLink(directory.resolve(name), outside);
        assertThatThrownBy(() -> XMem.open(directory)).isInstanceOf(XMemException.Io.class);
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void link_thatLeadsNowhere_isRefused() throws IOException {
        Files.createDirectories(directory.resolve("data"));
        Files.createSymbolicLink(directory.resolve("data/failures.jsonl"), folder.resolve("not-there"));
        assertThatThrownBy(() -> XMem.open(directory)).isInstanceOf(XMemException.Io.class);
        assertThat(folder.resolve("not-there")).doesNotExist();
    }

    @Test
    @Timeout(120)
    void pipe_inPlaceOfALog_isRefusedWithoutWaiting() throws Exception {
        Path pipe = Files.createDirectories(directory.resolve("data")).resolve("failures.jsonl");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assumeTrue(made.waitFor() == 0, "a pipe cannot be made here");
        assertThatThrownBy(() -> XMem.open(directory)).isInstanceOf(XMemException.Io.class);
    }

    @Test
    void link_insideTheStore_isFollowed() throws IOException {
        Path data = Files.createDirectories(directory.resolve("data"));
        Path real = Files.createFile(data.resolve("2026.jsonl"));
        Files.createSymbolicLink(data.resolve("failures.jsonl"), real);
        use(directory);
        assertThat(Json.lines(real)).hasSize(2);
    }

    @Test
    void link_toTheStoreItself_works() throws IOException {
        Path real = Files.createDirectories(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        use(link);
        assertThat(Json.lines(real.resolve("data/failures.jsonl"))).hasSize(2);
        try (XMemStore byLink = XMem.open(link);
                XMemStore byName = XMem.open(real)) {
            Failure failure = byLink.recordFailure(Failure.of("git", "push", "by link"));
            assertThat(byName.find(failure.id())).contains(failure);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"data/failures.jsonl", "data/successes.jsonl", "data/index.json"})
    void link_thatAppearsWhileOpen_isNotFollowed(String name) throws IOException {
        Path outside = Files.writeString(folder.resolve("outside"), "precious\n");
        try (XMemStore store = XMem.open(directory)) {
            store.recordFailure(Failure.of("git", "push", "x"));
            store.flush();
            Files.deleteIfExists(directory.resolve(name));
            Files.createSymbolicLink(directory.resolve(name), outside);
            try {
                use(directory);
            } catch (XMemException.Io e) {
                // refused at open
            }
            try {
                store.recordFailure(Failure.of("git", "push", "x"));
                store.recordSuccess(Success.of("git", "x"));
                store.flush();
            } catch (XMemException.Io e) {
                // refused when used
            }
        }
        assertThat(outside).hasContent("precious\n");
    }
}

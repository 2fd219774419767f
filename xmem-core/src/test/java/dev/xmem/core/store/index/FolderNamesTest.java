package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one look at a folder tells of the files in it. */
class FolderNamesTest {
    @TempDir
    Path folder;

    private void quietSince(long millis) throws IOException {
        Files.setLastModifiedTime(folder, FileTime.fromMillis(millis));
    }

    private FolderNames names() {
        return new FolderNames(new NativeFileSystem(), folder);
    }

    private FolderNames.Listing now(FolderNames names) throws IOException {
        return Objects.requireNonNull(names.now());
    }

    @Test
    void now_quietFolder_lacksWhatIsNotInIt() throws IOException {
        Files.createFile(folder.resolve("Notes.jsonl"));
        quietSince(1_000_000);
        FolderNames.Listing listing = now(names());
        assertThat(listing.lacks(folder.resolve("memories.ndjson"))).isTrue();
        assertThat(listing.lacks(folder.resolve("Notes.jsonl"))).isFalse();
        assertThat(listing.lacks(folder.resolve("notes.jsonl")))
                .as("some file systems ignore the case")
                .isFalse();
        assertThat(listing.lacks(folder.resolve("archive/memories.ndjson"))).isFalse();
        assertThat(listing.lacks(folder.resolveSibling("memories.ndjson"))).isFalse();
    }

    @Test
    void now_folderThatJustChanged_tellsNothing() throws IOException {
        FolderNames names = names();
        quietSince(1_000_000);
        assertThat(names.now()).isNotNull();
        assertThat(names.now()).as("listed once").isSameAs(names.now());
        Files.createFile(folder.resolve("notes.jsonl"));
        assertThat(names.now()).isNull();
        quietSince(2_000_000);
        assertThat(now(names).lacks(folder.resolve("notes.jsonl"))).isFalse();
        Files.delete(folder.resolve("notes.jsonl"));
        quietSince(3_000_000);
        assertThat(now(names).lacks(folder.resolve("notes.jsonl"))).isTrue();
    }

    @Test
    void now_folderThatCannotBeListed_tellsNothing() throws IOException {
        quietSince(1_000_000);
        FileSystem disk = new NativeFileSystem();
        FileSystem unlisted = (FileSystem) Proxy.newProxyInstance(
                FileSystem.class.getClassLoader(), new Class<?>[] {FileSystem.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("list")) {
                        throw new IOException("not listed");
                    }
                    return method.invoke(disk, arguments);
                });
        assertThat(new FolderNames(disk, folder).now()).isNotNull();
        assertThat(new FolderNames(unlisted, folder).now()).isNull();
    }

    @Test
    void now_folderReplacedByAnother_isThatOfTheOther() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        FolderNames names = new FolderNames(new NativeFileSystem(), data);
        assertThat(names.now()).isNull();
        Files.setLastModifiedTime(data, FileTime.fromMillis(1_000_000));
        assertThat(now(names).lacks(data.resolve("notes.jsonl"))).isTrue();
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.createFile(other.resolve("notes.jsonl"));
        Files.setLastModifiedTime(other, FileTime.fromMillis(1_000_000));
        Files.move(data, folder.resolve("before"));
        assertThat(names.now()).isNull();
        Files.move(other, data);
        assertThat(now(names).lacks(data.resolve("notes.jsonl"))).isFalse();
    }
}

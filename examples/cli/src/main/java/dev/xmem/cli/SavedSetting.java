package dev.xmem.cli;

import dev.xmem.XMemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A small file in the {@code .xmem} directory of a store that holds a setting of this program. It is replaced
 * atomically and readable only by its owner, because a remote may contain a password. A symbolic link in its place is
 * replaced, not followed.
 */
record SavedSetting(Path file) {
    static SavedSetting of(Path store, String name) {
        return new SavedSetting(store.resolve(".xmem").resolve(name));
    }

    String read() throws IOException {
        return Files.readString(file).strip();
    }

    void write(String text) {
        try {
            Path next =
                    Files.createTempFile(file.getParent(), file.getFileName().toString(), ".tmp");
            try {
                Files.write(next, (text + "\n").getBytes(StandardCharsets.UTF_8));
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(next);
            }
        } catch (IOException e) {
            throw new XMemException.Io(file, e);
        }
    }
}

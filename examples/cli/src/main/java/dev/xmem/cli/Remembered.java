package dev.xmem.cli;

import dev.xmem.XMemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A small file in the {@code .xmem} of a store: what this program remembers of it. It is replaced as a whole, as a file that
 * only its owner reads, since a remote may have a password in it; a link in its place is replaced, not followed.
 */
record Remembered(Path file) {
    static Remembered of(Path store, String name) {
        return new Remembered(store.resolve(".xmem").resolve(name));
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

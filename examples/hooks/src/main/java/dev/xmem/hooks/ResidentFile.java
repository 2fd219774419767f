package dev.xmem.hooks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file by which a hook finds the process that answers for a store: {@code .xmem/resident}, ten lines, mode 0600.
 * The script {@code xmem-hook} reads it too.
 *
 * @param kind {@value #RESIDENT}, or {@value #SERVER} for a process that a host keeps running
 * @param slot the name of the file in the user's cache that repeats the server's secret
 * @param folderKey the device and inode of the store's folder
 * @param clientSecret what the client says first
 * @param serverSecret what the server says then, before the client sends the event
 * @param jar the jar of the process
 * @param folder the store's folder
 */
record ResidentFile(
        String kind,
        long pid,
        int port,
        String slot,
        String folderKey,
        String clientSecret,
        String serverSecret,
        String jar,
        String folder) {
    static final String RESIDENT = "resident";
    static final String SERVER = "server";
    static final String VERSION = "xmem-resident 1";

    private static final int LINES = 10;

    static Path path(Path folder) {
        return folder.resolve(".xmem").resolve("resident");
    }

    /** Reads the file of a store; null if there is none, or one that cannot be read. */
    static @Nullable ResidentFile read(Path folder) {
        Path path = path(folder);
        try {
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                return null;
            }
            List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
            if (lines.size() != LINES || !lines.get(0).equals(VERSION)) {
                return null;
            }
            return new ResidentFile(
                    lines.get(1),
                    Long.parseLong(lines.get(2)),
                    Integer.parseInt(lines.get(3)),
                    lines.get(4),
                    lines.get(5),
                    lines.get(6),
                    lines.get(7),
                    lines.get(8),
                    lines.get(9));
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    /** Publishes the file: it appears whole, or not at all. */
    void write() throws IOException {
        Path path = path(Path.of(folder));
        Path local = path.resolveSibling(".");
        Path temporary = Files.createTempFile(local, "resident", ".tmp", UserFolder.PRIVATE_FILE);
        try {
            Files.writeString(temporary, text());
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private String text() {
        return String.join(
                        "\n",
                        VERSION,
                        kind,
                        Long.toString(pid),
                        Integer.toString(port),
                        slot,
                        folderKey,
                        clientSecret,
                        serverSecret,
                        jar,
                        folder)
                + '\n';
    }

    /** Whether this is still the file of the store, readable by its user alone. */
    boolean isPublished() {
        Path path = path(Path.of(folder));
        try {
            return equals(read(Path.of(folder)))
                    && Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)
                                    .size()
                            == 2;
        } catch (IOException e) {
            return false;
        }
    }

    /** Deletes the file if it is still this one. */
    void delete() {
        try {
            if (equals(read(Path.of(folder)))) {
                Files.deleteIfExists(path(Path.of(folder)));
            }
        } catch (IOException e) {
            // A file without its process is stale: hooks answer by themselves.
        }
    }

    /** Not with the secrets. */
    @Override
    public String toString() {
        return kind + " " + pid + " of " + folder;
    }
}

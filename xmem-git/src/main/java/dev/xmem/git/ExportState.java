package dev.xmem.git;

import dev.xmem.core.ExportFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * The store's side of an export to one place: what it contributed there last, and lines of others that were found there
 * uncommitted. Kept in the store's {@code .xmem/export/}; when it is lost, lines that were compacted away stay in the files.
 */
final class ExportState {
    private final Path store;
    private final Path folder;

    ExportState(Path store, String place) {
        this.store = store;
        CRC32 crc = new CRC32();
        crc.update(place.getBytes(StandardCharsets.UTF_8));
        this.folder =
                store.resolve(".xmem").resolve("export").resolve(HexFormat.of().toHexDigits((int) crc.getValue()));
    }

    /** A file for what git says. */
    Path output() throws IOException {
        Files.createDirectories(folder);
        return folder.resolve("output");
    }

    /** The files of the store for a place where these are committed. */
    ExportFiles files(Map<String, byte[]> there) throws IOException {
        return ExportFiles.of(store, there, held(), read(contributed()));
    }

    private Path contributed() {
        return folder.resolve("contributed");
    }

    private static byte[] read(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    }

    /** Before files are committed: from now on they may be there, or those before. */
    void begin(ExportFiles next) throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(read(contributed()));
        both.writeBytes(next.contribution());
        replace(contributed(), both.toByteArray());
    }

    /** They are there. */
    void end(ExportFiles next) throws IOException {
        replace(contributed(), next.contribution());
        for (String name : held().keySet()) {
            Files.deleteIfExists(folder.resolve("held").resolve(name));
        }
    }

    /** Keeps lines that stand uncommitted in a file which is about to be replaced. */
    void hold(String name, byte[] lines) throws IOException {
        Path file = folder.resolve("held").resolve(name);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(read(file));
        all.write('\n');
        all.writeBytes(lines);
        replace(file, all.toByteArray());
    }

    private Map<String, byte[]> held() throws IOException {
        Map<String, byte[]> held = new TreeMap<>();
        for (String name : GitExport.LOGS) {
            Path file = folder.resolve("held").resolve(name);
            if (Files.exists(file)) {
                held.put(name, Files.readAllBytes(file));
            }
        }
        return held;
    }

    static void replace(Path file, byte[] bytes) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Path next = Files.write(file.resolveSibling("." + file.getFileName() + ".xmem-next"), bytes);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

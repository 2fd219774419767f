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
 * The state of an export to one target: the lines that the store contributed last, and uncommitted lines that were
 * found in the target. Kept in the store's {@code .xmem/export/}. If it is lost, lines that were compacted stay in the
 * files.
 */
final class ExportState {
    private final Path store;
    private final Path folder;

    ExportState(Path store, String target) {
        this.store = store;
        CRC32 crc = new CRC32();
        crc.update(target.getBytes(StandardCharsets.UTF_8));
        this.folder =
                store.resolve(".xmem").resolve("export").resolve(HexFormat.of().toHexDigits((int) crc.getValue()));
    }

    /** The file for git's output. */
    Path output() throws IOException {
        Files.createDirectories(folder);
        return folder.resolve("output");
    }

    /** The files to export, given the committed ones. */
    ExportFiles files(Map<String, byte[]> committed) throws IOException {
        return ExportFiles.of(store, committed, held(), read(contributed()));
    }

    private Path contributed() {
        return folder.resolve("contributed");
    }

    private static byte[] read(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    }

    /** Called before files are committed: from now on the target may have them or the ones before. */
    void begin(ExportFiles next) throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(read(contributed()));
        both.writeBytes(next.contribution());
        replace(contributed(), both.toByteArray());
    }

    /** Called when the target has the files. */
    void end(ExportFiles next) throws IOException {
        replace(contributed(), next.contribution());
        for (String name : held().keySet()) {
            Files.deleteIfExists(folder.resolve("held").resolve(name));
        }
    }

    /** Keeps the uncommitted lines of a file that is about to be replaced. */
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

package dev.xmem.benchmarks;

import dev.xmem.Entry;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes, reads, copies and deletes the log files of a store. */
final class LogFiles {
    private static final int MAX_LINE_BYTES = 4096;

    private LogFiles() {}

    static Path of(Path folder, Entry.Kind kind) {
        return folder.resolve("data").resolve(kind == Entry.Kind.FAILURE ? "failures.jsonl" : "successes.jsonl");
    }

    static void write(Path folder, Dataset dataset) throws Exception {
        Files.createDirectories(folder.resolve("data"));
        try (BufferedWriter failures = Files.newBufferedWriter(of(folder, Entry.Kind.FAILURE));
                BufferedWriter successes = Files.newBufferedWriter(of(folder, Entry.Kind.SUCCESS))) {
            dataset.forEachChunk(chunk -> {
                for (StoredEntry stored : chunk) {
                    BufferedWriter out = stored.entry().isFailure() ? failures : successes;
                    out.write(stored.line());
                    out.write('\n');
                }
            });
        }
    }

    /** Returns the last lines of a log, oldest first. */
    static List<String> last(Path folder, Entry.Kind kind, int lines) throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(of(folder, kind).toFile(), "r")) {
            byte[] end = new byte[(int) Math.min(log.length(), (long) lines * MAX_LINE_BYTES)];
            log.seek(log.length() - end.length);
            log.readFully(end);
            List<String> all = new String(end, StandardCharsets.UTF_8).lines().toList();
            return all.subList(Math.max(0, all.size() - lines), all.size());
        }
    }

    /** Copies a folder recursively. */
    static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Returns the total size of all files in a folder. */
    static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            long bytes = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
            return bytes;
        }
    }

    /** Deletes a folder recursively. */
    static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failed) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}

package dev.xmem.benchmarks;

import dev.xmem.Entry;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Folders with plain logs, the ones of an xmem store. */
final class Logs {
    private Logs() {}

    static Path of(Path folder, Entry.Kind kind) {
        return folder.resolve("data").resolve(kind == Entry.Kind.FAILURE ? "failures.jsonl" : "successes.jsonl");
    }

    static void write(Path folder, List<Stored> lines) throws IOException {
        Files.createDirectories(folder.resolve("data"));
        for (Entry.Kind kind : List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS)) {
            try (BufferedWriter out = Files.newBufferedWriter(of(folder, kind))) {
                for (Stored stored : lines) {
                    if (stored.item().kind() == kind) {
                        out.write(stored.line());
                        out.write('\n');
                    }
                }
            }
        }
    }

    static List<String> read(Path folder, Entry.Kind kind) throws IOException {
        return Files.readAllLines(of(folder, kind));
    }

    /** Copies a folder. */
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

    /** Deletes a folder and what is in it. */
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

package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Prepared datasets, created once per size and format and reused by all forks and engines: a million entries take
 * minutes to write. The folders stay until the user deletes them. Only one process at a time may create them.
 *
 * <pre>
 * java -cp benchmarks.jar dev.xmem.benchmarks.DatasetCache FOLDER 10000,100000,1000000 xmem,sqlite,ripgrep
 * </pre>
 *
 * creates them in advance. An empty {@code FOLDER} stands for the default below {@code java.io.tmpdir}.
 */
final class DatasetCache {
    private final Path folder;
    private final Dataset dataset;

    /** @param folder the parent folder of all sizes; empty for the default */
    DatasetCache(String folder, int entries) throws IOException {
        Path all = folder.isEmpty()
                ? Path.of(System.getProperty("java.io.tmpdir"), "xmem-benchmark-data")
                : Path.of(folder);
        this.dataset = new Dataset(entries);
        this.folder = Files.createDirectories(all.resolve("v" + Dataset.VERSION + "-" + entries));
    }

    public static void main(String[] args) throws Exception {
        for (String entries : args[1].split(",")) {
            DatasetCache cache = new DatasetCache(args[0], Integer.parseInt(entries));
            timed(entries + " queries", () -> cache.queries());
            for (String name : args[2].split(",")) {
                timed(entries + " " + name, () -> cache.directory(Engine.named(name)));
            }
        }
    }

    private interface Work {
        Object run() throws Exception;
    }

    private static void timed(String what, Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        System.out.printf("%s: %,d ms%n", what, (System.nanoTime() - begin) / 1_000_000);
    }

    Dataset dataset() {
        return dataset;
    }

    /** Returns the folder of a format, and writes it first if it does not exist. The caller must not modify it. */
    Path directory(DatasetFormat format) throws Exception {
        Path directory = folder.resolve(format.formatName());
        if (!Files.exists(directory)) {
            Path temporary = folder.resolve(format.formatName() + ".tmp");
            if (Files.exists(temporary)) {
                LogFiles.delete(temporary);
            }
            format.fill(Files.createDirectories(temporary), dataset);
            Files.move(temporary, directory, StandardCopyOption.ATOMIC_MOVE);
        }
        return directory;
    }

    /** Returns the queries with their expected answers. */
    Map<QueryType, List<TestQuery>> queries() throws Exception {
        Path file = folder.resolve("queries.ndjson");
        if (!Files.exists(file)) {
            Path temporary = folder.resolve("queries.tmp");
            TestQueryFile.write(temporary, GroundTruth.of(dataset));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return TestQueryFile.read(file);
    }

    /** Returns the file for the answers that an engine gave to the queries of one type. */
    Path answerFile(String engine, QueryType type) throws IOException {
        return Files.createDirectories(folder.resolve("answers")).resolve(engine + "-" + type + ".ndjson");
    }
}

package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Filled folders, made once for a number of entries and used by every fork and engine that comes after: a million entries
 * take minutes. They stay until somebody deletes them. One process at a time may make them.
 *
 * <pre>
 * java -cp benchmarks.jar dev.xmem.benchmarks.Stock FOLDER 10000,100000,1000000 xmem,sqlite,ripgrep
 * </pre>
 *
 * makes them beforehand; an empty {@code FOLDER} stands for one below {@code java.io.tmpdir}, which is the benchmarks'
 * default.
 */
final class DatasetCache {
    private final Path folder;
    private final Dataset dataset;

    /**
     * @param folder where the folders of all numbers are; empty for the default
     */
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
        long began = System.nanoTime();
        work.run();
        System.out.printf("%s: %,d ms%n", what, (System.nanoTime() - began) / 1_000_000);
    }

    Dataset dataset() {
        return dataset;
    }

    /** The folder with these files. Not to be written to. */
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

    /** What is asked, and the right answers. */
    Map<QueryType, List<TestQuery>> queries() throws Exception {
        Path file = folder.resolve("queries.ndjson");
        if (!Files.exists(file)) {
            Path temporary = folder.resolve("queries.tmp");
            TestQueryFile.write(temporary, GroundTruth.of(dataset));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return TestQueryFile.read(file);
    }

    /** What an engine answered to questions that have no one right answer. */
    Path answerFile(String engine, QueryType type) throws IOException {
        return Files.createDirectories(folder.resolve("answers")).resolve(engine + "-" + type + ".ndjson");
    }
}

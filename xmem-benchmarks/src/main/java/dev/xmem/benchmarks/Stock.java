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
final class Stock {
    private final Path folder;
    private final History history;

    /**
     * @param folder where the folders of all numbers are; empty for the default
     */
    Stock(String folder, int entries) throws IOException {
        Path all = folder.isEmpty() ? Path.of(System.getProperty("java.io.tmpdir"), "xmem-stock") : Path.of(folder);
        this.history = new History(entries);
        this.folder = Files.createDirectories(all.resolve("v" + History.VERSION + "-" + entries));
    }

    public static void main(String[] args) throws Exception {
        for (String entries : args[1].split(",")) {
            Stock stock = new Stock(args[0], Integer.parseInt(entries));
            took(entries + " questions", () -> stock.questions());
            for (String name : args[2].split(",")) {
                took(entries + " " + name, () -> stock.filled(Engine.named(name)));
            }
        }
    }

    private interface Work {
        Object run() throws Exception;
    }

    private static void took(String what, Work work) throws Exception {
        long began = System.nanoTime();
        work.run();
        System.out.printf("%s: %,d ms%n", what, (System.nanoTime() - began) / 1_000_000);
    }

    History history() {
        return history;
    }

    /** The folder with these files. Not to be written to. */
    Path filled(Filled files) throws Exception {
        Path filled = folder.resolve(files.files());
        if (!Files.exists(filled)) {
            Path making = folder.resolve(files.files() + ".making");
            if (Files.exists(making)) {
                Logs.delete(making);
            }
            files.fill(Files.createDirectories(making), history);
            Files.move(making, filled, StandardCopyOption.ATOMIC_MOVE);
        }
        return filled;
    }

    /** What is asked, and the right answers. */
    Map<Ask, List<Question>> questions() throws Exception {
        Path file = folder.resolve("questions.ndjson");
        if (!Files.exists(file)) {
            Path making = folder.resolve("questions.making");
            QuestionFile.write(making, Questions.of(history));
            Files.move(making, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return QuestionFile.read(file);
    }

    /** What an engine answered to questions that have no one right answer. */
    Path answers(String engine, Ask ask) throws IOException {
        return Files.createDirectories(folder.resolve("answers")).resolve(engine + "-" + ask + ".ndjson");
    }
}

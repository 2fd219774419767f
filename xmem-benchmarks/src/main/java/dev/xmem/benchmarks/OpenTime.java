package dev.xmem.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Measures the cold start: from the start of a JVM to the newest 70 entries of a context hash. The engines take
 * turns, beside an empty JVM, with and without a class data sharing archive ({@code -XX:SharedArchiveFile}). Every
 * JVM has the same class path and options.
 *
 * <pre>
 * java -cp benchmarks.jar dev.xmem.benchmarks.OpenTime RESULT.json ROUNDS FOLDER 10000,1000000 xmem,sqlite
 * </pre>
 *
 * {@code FOLDER} is as in {@link DatasetCache}. The result has the format of JMH.
 */
final class OpenTime {
    private final DatasetCache cache;
    private final int entries;
    private final Path archives;
    private final Map<Start, List<Double>> millis = new LinkedHashMap<>();

    private OpenTime(DatasetCache cache, int entries, Path archives) {
        this.cache = cache;
        this.entries = entries;
        this.archives = archives;
    }

    /** The JVM to start. An empty engine name stands for an empty JVM. */
    private record Start(String engine, boolean archive) {}

    public static void main(String[] args) throws Exception {
        List<JmhResultFile.Row> rows = new ArrayList<>();
        Path archives = Files.createTempDirectory("xmem-open");
        try {
            for (String entries : args[3].split(",")) {
                int count = Integer.parseInt(entries);
                OpenTime time = new OpenTime(new DatasetCache(args[2], count), count, archives);
                rows.addAll(time.measure(List.of(args[4].split(",")), Integer.parseInt(args[1])));
            }
        } finally {
            LogFiles.delete(archives);
        }
        JmhResultFile.write(Path.of(args[0]), rows);
    }

    private List<JmhResultFile.Row> measure(List<String> engines, int rounds) throws Exception {
        List<TestQuery> pages = Objects.requireNonNull(cache.queries().get(QueryType.PAGE_FIRST));
        for (String engine : engines) {
            cache.directory(Engine.named(engine));
            start(new Start(engine, false), pages.get(0), "-XX:ArchiveClassesAtExit=" + archive(engine));
            if (!Files.exists(archive(engine))) {
                throw new IOException("the JVM wrote no class archive; the class path must contain only jars");
            }
        }
        for (int round = -1; round < rounds; round++) { // the first round warms the file cache
            TestQuery page = pages.get(Math.floorMod(round, pages.size()));
            timed(new Start("", false), page, round);
            for (String engine : engines) {
                timed(new Start(engine, false), page, round);
                timed(new Start(engine, true), page, round);
            }
        }
        return millis.entrySet().stream()
                .map(start -> row(start.getKey(), start.getValue()))
                .toList();
    }

    private Path archive(String engine) {
        return archives.resolve(engine + ".jsa");
    }

    private void timed(Start start, TestQuery page, int round) throws Exception {
        double elapsed = start.archive()
                ? start(start, page, "-XX:SharedArchiveFile=" + archive(start.engine()))
                : start(start, page);
        if (round >= 0) {
            millis.computeIfAbsent(start, key -> new ArrayList<>()).add(elapsed);
        }
    }

    /** Starts a JVM and returns the milliseconds until its answer. */
    private double start(Start start, TestQuery page, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-Xlog:disable"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OpenTimeChild.class.getName()));
        if (!start.engine().isEmpty()) {
            String folder = cache.directory(Engine.named(start.engine())).toString();
            command.addAll(List.of(start.engine(), folder, page.text()));
        }
        long begin = System.nanoTime();
        Process process =
                new ProcessBuilder(command).redirectError(errors().toFile()).start();
        try (BufferedReader out = process.inputReader()) {
            String answer = out.readLine();
            double elapsed = (System.nanoTime() - begin) / 1e6;
            process.waitFor();
            check(start, page, answer);
            return elapsed;
        }
    }

    private Path errors() {
        return archives.resolve("errors");
    }

    private void check(Start start, TestQuery page, String answer) throws IOException {
        int expected = start.engine().isEmpty() ? 0 : page.ids().size();
        if (!String.valueOf(expected).equals(answer)) {
            throw new IOException(start.engine() + " returned " + answer + " entries, expected " + expected + "\n"
                    + Files.readString(errors()));
        }
    }

    private JmhResultFile.Row row(Start start, List<Double> times) {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("engine", start.engine().isEmpty() ? "empty JVM" : start.engine());
        params.put("archive", String.valueOf(start.archive()));
        params.put("entries", String.valueOf(entries));
        return new JmhResultFile.Row("dev.xmem.benchmarks.OpenTime.open", params, "ms/op", times);
    }
}

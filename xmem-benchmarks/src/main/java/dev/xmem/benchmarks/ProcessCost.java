package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the processor time of a whole process that opens a store, does one thing and ends: records a failure,
 * recalls one, or reads a page. The stores take turns, beside a JVM that does nothing. On Linux, whose {@code /proc}
 * has the time of ended processes in hundredths of a second.
 *
 * <pre>
 * java -cp benchmarks.jar dev.xmem.benchmarks.ProcessCost FOLDER ROUNDS 3000,300000
 * </pre>
 *
 * {@code FOLDER} is as in {@link DatasetCache}.
 */
final class ProcessCost {
    private static final List<String> WORK = List.of("record", "recall", "page");
    private static final int CHILDREN_USER = 13;
    private static final double MILLIS_PER_TICK = 10;

    private ProcessCost() {}

    public static void main(String[] args) throws Exception {
        Map<Integer, Path> copies = new LinkedHashMap<>();
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        Path folder = Files.createTempDirectory(Path.of(args[0]), "process-cost");
        try {
            for (String entries : args[2].split(",")) {
                int count = Integer.parseInt(entries);
                Path copy = folder.resolve(entries);
                LogFiles.copy(new DatasetCache(args[0], count).directory(new HashedStoreFormat()), copy);
                XMemEngine.awaitIndex(copy, null);
                copies.put(count, copy);
            }
            for (int round = -1; round < Integer.parseInt(args[1]); round++) { // the first round warms the file cache
                add(millis, "nothing", cost(""), round);
                for (String work : WORK) {
                    for (Map.Entry<Integer, Path> copy : copies.entrySet()) {
                        double cost = cost(copy.getValue().toString(), work, String.valueOf(round));
                        add(millis, work + " of " + copy.getKey(), cost, round);
                    }
                }
            }
        } finally {
            LogFiles.delete(folder);
        }
        millis.forEach((work, costs) -> {
            Collections.sort(costs);
            System.out.printf(
                    "%-20s median %4.0f ms, from %4.0f to %4.0f%n",
                    work, costs.get(costs.size() / 2), costs.get(0), costs.get(costs.size() - 1));
        });
    }

    private static void add(Map<String, List<Double>> millis, String work, double cost, int round) {
        if (round >= 0) {
            millis.computeIfAbsent(work, key -> new ArrayList<>()).add(cost);
        }
    }

    private static double cost(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ProcessCostChild.class.getName()));
        command.addAll(List.of(args));
        double before = ofChildren();
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("a JVM ended with exit code " + process.exitValue());
        }
        return ofChildren() - before;
    }

    /** The processor time of all processes that this one started and that ended, in milliseconds. */
    private static double ofChildren() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return MILLIS_PER_TICK * (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_USER + 1]));
    }
}

package dev.xmem.benchmarks;

import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Measures the hook of a coding agent from the start of the script to its end, beside the start of an empty JVM and a
 * hook written in Python that reads a SQLite file, in turn and in one run: the median of the time, and the mean of the
 * processor time. Then it sends a day of events, and compares the resident's memory and open files before and after.
 * Creates the stores if they do not exist.
 *
 * <pre>
 * java -cp benchmarks.jar dev.xmem.benchmarks.HookTime SCRIPT JAR FOLDER ENTRIES RUNS EVENTS
 * </pre>
 */
public final class HookTime {
    private static final String CALL = "git push origin topic-%d";
    private static final String ERROR = "fatal: The current branch topic-%d has no upstream branch.";
    private static final String LESSON = "git push -u origin HEAD";
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final int DAY_SHARE = 10;
    private static final int BRANCHES = 8;
    /** Sessions that recorded the failure: 60 % of the evidence for the operation, which a warning needs. */
    private static final int SESSIONS = 50;

    private final Path script;
    private final Path jar;
    private final Path home;
    private final Path store;
    private final Path sqlite;
    private final Path peer;
    private int number;

    private HookTime(Path script, Path jar, Path home, int entries) throws IOException {
        this.script = script;
        this.jar = jar;
        this.home = home;
        this.store = home.resolve("store-" + entries);
        this.sqlite = home.resolve("peer-" + entries + ".sqlite");
        this.peer = resource("hook_peer.py", home.resolve("hook_peer.py"));
    }

    /** The program that only starts. */
    static final class Empty {
        private Empty() {}

        public static void main(String[] args) {}
    }

    private static Path resource(String name, Path to) throws IOException {
        try (InputStream in = HookTime.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("no resource " + name);
            }
            Files.createDirectories(to.getParent());
            Files.write(to, in.readAllBytes());
            return to;
        }
    }

    public static void main(String[] args) throws Exception {
        Path home = Files.createDirectories(Path.of(args[2])).toRealPath();
        int entries = Integer.parseInt(args[3]);
        HookTime time =
                new HookTime(Path.of(args[0]).toRealPath(), Path.of(args[1]).toRealPath(), home, entries);
        time.fill(entries);
        long resident = time.startResident();
        try {
            time.measure(Integer.parseInt(args[4]));
            time.day(resident, Integer.parseInt(args[5]));
        } finally {
            ProcessHandle.of(resident).ifPresent(ProcessHandle::destroy);
        }
    }

    private void fill(int entries) throws Exception {
        if (!Files.exists(store)) {
            XMem.open(store).close(); // notes the hasher, as of a store that xmem has written
            LogFiles.write(store, new Dataset(entries));
            try (XMemStore filled = XMem.open(store)) {
                for (int i = 0; i < SESSIONS; i++) {
                    ToolCall call = ToolCall.shell(CALL.formatted(0)).session("earlier-" + i);
                    filled.recordFailure(Failure.of(call, ToolError.exit(128, ERROR.formatted(0)))
                            .patternAvoid(LESSON));
                }
                filled.flush();
            }
        }
        if (hasPython() && !Files.exists(sqlite)) {
            run(List.of("python3", peer.toString(), "create", sqlite.toString(), Integer.toString(entries)), "");
        }
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "-c", "import sqlite3").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** An event of one of a few sessions and branches: what a session has recorded it only counts. */
    private String event(String name) {
        number++;
        int branch = number % BRANCHES;
        return """
                {"session_id":"session-%d","hook_event_name":"%s","tool_name":"Bash",\
                "tool_input":{"command":"%s"},"tool_use_id":"toolu_%d","error":"Exit code 128\\n%s"}""".formatted(branch, name, CALL.formatted(branch), number, ERROR.formatted(branch));
    }

    private long startResident() throws Exception {
        hook(Map.of(), event("PreToolUse"));
        Path file = store.resolve(".xmem/resident");
        long until = System.nanoTime() + START_LIMIT.toNanos();
        while (!Files.exists(file)) {
            if (System.nanoTime() > until) {
                throw new IOException("no resident was started");
            }
            Thread.sleep(50);
        }
        return Long.parseLong(Files.readAllLines(file).get(2));
    }

    private String hook(Map<String, String> variables, String event) throws Exception {
        return run(List.of(script.toString(), store.toString()), event, variables);
    }

    private String run(List<String> command, String input) throws Exception {
        return run(command, input, Map.of());
    }

    private String run(List<String> command, String input, Map<String, String> variables) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("XMEM_JAR", jar.toString());
        builder.environment().put("HOME", home.toString());
        builder.environment().put("XDG_CACHE_HOME", home.resolve("cache").toString());
        builder.environment()
                .merge(
                        "PATH",
                        Path.of(System.getProperty("java.home"), "bin").toString(),
                        (path, java) -> java + ":" + path);
        builder.environment().putAll(variables);
        Process process = builder.start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + command);
        }
        return answer;
    }

    private interface Step {
        String run() throws Exception;
    }

    private void measure(int runs) throws Exception {
        Path classes = home.resolve("classes");
        resource("HookTime$Empty.class", classes.resolve("dev/xmem/benchmarks/HookTime$Empty.class"));
        List<String> empty = List.of("java", "-cp", classes.toString(), Empty.class.getName());
        Map<String, String> alone = Map.of("XMEM_RESIDENT", "off");
        Map<String, Step> steps = new LinkedHashMap<>();
        steps.put("empty JVM", () -> run(empty, ""));
        for (String name : List.of("PreToolUse", "PostToolUseFailure")) {
            steps.put(name + ", resident", () -> hook(Map.of(), event(name)));
            steps.put(name + ", none", () -> hook(alone, event(name)));
            if (hasPython()) {
                List<String> python = List.of("python3", peer.toString(), "hook", sqlite.toString());
                steps.put(name + ", Python", () -> run(python, event(name)));
            }
        }
        Map<String, double[]> millis = new LinkedHashMap<>();
        Map<String, Double> processor = new LinkedHashMap<>();
        steps.keySet().forEach(name -> millis.put(name, new double[runs]));
        int told = 0;
        for (int i = -2; i < runs; i++) { // two rounds warm the page cache, and let the class archive be made
            for (Map.Entry<String, Step> step : steps.entrySet()) {
                double before = processorMillis();
                long begin = System.nanoTime();
                String answer = step.getValue().run();
                double time = (System.nanoTime() - begin) / 1e6;
                told += answer.contains(LESSON) ? 1 : 0;
                if (i >= 0) {
                    millis.get(step.getKey())[i] = time;
                    processor.merge(step.getKey(), (processorMillis() - before) / runs, Double::sum);
                }
            }
            if (i < 0) {
                TimeUnit.SECONDS.sleep(5);
            }
        }
        double base = median(millis.get("empty JVM"));
        double baseProcessor = processor.getOrDefault("empty JVM", 0.0);
        millis.forEach((name, times) -> System.out.printf(
                "%-30s %7.1f ms %6.2f × the empty JVM; processor %7.1f ms %6.2f ×%n",
                name, median(times), median(times) / base, processor.get(name), processor.get(name) / baseProcessor));
        System.out.printf("%d of %d hooks told the lesson%n", told, (steps.size() - 1) * (runs + 2));
    }

    /** The processor time of all processes that were started and have ended, in steps of 10 ms; 0 where not known. */
    private static double processorMillis() throws IOException {
        Path stat = Path.of("/proc/self/stat");
        if (!Files.exists(stat)) {
            return 0;
        }
        String text = Files.readString(stat);
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        return 10.0 * (Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Sends many events to the resident: nine of ten before a call, one of ten a failure. */
    private void day(long resident, int events) throws Exception {
        ProcessHandle process = ProcessHandle.of(resident).orElseThrow();
        String before = state(resident);
        Duration begin = process.info().totalCpuDuration().orElse(Duration.ZERO);
        for (int i = 0; i < events; i++) {
            hook(Map.of(), event(i % DAY_SHARE == 0 ? "PostToolUseFailure" : "PreToolUse"));
        }
        Duration used = process.info().totalCpuDuration().orElse(Duration.ZERO).minus(begin);
        System.out.printf(
                "%d events: %.2f ms of processor time of the resident for each%n",
                events, (double) used.toMillis() / Math.max(1, events));
        System.out.println("before: " + before);
        System.out.println("after:  " + state(resident) + (process.isAlive() ? "" : ", ended"));
    }

    /** The heap after a full collection, the resident set, and the number of open files. */
    private String state(long resident) throws Exception {
        String pid = Long.toString(resident);
        run(List.of("jcmd", pid, "GC.run"), "");
        String heap = Stream.of(run(List.of("jcmd", pid, "GC.heap_info"), "").split("\n", -1))
                .filter(line -> line.contains("used"))
                .filter(line -> !line.contains("space"))
                .map(line -> line.strip().replaceAll(" +", " ").replaceAll(" \\[.*", ""))
                .reduce("", (all, line) -> all + line + "; ");
        Path proc = Path.of("/proc", pid);
        List<String> rss = new ArrayList<>();
        int files = -1;
        if (Files.isDirectory(proc)) {
            Files.readAllLines(proc.resolve("status")).stream()
                    .filter(line -> line.startsWith("VmRSS"))
                    .forEach(line -> rss.add(line.replaceAll("\\s+", " ")));
            try (Stream<Path> open = Files.list(proc.resolve("fd"))) {
                files = (int) open.count();
            }
        }
        return heap + String.join(", ", rss) + ", " + files + " open files";
    }
}

package dev.xmem.quickstart;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs real commands that fail on "Monday" and records them with a fix. On "Tuesday", in a new process, similar
 * commands fail in other directories and with other names, and the memory returns the fix.
 */
public final class Quickstart {
    private static final Pattern ERROR_LINE =
            Pattern.compile("error|fatal|cannot|denied|exception|missing|no such|couldn't", Pattern.CASE_INSENSITIVE);
    private static final int WIDTH = 110;

    private final Path work;
    private final XMemStore store;
    private final PrintStream out;

    private Quickstart(Path work, XMemStore store, PrintStream out) {
        this.work = work;
        this.store = store;
        this.out = out;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (args.length > 3 && args[0].equals("--tuesday")) {
            try (XMemStore store = XMem.open(Path.of(args[1]))) {
                System.exit(new Quickstart(Path.of(args[2]), store, out)
                        .tuesday(List.of(args).subList(3, args.length)));
            }
        }
        System.exit(run(args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("xmem-store"), out));
    }

    /**
     * Runs both days.
     *
     * @return 0 if every failure of Tuesday was recalled
     */
    static int run(Path directory, PrintStream out) throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("xmem-quickstart");
        try {
            List<String> recorded;
            try (XMemStore store = XMem.open(directory)) {
                recorded = new Quickstart(work, store, out).monday();
            }
            int code = newProcess(directory, work, recorded, out);
            out.println("The store is " + directory + "; its lines are plain JSON: data/failures.jsonl.");
            return code;
        } finally {
            delete(work);
        }
    }

    /** Runs every command whose tool is installed, and records its failure and the fix. */
    private List<String> monday() throws IOException, InterruptedException {
        out.println("Monday. Commands fail, and a person records the fix.");
        List<String> recorded = new ArrayList<>();
        for (Scenario scenario : Scenario.all()) {
            if (CommandRunner.find(scenario.tool()).isEmpty()) {
                continue;
            }
            CommandRunner.Result result = scenario.monday().run(work.resolve("invoice-" + scenario.tool()));
            if (result.exitCode() != 0) {
                ToolCall call = ToolCall.command(scenario.monday().command()).session("monday");
                Failure stored =
                        store.recordFailure(Failure.of(call, ToolError.exit(result.exitCode(), result.output()))
                                .patternAvoid(scenario.lesson())
                                .tags(scenario.tool(), scenario.tag()));
                recorded.add(scenario.tool());
                out.println(fit("  $ " + scenario.monday() + "   -> " + stored.ctxHash()));
            }
        }
        return recorded;
    }

    /** Repeats the mistakes with other names and prints the advice of the memory. */
    private int tuesday(List<String> recorded) throws IOException, InterruptedException {
        out.println("Tuesday, process " + ProcessHandle.current().pid() + ". The same mistakes with other names.");
        int recalled = 0;
        int failed = 0;
        for (Scenario scenario : Scenario.all()) {
            if (!recorded.contains(scenario.tool())) {
                continue;
            }
            CommandRunner.Result result = scenario.tuesday().run(work.resolve("shop-" + scenario.tool()));
            ToolCall call = ToolCall.command(scenario.tuesday().command()).session("tuesday");
            Advice advice = store.recall(call, ToolError.exit(result.exitCode(), result.output()));
            boolean found = advice.text().contains(scenario.lesson());
            failed++;
            recalled += found ? 1 : 0;
            out.println(fit("  $ " + scenario.tuesday()));
            out.println(fit("    " + errorLine(result.output())));
            out.println(found ? "    " + lesson(advice, scenario) : "    NOT RECALLED: " + advice.reason());
        }
        out.println(store.stats().text().strip());
        out.println("recalled " + recalled + " of " + failed);
        return recalled == failed && failed > 0 ? 0 : 1;
    }

    private static int newProcess(Path store, Path work, List<String> recorded, PrintStream out)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Quickstart.class.getName(),
                "--tuesday",
                store.toString(),
                work.toString()));
        command.addAll(recorded);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        try (InputStream output = process.getInputStream()) {
            output.transferTo(out);
        }
        return process.waitFor();
    }

    /** The first line that looks like an error message. */
    private static String errorLine(String output) {
        return output.lines()
                .filter(line -> ERROR_LINE.matcher(line).find())
                .findFirst()
                .or(() -> output.lines().filter(line -> !line.isBlank()).findFirst())
                .orElse("(nothing)");
    }

    private static String lesson(Advice advice, Scenario scenario) {
        return advice.text()
                .lines()
                .filter(line -> line.contains(scenario.lesson()))
                .findFirst()
                .orElse("")
                .strip();
    }

    private static String fit(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…";
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

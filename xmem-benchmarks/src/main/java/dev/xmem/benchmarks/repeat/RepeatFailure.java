package dev.xmem.benchmarks.repeat;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How many failures happen again. Every kind of task goes wrong once, and somebody writes down what to do: good advice for
 * four of five kinds, advice that is wrong or about something else for the fifth. Then come sessions in which every kind of
 * task comes once, with other names, in another order; in one of four the obvious command would work. The same agent does
 * them without a memory, with what a search for the task brings at the start of the turn, and with a guard at the tool call.
 *
 * <pre>
 * java -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.repeat.RepeatFailure [sessions [folder for the plot]]
 * </pre>
 *
 * The tools are real and those of this machine; a kind of task whose tools are missing is left out and named. No network, no
 * model, the same names each time.
 */
public final class RepeatFailure {
    private static final int SESSIONS = 12;
    private static final int EASY_ONE_OF = 4;
    private static final int BAD_ONE_OF = 5;
    private static final long SEED = 20260214;

    private final Path root;
    private final List<Scenario> scenarios;
    private int folders;

    private RepeatFailure(Path root, List<Scenario> scenarios) {
        this.root = root;
        this.scenarios = scenarios;
    }

    /** Prints the table, and writes the plot if a folder is given. */
    public static void main(String[] args) throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        int sessions = args.length > 0 ? Integer.parseInt(args[0]) : SESSIONS;
        List<Scenario> runnable = new ArrayList<>();
        for (Scenario scenario : Scenarios.all()) {
            if (scenario.isRunnable()) {
                runnable.add(scenario);
            } else {
                out.println("left out, no " + String.join(" or no ", scenario.tools()) + ": " + scenario.name());
            }
        }
        Path root = Files.createTempDirectory("xmem-repeat").toRealPath();
        Map<ExperimentArm.Kind, OutcomeCounters> results;
        try {
            results = all(runnable, root, sessions);
        } finally {
            Sandbox.delete(root);
        }
        print(results, runnable.size(), sessions, out);
        if (args.length > 1) {
            Map<String, List<Integer>> lines = new LinkedHashMap<>();
            results.forEach((kind, counters) -> lines.put(kind.title(), counters.repeatsBySession()));
            String svg = LinePlot.of(
                    "Failures that happened again, in all, where the stored advice was good", "session", lines);
            Path folder = Files.createDirectories(Path.of(args[1]));
            Files.writeString(folder.resolve("repeat-failure.svg"), svg);
        }
    }

    /** Every arm in a thread of its own: they share nothing. */
    private static Map<ExperimentArm.Kind, OutcomeCounters> all(List<Scenario> scenarios, Path root, int sessions)
            throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(ExperimentArm.Kind.values().length);
        try {
            Map<ExperimentArm.Kind, Future<OutcomeCounters>> running = new LinkedHashMap<>();
            for (ExperimentArm.Kind kind : ExperimentArm.Kind.values()) {
                Path folder = Files.createDirectories(root.resolve(kind.name()));
                running.put(kind, threads.submit(() -> new RepeatFailure(folder, scenarios).run(kind, sessions)));
            }
            Map<ExperimentArm.Kind, OutcomeCounters> results = new LinkedHashMap<>();
            for (Map.Entry<ExperimentArm.Kind, Future<OutcomeCounters>> arm : running.entrySet()) {
                results.put(arm.getKey(), arm.getValue().get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an arm did not end", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private OutcomeCounters run(ExperimentArm.Kind kind, int sessions) throws IOException, InterruptedException {
        Random random = new Random(SEED);
        OutcomeCounters counters = new OutcomeCounters();
        try (ExperimentArm arm = new ExperimentArm(kind)) {
            for (Scenario scenario : scenarios) {
                goWrong(scenario, TaskNames.of(random), arm, counters);
            }
            Agent agent = new Agent(arm, counters);
            for (int i = 1; i <= sessions; i++) {
                arm.session();
                List<Scenario> order = new ArrayList<>(scenarios);
                Collections.shuffle(order, random);
                for (Scenario scenario : order) {
                    TaskNames names = TaskNames.of(random);
                    boolean easy = random.nextInt(EASY_ONE_OF) == 0;
                    Sandbox sandbox = sandbox();
                    (easy ? scenario.easy() : scenario.setup()).make(sandbox, names);
                    agent.work(scenario, isGood(scenario), "session-" + i, names, sandbox);
                }
                counters.session();
            }
        }
        return counters;
    }

    /** The first time: the obvious command fails, and somebody writes down what to do. */
    private void goWrong(Scenario scenario, TaskNames names, ExperimentArm arm, OutcomeCounters counters)
            throws IOException, InterruptedException {
        Sandbox sandbox = sandbox();
        scenario.setup().make(sandbox, names);
        String command = Scenario.substitute(scenario.obvious(), names);
        Sandbox.Result result = sandbox.shell(command);
        if (result.worked()) {
            throw new IllegalStateException(scenario.name() + " was to fail: " + command + "\n" + result.output());
        }
        counters.markSeen(command, result);
        arm.record(command, result, advice(scenario));
        Sandbox fixed = sandbox();
        scenario.setup().make(fixed, names);
        Sandbox.Result good = fixed.shell(Scenario.substitute(scenario.good().command(), names));
        if (!good.worked() || !scenario.done().passes(fixed, names)) {
            throw new IllegalStateException(scenario.name() + " was to be helped:\n" + good.output());
        }
    }

    private boolean isGood(Scenario scenario) {
        return scenarios.indexOf(scenario) % BAD_ONE_OF != BAD_ONE_OF - 1;
    }

    /** Of the bad advice every second is wrong, the others are about another tool. */
    private String advice(Scenario scenario) {
        int at = scenarios.indexOf(scenario);
        if (isGood(scenario)) {
            return scenario.good().advice();
        }
        boolean wrong = at / BAD_ONE_OF % 2 == 0;
        return wrong
                ? scenario.bad().advice()
                : scenarios.get((at + 7) % scenarios.size()).good().advice();
    }

    private Sandbox sandbox() throws IOException {
        Path home = Files.createDirectories(root.resolve("home"));
        Path task = Files.createDirectories(root.resolve("task-" + folders++).resolve("work"));
        return new Sandbox(task, home);
    }

    private static void print(
            Map<ExperimentArm.Kind, OutcomeCounters> results, int kinds, int sessions, PrintStream out) {
        out.println(kinds + " kinds of tasks, " + sessions + " sessions");
        for (boolean good : new boolean[] {true, false}) {
            out.println();
            out.println(good ? "Stored advice was good:" : "Stored advice was wrong or about something else:");
            out.println();
            out.println(
                    "| arm | tasks | failures again | share | new failures | calls | tokens a task | bad advice tried | done | done wrongly |");
            out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
            OutcomeCounters none = results.get(ExperimentArm.Kind.NO_MEMORY);
            results.forEach((kind, counters) -> {
                OutcomeCounters.Counts counts = good ? counters.good : counters.bad;
                int base = none == null ? 0 : (good ? none.good : none.bad).repeats;
                out.println(String.format(
                        Locale.ROOT,
                        "| %s | %d | %d | %.1f %% | %d | %d | %d | %d | %d | %d |",
                        kind.title(),
                        counts.tasks,
                        counts.repeats,
                        100.0 * counts.repeats / Math.max(1, base),
                        counts.fresh,
                        counts.calls,
                        counts.tokens / Math.max(1, counts.tasks),
                        counts.badTries,
                        counts.done,
                        counts.wrong));
            });
        }
    }
}

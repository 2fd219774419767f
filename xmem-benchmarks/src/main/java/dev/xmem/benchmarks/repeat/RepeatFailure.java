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
import org.jspecify.annotations.Nullable;

/**
 * Measures how many failures happen again. Every kind of task fails once, and a user records advice: good advice for
 * four of five kinds, and advice that is wrong or about another tool for the fifth. Then follow sessions with one
 * task of each kind, with other names and in another order; in one of four tasks the obvious command works. In three of
 * four tasks the agent's way to write a command hides its exit code. The same agent does the tasks without a memory,
 * with the results of a search at the start of the turn, with a guard at the tool call, and, if the program gets the
 * path of a hook command, with hooks that are a process each.
 *
 * <pre>
 * java -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.repeat.RepeatFailure [SESSIONS [FOLDER [HOOK]]]
 * </pre>
 *
 * {@code FOLDER} receives the plot; empty for none. {@code HOOK} is the script {@code examples/mcp-server/xmem-hook};
 * twelve sessions with it start some 2,500 processes. The tools are those of the machine; a kind of task without its
 * tools is skipped and named. No network, no model, deterministic names.
 */
public final class RepeatFailure {
    private static final int SESSIONS = 12;
    private static final int EASY_ONE_IN = 4;
    private static final int BAD_ONE_IN = 5;
    private static final long SEED = 20260214;

    private final Path root;
    private final List<Scenario> scenarios;
    private int folders;

    private RepeatFailure(Path root, List<Scenario> scenarios) {
        this.root = root;
        this.scenarios = scenarios;
    }

    /** Prints the tables, and writes the plot if the arguments name a folder. */
    public static void main(String[] args) throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        int sessions = args.length > 0 ? Integer.parseInt(args[0]) : SESSIONS;
        List<Scenario> runnable = new ArrayList<>();
        for (Scenario scenario : Scenarios.all()) {
            if (scenario.isRunnable()) {
                runnable.add(scenario);
            } else {
                out.println("skipped, needs " + String.join(" and ", scenario.tools()) + ": " + scenario.name());
            }
        }
        Path root = Files.createTempDirectory("xmem-repeat").toRealPath();
        Map<ExperimentArm.Kind, OutcomeCounters> results;
        try {
            results = all(
                    runnable, root, sessions, args.length > 2 ? Path.of(args[2]).toAbsolutePath() : null);
        } finally {
            Sandbox.delete(root);
        }
        print(results, runnable.size(), sessions, out);
        if (args.length > 1 && !args[1].isEmpty()) {
            Map<String, List<Integer>> lines = new LinkedHashMap<>();
            results.forEach((kind, counters) -> lines.put(kind.title(), counters.repeatsBySession()));
            String svg = LinePlot.of(
                    "Failures that happened again, in all, where the stored advice was good", "session", lines);
            Path folder = Files.createDirectories(Path.of(args[1]));
            Files.writeString(folder.resolve("repeat-failure.svg"), svg);
        }
    }

    /** Runs each arm in its own thread; the arms share nothing. */
    private static Map<ExperimentArm.Kind, OutcomeCounters> all(
            List<Scenario> scenarios, Path root, int sessions, @Nullable Path hook)
            throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(ExperimentArm.Kind.values().length);
        try {
            Map<ExperimentArm.Kind, Future<OutcomeCounters>> running = new LinkedHashMap<>();
            for (ExperimentArm.Kind kind : ExperimentArm.Kind.values()) {
                if (kind == ExperimentArm.Kind.HOOKS && hook == null) {
                    continue;
                }
                Path folder = Files.createDirectories(root.resolve(kind.name()));
                running.put(kind, threads.submit(() -> new RepeatFailure(folder, scenarios).run(kind, sessions, hook)));
            }
            Map<ExperimentArm.Kind, OutcomeCounters> results = new LinkedHashMap<>();
            for (Map.Entry<ExperimentArm.Kind, Future<OutcomeCounters>> arm : running.entrySet()) {
                results.put(arm.getKey(), arm.getValue().get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an arm failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private OutcomeCounters run(ExperimentArm.Kind kind, int sessions, @Nullable Path hook)
            throws IOException, InterruptedException {
        Random random = new Random(SEED);
        CallHabit[] habits = CallHabit.values();
        OutcomeCounters counters = new OutcomeCounters();
        try (ExperimentArm arm =
                new ExperimentArm(kind, hook == null ? null : new HookCommand(hook, root.resolve("store")))) {
            for (Scenario scenario : scenarios) {
                failOnce(scenario, TaskNames.of(random), arm, counters);
            }
            Agent agent = new Agent(arm, counters);
            for (int i = 1; i <= sessions; i++) {
                arm.session();
                List<Scenario> order = new ArrayList<>(scenarios);
                Collections.shuffle(order, random);
                for (Scenario scenario : order) {
                    TaskNames names = TaskNames.of(random);
                    boolean easy = random.nextInt(EASY_ONE_IN) == 0;
                    CallHabit habit = habits[random.nextInt(habits.length)];
                    Sandbox sandbox = sandbox();
                    (easy ? scenario.easy() : scenario.setup()).make(sandbox, names);
                    agent.work(scenario, isGood(scenario), "session-" + i, names, sandbox, habit);
                }
                counters.session();
            }
        }
        return counters;
    }

    /** Runs the obvious command, which must fail, and records the advice. Also checks that the good fix works. */
    private void failOnce(Scenario scenario, TaskNames names, ExperimentArm arm, OutcomeCounters counters)
            throws IOException, InterruptedException {
        Sandbox sandbox = sandbox();
        scenario.setup().make(sandbox, names);
        String command = Scenario.substitute(scenario.obvious(), names);
        Sandbox.Result result = sandbox.shell(command);
        if (result.worked()) {
            throw new IllegalStateException(scenario.name() + " should fail: " + command + "\n" + result.output());
        }
        counters.markSeen(command, result);
        arm.record(command, result, advice(scenario));
        Sandbox fixed = sandbox();
        scenario.setup().make(fixed, names);
        Sandbox.Result good = fixed.shell(Scenario.substitute(scenario.good().command(), names));
        if (!good.worked() || !scenario.done().passes(fixed, names)) {
            throw new IllegalStateException(scenario.name() + ": the good fix should work:\n" + good.output());
        }
    }

    private boolean isGood(Scenario scenario) {
        return scenarios.indexOf(scenario) % BAD_ONE_IN != BAD_ONE_IN - 1;
    }

    /** Returns the advice to record. Half of the bad advice is wrong, the other half is about another tool. */
    private String advice(Scenario scenario) {
        int at = scenarios.indexOf(scenario);
        if (isGood(scenario)) {
            return scenario.good().advice();
        }
        boolean wrong = at / BAD_ONE_IN % 2 == 0;
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
        out.println(kinds + " kinds of tasks, " + sessions + (sessions == 1 ? " session" : " sessions"));
        for (boolean good : new boolean[] {true, false}) {
            out.println();
            out.println(good ? "Stored advice was good:" : "Stored advice was wrong or about something else:");
            out.println();
            out.println("| arm | tasks | repeated failures | share | new failures | calls | tokens per task |"
                    + " bad advice tried | false fixes told | done | done wrongly |");
            out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
            OutcomeCounters none = results.get(ExperimentArm.Kind.NO_MEMORY);
            results.forEach((kind, counters) -> {
                OutcomeCounters.Counts counts = good ? counters.good : counters.bad;
                int base = none == null ? 0 : (good ? none.good : none.bad).repeats;
                out.println(String.format(
                        Locale.ROOT,
                        "| %s | %d | %d | %.1f %% | %d | %d | %d | %d | %d | %d | %d |",
                        kind.title(),
                        counts.tasks,
                        counts.repeats,
                        100.0 * counts.repeats / Math.max(1, base),
                        counts.fresh,
                        counts.calls,
                        counts.tokens / Math.max(1, counts.tasks),
                        counts.badTries,
                        counts.falseFixes,
                        counts.done,
                        counts.wrong));
            });
        }
    }
}

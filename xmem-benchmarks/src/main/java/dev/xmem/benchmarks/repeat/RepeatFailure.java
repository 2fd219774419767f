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
        List<Scenario> possible = new ArrayList<>();
        for (Scenario scenario : Scenarios.all()) {
            if (scenario.possible()) {
                possible.add(scenario);
            } else {
                out.println("left out, no " + String.join(" or no ", scenario.tools()) + ": " + scenario.name());
            }
        }
        Path root = Files.createTempDirectory("xmem-repeat").toRealPath();
        Map<Arm.Kind, Tally> tallies;
        try {
            tallies = all(possible, root, sessions);
        } finally {
            Workshop.delete(root);
        }
        print(tallies, possible.size(), sessions, out);
        if (args.length > 1) {
            Map<String, List<Integer>> lines = new LinkedHashMap<>();
            tallies.forEach((kind, tally) -> lines.put(kind.title(), tally.repeatsBySession()));
            String svg =
                    Plot.of("Failures that happened again, in all, where the stored advice was good", "session", lines);
            Path folder = Files.createDirectories(Path.of(args[1]));
            Files.writeString(folder.resolve("repeat-failure.svg"), svg);
        }
    }

    /** Every arm in a thread of its own: they share nothing. */
    private static Map<Arm.Kind, Tally> all(List<Scenario> scenarios, Path root, int sessions)
            throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(Arm.Kind.values().length);
        try {
            Map<Arm.Kind, Future<Tally>> running = new LinkedHashMap<>();
            for (Arm.Kind kind : Arm.Kind.values()) {
                Path folder = Files.createDirectories(root.resolve(kind.name()));
                running.put(kind, threads.submit(() -> new RepeatFailure(folder, scenarios).run(kind, sessions)));
            }
            Map<Arm.Kind, Tally> tallies = new LinkedHashMap<>();
            for (Map.Entry<Arm.Kind, Future<Tally>> arm : running.entrySet()) {
                tallies.put(arm.getKey(), arm.getValue().get());
            }
            return tallies;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an arm did not end", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private Tally run(Arm.Kind kind, int sessions) throws IOException, InterruptedException {
        Random random = new Random(SEED);
        Tally tally = new Tally();
        try (Arm arm = new Arm(kind)) {
            for (Scenario scenario : scenarios) {
                goWrong(scenario, Names.of(random), arm, tally);
            }
            Agent agent = new Agent(arm, tally);
            for (int i = 1; i <= sessions; i++) {
                arm.session();
                List<Scenario> order = new ArrayList<>(scenarios);
                Collections.shuffle(order, random);
                for (Scenario scenario : order) {
                    Names names = Names.of(random);
                    boolean easy = random.nextInt(EASY_ONE_OF) == 0;
                    Workshop workshop = workshop();
                    (easy ? scenario.easy() : scenario.setting()).make(workshop, names);
                    agent.work(scenario, isGood(scenario), "session-" + i, names, workshop);
                }
                tally.session();
            }
        }
        return tally;
    }

    /** The first time: the obvious command fails, and somebody writes down what to do. */
    private void goWrong(Scenario scenario, Names names, Arm arm, Tally tally)
            throws IOException, InterruptedException {
        Workshop workshop = workshop();
        scenario.setting().make(workshop, names);
        String command = Scenario.named(scenario.obvious(), names);
        Workshop.Result result = workshop.shell(command);
        if (result.worked()) {
            throw new IllegalStateException(scenario.name() + " was to fail: " + command + "\n" + result.output());
        }
        tally.knows(command, result);
        arm.learn(command, result, advice(scenario));
        Workshop fixed = workshop();
        scenario.setting().make(fixed, names);
        Workshop.Result good = fixed.shell(Scenario.named(scenario.good().command(), names));
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

    private Workshop workshop() throws IOException {
        Path home = Files.createDirectories(root.resolve("home"));
        Path task = Files.createDirectories(root.resolve("task-" + folders++).resolve("work"));
        return new Workshop(task, home);
    }

    private static void print(Map<Arm.Kind, Tally> tallies, int kinds, int sessions, PrintStream out) {
        out.println(kinds + " kinds of tasks, " + sessions + " sessions");
        for (boolean good : new boolean[] {true, false}) {
            out.println();
            out.println(good ? "Stored advice was good:" : "Stored advice was wrong or about something else:");
            out.println();
            out.println(
                    "| arm | tasks | failures again | share | new failures | calls | tokens a task | bad advice tried | done | done wrongly |");
            out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
            Tally none = tallies.get(Arm.Kind.NO_MEMORY);
            tallies.forEach((kind, tally) -> {
                Tally.Part part = good ? tally.good : tally.bad;
                int base = none == null ? 0 : (good ? none.good : none.bad).repeats;
                out.println(String.format(
                        Locale.ROOT,
                        "| %s | %d | %d | %.1f %% | %d | %d | %d | %d | %d | %d |",
                        kind.title(),
                        part.tasks,
                        part.repeats,
                        100.0 * part.repeats / Math.max(1, base),
                        part.fresh,
                        part.calls,
                        part.tokens / Math.max(1, part.tasks),
                        part.badTries,
                        part.done,
                        part.wrong));
            });
        }
    }
}

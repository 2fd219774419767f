package dev.xmem.benchmarks.repeat;

import dev.xmem.benchmarks.repeat.Scenario.Fix;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A deterministic agent with one policy, whatever its memory. For each task it has a good and a bad fix, and tries
 * one only if the literal text of the fix is in its context; the text that it read last wins. Otherwise it runs the
 * obvious command, once more if that fails, and then gives up. It sees from the output whether a command failed, also
 * if its {@link CallHabit} hides the exit code from its memory. A command that worked ends the task.
 */
final class Agent {
    private static final int MAX_CALLS = 4;

    private final ExperimentArm arm;
    private final OutcomeCounters counters;
    private final TokenEstimator tokens = TokenEstimator.heuristic();

    Agent(ExperimentArm arm, OutcomeCounters counters) {
        this.arm = arm;
        this.counters = counters;
    }

    void work(Scenario scenario, boolean goodAdvice, String session, TaskNames names, Sandbox sandbox, CallHabit habit)
            throws IOException, InterruptedException {
        String task = Scenario.substitute(scenario.task(), names);
        StringBuilder context = new StringBuilder(task).append('\n').append(arm.atStart(task));
        List<String> tried = new ArrayList<>();
        boolean succeeded = false;
        while (!succeeded && tried.size() < MAX_CALLS) {
            String command = nextCommand(scenario, names, context, tried);
            if (command == null) {
                break;
            }
            if (tried.isEmpty()) {
                context.append(arm.before(session, habit.command(command)));
                String again = nextCommand(scenario, names, context, tried);
                command = again == null ? command : again;
            }
            tried.add(command);
            Sandbox.Result result = habit.result(sandbox.shell(command));
            String advice = arm.after(session, habit.command(command), result);
            if (command.equals(Scenario.substitute(scenario.obvious(), names))) {
                counters.recordAdvice(goodAdvice, scenario, advice);
            }
            context.append("\n$ ")
                    .append(habit.command(command))
                    .append('\n')
                    .append(result.shown())
                    .append(advice);
            counters.recordCall(goodAdvice, command, result, isBad(scenario, names, command));
            succeeded = result.worked();
        }
        boolean done = scenario.done().passes(sandbox, names);
        counters.recordEnd(goodAdvice, succeeded, done, tokens.estimate(context));
    }

    /** Returns the next command, or null if the agent gives up. */
    private static @Nullable String nextCommand(
            Scenario scenario, TaskNames names, StringBuilder context, List<String> tried) {
        String read = context.toString();
        List<Fix> candidates = new ArrayList<>(List.of(scenario.good(), scenario.bad()));
        candidates.removeIf(
                fix -> !read.contains(fix.literal()) || tried.contains(Scenario.substitute(fix.command(), names)));
        candidates.sort(Comparator.comparingInt((Fix fix) -> -read.lastIndexOf(fix.literal())));
        if (!candidates.isEmpty()) {
            return Scenario.substitute(candidates.get(0).command(), names);
        }
        String obvious = Scenario.substitute(scenario.obvious(), names);
        long times = tried.stream().filter(obvious::equals).count();
        boolean onlyObvious = times == tried.size();
        return times == 0 || times == 1 && onlyObvious ? obvious : null;
    }

    private static boolean isBad(Scenario scenario, TaskNames names, String command) {
        return command.equals(Scenario.substitute(scenario.bad().command(), names));
    }
}

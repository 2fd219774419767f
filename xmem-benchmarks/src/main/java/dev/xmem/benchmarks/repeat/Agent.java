package dev.xmem.benchmarks.repeat;

import dev.xmem.benchmarks.repeat.Scenario.Fix;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An agent without any wit of its own: one policy, the same whatever memory it has. It knows a good and a bad way out of each
 * trouble, and tries one only if its literal text stands in what it has read; what it read last comes first. Otherwise it
 * does the obvious, once more if that failed, and then gives up. A command that ends with code 0 is the end of the task.
 */
final class Agent {
    private static final int MOST_CALLS = 4;

    private final ExperimentArm arm;
    private final OutcomeCounters counters;
    private final TokenEstimator tokens = TokenEstimator.heuristic();

    Agent(ExperimentArm arm, OutcomeCounters counters) {
        this.arm = arm;
        this.counters = counters;
    }

    void work(Scenario scenario, boolean goodAdvice, String session, TaskNames names, Sandbox sandbox)
            throws IOException, InterruptedException {
        String task = Scenario.substitute(scenario.task(), names);
        StringBuilder context = new StringBuilder(task).append('\n').append(arm.atStart(task));
        List<String> tried = new ArrayList<>();
        boolean believed = false;
        while (!believed && tried.size() < MOST_CALLS) {
            String command = chosen(scenario, names, context, tried);
            if (command == null) {
                break;
            }
            if (tried.isEmpty()) {
                context.append(arm.before(session, command));
                String again = chosen(scenario, names, context, tried);
                command = again == null ? command : again;
            }
            tried.add(command);
            Sandbox.Result result = sandbox.shell(command);
            String advice = arm.after(session, command, result);
            context.append("\n$ ")
                    .append(command)
                    .append('\n')
                    .append(result.shown())
                    .append(advice);
            counters.called(goodAdvice, command, result, isBad(scenario, names, command));
            believed = result.worked();
        }
        boolean done = scenario.done().passes(sandbox, names);
        counters.ended(goodAdvice, believed, done, tokens.estimate(context));
    }

    /** The command to run next; null if the agent gives up. */
    private static @Nullable String chosen(
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

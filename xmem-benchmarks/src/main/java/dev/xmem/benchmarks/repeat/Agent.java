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

    private final Arm arm;
    private final Tally tally;
    private final TokenEstimator tokens = TokenEstimator.heuristic();

    Agent(Arm arm, Tally tally) {
        this.arm = arm;
        this.tally = tally;
    }

    void work(Scenario scenario, boolean goodAdvice, String session, Names names, Workshop workshop)
            throws IOException, InterruptedException {
        String task = Scenario.named(scenario.task(), names);
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
            Workshop.Result result = workshop.shell(command);
            String advice = arm.after(session, command, result);
            context.append("\n$ ")
                    .append(command)
                    .append('\n')
                    .append(result.shown())
                    .append(advice);
            tally.called(goodAdvice, command, result, isBad(scenario, names, command));
            believed = result.worked();
        }
        boolean done = scenario.done().passes(workshop, names);
        tally.ended(goodAdvice, believed, done, tokens.estimate(context));
    }

    /** The command to run next; null if the agent gives up. */
    private static @Nullable String chosen(Scenario scenario, Names names, StringBuilder context, List<String> tried) {
        String read = context.toString();
        List<Fix> known = new ArrayList<>(List.of(scenario.good(), scenario.bad()));
        known.removeIf(fix -> !read.contains(fix.literal()) || tried.contains(Scenario.named(fix.command(), names)));
        known.sort(Comparator.comparingInt((Fix fix) -> -read.lastIndexOf(fix.literal())));
        if (!known.isEmpty()) {
            return Scenario.named(known.get(0).command(), names);
        }
        String obvious = Scenario.named(scenario.obvious(), names);
        long times = tried.stream().filter(obvious::equals).count();
        boolean onlyObvious = times == tried.size();
        return times == 0 || times == 1 && onlyObvious ? obvious : null;
    }

    private static boolean isBad(Scenario scenario, Names names, String command) {
        return command.equals(Scenario.named(scenario.bad().command(), names));
    }
}

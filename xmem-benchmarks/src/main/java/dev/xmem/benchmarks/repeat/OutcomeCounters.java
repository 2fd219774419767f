package dev.xmem.benchmarks.repeat;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Counts the outcomes of one arm. A failure is repeated if its context hash occurred before. */
final class OutcomeCounters {
    private final ContextHasher hasher = XMem.hasher();
    private final Set<String> seen = new HashSet<>();
    private final List<Integer> repeatsBySession = new ArrayList<>();

    /** Counters of the tasks with good advice, or of the others. */
    static final class Counts {
        int tasks;
        int calls;
        int repeats;
        int fresh;
        int badTries;
        int falseFixes;
        int done;
        int wrong;
        long tokens;
    }

    final Counts good = new Counts();
    final Counts bad = new Counts();

    private Counts counts(boolean goodAdvice) {
        return goodAdvice ? good : bad;
    }

    /** Marks a failure as seen without counting it. */
    void markSeen(String command, Sandbox.Result result) {
        seen.add(hash(command, result));
    }

    void session() {
        repeatsBySession.add(good.repeats);
    }

    void recordCall(boolean goodAdvice, String command, Sandbox.Result result, boolean isBad) {
        Counts counts = counts(goodAdvice);
        counts.calls++;
        counts.badTries += isBad ? 1 : 0;
        if (!result.worked()) {
            if (seen.add(hash(command, result))) {
                counts.fresh++;
            } else {
                counts.repeats++;
            }
        }
    }

    /** Counts the fixes in an advice on the obvious command that are this command itself, in whatever form. */
    void recordAdvice(boolean goodAdvice, Scenario scenario, String advice) {
        counts(goodAdvice).falseFixes += (int) advice.lines()
                .filter(line -> line.startsWith("worked:") && scenario.isObvious(line))
                .count();
    }

    void recordEnd(boolean goodAdvice, boolean succeeded, boolean done, int tokens) {
        Counts counts = counts(goodAdvice);
        counts.tasks++;
        counts.tokens += tokens;
        counts.done += done ? 1 : 0;
        counts.wrong += succeeded && !done ? 1 : 0;
    }

    /** Returns the cumulative number of repeated failures after each session, for the tasks with good advice. */
    List<Integer> repeatsBySession() {
        return repeatsBySession;
    }

    private String hash(String command, Sandbox.Result result) {
        return hasher.hash(HashInput.of(ToolCall.shell(command)).error(ToolError.exit(result.code(), result.output())))
                .value();
    }
}

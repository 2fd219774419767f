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

/** What happened in one arm. A failure is a repeated one if one of its context hash happened before. */
final class OutcomeCounters {
    private final ContextHasher hasher = XMem.hasher();
    private final Set<String> seen = new HashSet<>();
    private final List<Integer> repeatsBySession = new ArrayList<>();

    /** Figures of the tasks whose stored advice was good, or of the others. */
    static final class Counts {
        int tasks;
        int calls;
        int repeats;
        int fresh;
        int badTries;
        int done;
        int wrong;
        long tokens;
    }

    final Counts good = new Counts();
    final Counts bad = new Counts();

    private Counts counts(boolean goodAdvice) {
        return goodAdvice ? good : bad;
    }

    /** A failure that happened before anything is counted. */
    void markSeen(String command, Sandbox.Result result) {
        seen.add(hash(command, result));
    }

    void session() {
        repeatsBySession.add(good.repeats);
    }

    void called(boolean goodAdvice, String command, Sandbox.Result result, boolean isBad) {
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

    void ended(boolean goodAdvice, boolean believed, boolean done, int tokens) {
        Counts counts = counts(goodAdvice);
        counts.tasks++;
        counts.tokens += tokens;
        counts.done += done ? 1 : 0;
        counts.wrong += believed && !done ? 1 : 0;
    }

    /** How many failures had happened again after each session, where the advice was good. */
    List<Integer> repeatsBySession() {
        return repeatsBySession;
    }

    private String hash(String command, Sandbox.Result result) {
        return hasher.hash(HashInput.of(ToolCall.shell(command)).error(ToolError.exit(result.code(), result.output())))
                .value();
    }
}

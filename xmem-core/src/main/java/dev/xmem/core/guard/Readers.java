package dev.xmem.core.guard;

import dev.xmem.core.hash.CommandLine;
import java.util.Locale;
import java.util.Set;

/** Tells calls that only look at something from those that change it; looking is no step of a fix. Stateless. */
final class Readers {
    private static final Set<String> READERS = Trivial.words("readers");

    private Readers() {}

    /** Whether the call may have changed something. */
    static boolean changes(Step step) {
        CommandLine.Call call = CommandLine.of(step.tool(), step.action());
        String operation = call.operation().toLowerCase(Locale.ROOT);
        return !READERS.contains(call.tool())
                && !READERS.contains(call.tool() + ':' + operation)
                && !call.words().contains("--help")
                && !call.words().contains("--version");
    }
}

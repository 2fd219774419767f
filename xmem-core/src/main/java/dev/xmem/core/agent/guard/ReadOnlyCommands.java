package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.CommandLine;
import java.util.Locale;
import java.util.Set;

/** Tells calls that only look at something from those that change it; looking is no step of a fix. Stateless. */
final class ReadOnlyCommands {
    private static final Set<String> READERS = TrivialFailures.words("readers");

    private ReadOnlyCommands() {}

    /** Whether the call may have changed something. */
    static boolean changes(SessionCall step) {
        CommandLine.Call call = CommandLine.of(step.tool(), step.action());
        String operation = call.operation().toLowerCase(Locale.ROOT);
        return !READERS.contains(call.tool())
                && !READERS.contains(call.tool() + ':' + operation)
                && !call.words().contains("--help")
                && !call.words().contains("--version");
    }
}

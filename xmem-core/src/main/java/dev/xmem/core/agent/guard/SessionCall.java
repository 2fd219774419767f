package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.CommandLine;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A finished call of a session, redacted.
 *
 * @param number its number in the session, from 1
 * @param operation the operation of the call, whatever its result
 * @param failure how it failed; null if it succeeded
 */
record SessionCall(
        long number,
        String tool,
        String action,
        String operation,
        @Nullable FailureInfo failure) {
    private static final Set<String> READERS = TrivialFailures.words("readers");

    /**
     * How a call failed.
     *
     * @param family the value of the context hash
     * @param pattern the part of the context hash that describes the error
     * @param subject the name that the error is about; empty if it names none
     * @param written holds the id of the recorded failure as soon as it is written; null if nothing is recorded
     * @param known the id of the newest stored entry of the same failure; null if there is none
     * @param suggested the suggestions that the agent got
     */
    record FailureInfo(
            String family,
            String pattern,
            String subject,
            @Nullable AtomicReference<@Nullable String> written,
            @Nullable String known,
            List<Suggestion> suggested) {
        FailureInfo {
            suggested = List.copyOf(suggested);
        }

        /** The id that a success answers; null if the failure has none yet. */
        @Nullable String id() {
            String id = written == null ? null : written.get();
            return id == null ? known : id;
        }
    }

    /** Whether both calls have the same tool and operation. */
    boolean isLike(SessionCall other) {
        return operation.equals(other.operation) && tool.equals(other.tool);
    }

    /** Whether both calls have the same tool and action. */
    boolean isSame(SessionCall other) {
        return tool.equals(other.tool) && action.equals(other.action);
    }

    /** Whether both calls do the same work, whatever reads their output. */
    boolean isSameWork(SessionCall other) {
        return tool.equals(other.tool) && work().equals(other.work());
    }

    /** The action without what only reads its output. */
    String work() {
        return WorkingCommand.of(tool, action);
    }

    /** Whether the call only reads; such a call is no step of a fix. The tools are listed in {@code trivial.txt}. */
    boolean isReadOnly() {
        CommandLine.Call call = CommandLine.of(tool, action);
        return READERS.contains(call.tool())
                || READERS.contains(call.tool() + ':' + call.operation().toLowerCase(Locale.ROOT))
                || call.words().contains("--help")
                || call.words().contains("--version");
    }

    /** The call as a command line. */
    String line() {
        String line = action.strip();
        boolean whole = !line.startsWith("{") && namesTool(line);
        return line.isEmpty() ? tool : whole ? line : tool + ' ' + line;
    }

    /** Whether the action is a whole command line, such as a pipeline: the tool's name is in it. */
    private boolean namesTool(String line) {
        return line.equals(tool)
                || line.startsWith(tool + ' ')
                || line.contains(' ' + tool + ' ')
                || line.contains("/" + tool + ' ');
    }
}

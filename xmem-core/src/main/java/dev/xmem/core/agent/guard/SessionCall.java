package dev.xmem.core.agent.guard;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a session that is over, redacted.
 *
 * @param number the how manieth of its session it was
 * @param operation the family of the call without regard to how it ended
 * @param failure how it failed; null if it worked
 */
record SessionCall(
        long number,
        String tool,
        String action,
        String operation,
        @Nullable Setback failure) {

    /**
     * How a call failed.
     *
     * @param family the context hash's value
     * @param pattern what of the hash speaks of the error
     * @param subject what it was about; empty if nothing was named
     * @param recording the line that it becomes; null if it becomes none
     * @param known the id of the newest entry that is the same failure; null if there was none
     * @param suggested what the memory said about it
     */
    record Setback(
            String family,
            String pattern,
            String subject,
            @Nullable PendingRecord recording,
            @Nullable String known,
            List<Suggestion> suggested) {
        Setback {
            suggested = List.copyOf(suggested);
        }

        /** The id that an answer to it names; null if it has none. */
        @Nullable String id() {
            String written = recording == null ? null : recording.id();
            return written == null ? known : written;
        }
    }

    /** Whether two calls are of one tool and one operation of it. */
    boolean isLike(SessionCall other) {
        return operation.equals(other.operation) && tool.equals(other.tool);
    }

    boolean isSame(SessionCall other) {
        return tool.equals(other.tool) && action.equals(other.action);
    }

    /** The call as somebody would write it. */
    String line() {
        String said = action.strip();
        boolean whole = !said.startsWith("{") && beginsWithTool(said);
        return said.isEmpty() ? tool : whole ? said : tool + ' ' + said;
    }

    /** Whether the action is a whole line: one with the tool's name in it, as a chain of commands is kept. */
    private boolean beginsWithTool(String said) {
        return said.equals(tool)
                || said.startsWith(tool + ' ')
                || said.contains(' ' + tool + ' ')
                || said.contains("/" + tool + ' ');
    }
}

package dev.xmem;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool, in one of the three ways a framework has it. Immutable and thread-safe: each setter returns a copy.
 */
public final class ToolCall {
    private final String tool;
    private final String action;
    private final @Nullable String session;
    private final @Nullable String callId;

    private ToolCall(String tool, String action, @Nullable String session, @Nullable String callId) {
        this.tool = tool;
        this.action = action;
        this.session = session;
        this.callId = callId;
    }

    /**
     * A process, as it is started: no quoting to guess.
     *
     * @throws IllegalArgumentException if the list is empty
     */
    public static ToolCall command(List<String> argv) {
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("a command has at least a program");
        }
        return of(ShellQuoting.of(argv));
    }

    /** A line for a shell. The tool is the first program that is not a wrapper such as {@code sudo} or {@code cd x &&}. */
    public static ToolCall shell(String line) {
        return of(ShellQuoting.of(line));
    }

    /** A tool with JSON arguments, as model providers hand it over. */
    public static ToolCall json(String tool, String arguments) {
        return new ToolCall(
                Objects.requireNonNull(tool, "tool"), Objects.requireNonNull(arguments, "arguments"), null, null);
    }

    private static ToolCall of(ShellQuoting line) {
        return new ToolCall(line.tool(), line.action(), null, null);
    }

    /** The session it belongs to. */
    public ToolCall session(String id) {
        return new ToolCall(tool, action, Objects.requireNonNull(id, "id"), callId);
    }

    /** The framework's id of this call: what makes two reports of it one. */
    public ToolCall callId(String id) {
        return new ToolCall(tool, action, session, Objects.requireNonNull(id, "id"));
    }

    /** The tool's name: a program's base name, or the name given with the arguments. */
    public String tool() {
        return tool;
    }

    /** The rest of the line after the tool, the whole line where it is more than one command, or the JSON arguments. */
    public String action() {
        return action;
    }

    /** The session it belongs to; null if unknown. */
    public @Nullable String session() {
        return session;
    }

    /** The framework's id of this call; null if unknown. */
    public @Nullable String callId() {
        return callId;
    }
}

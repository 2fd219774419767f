package dev.xmem;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool call, in one of the three forms that frameworks use: an argument list, a shell line, or a name with JSON
 * arguments. Immutable and thread-safe; each setter returns a copy.
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
     * Creates a call from a program and its arguments, which need no shell quoting.
     *
     * @throws IllegalArgumentException if the list is empty
     */
    public static ToolCall command(List<String> argv) {
        Objects.requireNonNull(argv, "argv").forEach(word -> Objects.requireNonNull(word, "argv"));
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("a command needs at least a program");
        }
        return parsed(ShellQuoting.of(argv));
    }

    /**
     * Creates a call from a shell line. The tool is the first program after wrappers such as {@code sudo} or
     * {@code cd x &&}.
     */
    public static ToolCall shell(String line) {
        return parsed(ShellQuoting.of(Objects.requireNonNull(line, "line")));
    }

    /** Creates a call from a tool name and JSON arguments, the form of model providers. */
    public static ToolCall json(String tool, String arguments) {
        return of(tool, Objects.requireNonNull(arguments, "arguments"));
    }

    /** Creates a call from the tool and the action of an entry, such as {@code git} and {@code push origin main}. */
    public static ToolCall of(String tool, String action) {
        return new ToolCall(Objects.requireNonNull(tool, "tool"), Objects.requireNonNull(action, "action"), null, null);
    }

    private static ToolCall parsed(ShellQuoting line) {
        return of(line.tool(), line.action());
    }

    /** Returns a copy with the id of the session that makes the call. Default: none. */
    public ToolCall session(String id) {
        return new ToolCall(tool, action, Objects.requireNonNull(id, "id"), callId);
    }

    /** Returns a copy with the framework's id of this call, by which repeated reports are recognized. Default: none. */
    public ToolCall callId(String id) {
        return new ToolCall(tool, action, session, Objects.requireNonNull(id, "id"));
    }

    /** Returns the name of the tool: the base name of a program, or the name given with JSON arguments. */
    public String tool() {
        return tool;
    }

    /**
     * Returns the line after the tool, the whole line if it has several commands or names its program by a path, or the
     * JSON arguments.
     */
    public String action() {
        return action;
    }

    /** Returns the session; null if unknown. */
    public @Nullable String session() {
        return session;
    }

    /** Returns the framework's id of this call; null if unknown. */
    public @Nullable String callId() {
        return callId;
    }
}

package dev.xmem;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The error of a tool call: an exit code with output, an exception, or a message. Immutable and thread-safe. */
public final class ToolError {
    private static final int MAX_CAUSES = 8;

    private final String text;
    private final @Nullable Integer exitCode;

    private ToolError(String text, @Nullable Integer exitCode) {
        this.text = text;
        this.exitCode = exitCode;
    }

    /** Creates an error from the exit code and the output of a process. */
    public static ToolError exit(int code, String output) {
        return new ToolError(Objects.requireNonNull(output, "output"), code);
    }

    /** Creates an error from an exception, with the classes and messages of up to 8 causes. */
    public static ToolError thrown(Throwable t) {
        StringBuilder text = new StringBuilder(Objects.requireNonNull(t, "t").toString());
        Throwable cause = t.getCause();
        for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
            text.append("\nCaused by: ").append(cause);
        }
        return new ToolError(text.toString(), null);
    }

    /** Creates an error from a message, without a process or exception. */
    public static ToolError text(String message) {
        return new ToolError(Objects.requireNonNull(message, "message"), null);
    }

    /** Returns the complete text of the error. */
    public String text() {
        return text;
    }

    /** Returns the exit code; null if there was no process. */
    public @Nullable Integer exitCode() {
        return exitCode;
    }
}

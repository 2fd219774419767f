package dev.xmem;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a call failed. Immutable and thread-safe. */
public final class ToolError {
    private static final int MAX_CAUSES = 8;

    private final String text;
    private final @Nullable Integer exitCode;

    private ToolError(String text, @Nullable Integer exitCode) {
        this.text = Objects.requireNonNull(text, "text");
        this.exitCode = exitCode;
    }

    /** A process that ended with a code and printed something. */
    public static ToolError exit(int code, String output) {
        return new ToolError(output, code);
    }

    /** An exception, with the classes and messages of its causes. */
    public static ToolError thrown(Throwable t) {
        StringBuilder text = new StringBuilder(t.toString());
        Throwable cause = t.getCause();
        for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
            text.append("\nCaused by: ").append(cause);
        }
        return new ToolError(text.toString(), null);
    }

    /** A message, where there is neither a process nor an exception. */
    public static ToolError text(String message) {
        return new ToolError(message, null);
    }

    /** All that the tool said. */
    public String text() {
        return text;
    }

    /** The exit code; null where there was no process. */
    public @Nullable Integer exitCode() {
        return exitCode;
    }
}

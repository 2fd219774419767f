package dev.xmem.spi;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event to be hashed: a call, a call that failed, or a success. Immutable and thread-safe: each setter returns a
 * copy, so that fields can be added without breaking a hasher.
 */
public final class HashInput {
    private final String tool;
    private final String action;
    private final String error;
    private final @Nullable Integer exitCode;
    private final @Nullable String patternName;
    private final List<String> keySteps;
    private final @Nullable String signature;

    private HashInput(
            String tool,
            String action,
            String error,
            @Nullable Integer exitCode,
            @Nullable String patternName,
            List<String> keySteps,
            @Nullable String signature) {
        this.tool = Objects.requireNonNull(tool, "tool");
        this.action = Objects.requireNonNull(action, "action");
        this.error = Objects.requireNonNull(error, "error");
        this.exitCode = exitCode;
        this.patternName = patternName;
        this.keySteps = List.copyOf(keySteps);
        this.signature = signature;
    }

    /** A call that has not happened yet. */
    public static HashInput of(ToolCall call) {
        return of(call.tool(), call.action());
    }

    /** A call that has not happened yet; a leading tool name in the action is optional. */
    public static HashInput of(String tool, String action) {
        return new HashInput(tool, action, "", null, null, List.of(), null);
    }

    /** The call failed so. */
    public HashInput error(ToolError error) {
        return error(error.text(), error.exitCode());
    }

    /** The call failed with this text and exit code. */
    public HashInput error(String text, @Nullable Integer exitCode) {
        return new HashInput(tool, action, text, exitCode, patternName, keySteps, signature);
    }

    /** It is a success of this name. */
    public HashInput patternName(String name) {
        return new HashInput(tool, action, error, exitCode, Objects.requireNonNull(name, "name"), keySteps, signature);
    }

    /** The steps of the success. */
    public HashInput keySteps(List<String> steps) {
        return new HashInput(tool, action, error, exitCode, patternName, steps, signature);
    }

    /** The short name of what makes the success work. */
    public HashInput signature(String signature) {
        return new HashInput(tool, action, error, exitCode, patternName, keySteps, Objects.requireNonNull(signature));
    }

    /** The tool as it was given. */
    public String tool() {
        return tool;
    }

    /** The command line or operation as it was given. */
    public String action() {
        return action;
    }

    /** What is stored of the error: its telling lines; empty where nothing failed. */
    public String error() {
        return error;
    }

    /** The exit code; null where there was none. */
    public @Nullable Integer exitCode() {
        return exitCode;
    }

    /** The success's name; null where it is none. */
    public @Nullable String patternName() {
        return patternName;
    }

    /** The success's steps; empty where it has none. */
    public List<String> keySteps() {
        return keySteps;
    }

    /** The success's signature; null where none was given. */
    public @Nullable String signature() {
        return signature;
    }
}

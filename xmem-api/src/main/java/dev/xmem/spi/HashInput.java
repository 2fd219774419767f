package dev.xmem.spi;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event to hash: a call, a failed call, or a success. Immutable and thread-safe; each setter returns a copy. Fields
 * may be added in a minor release.
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
        this.keySteps = List.copyOf(Objects.requireNonNull(keySteps, "keySteps"));
        this.signature = signature;
    }

    /** Creates the input of a call that has not happened yet. */
    public static HashInput of(ToolCall call) {
        return of(Objects.requireNonNull(call, "call").tool(), call.action());
    }

    /** Creates the input of a call that has not happened yet. A leading tool name in the action is optional. */
    public static HashInput of(String tool, String action) {
        return new HashInput(tool, action, "", null, null, List.of(), null);
    }

    /** Returns a copy with the error of a failed call. */
    public HashInput error(ToolError error) {
        return error(Objects.requireNonNull(error, "error").text(), error.exitCode());
    }

    /** Returns a copy with the error text and exit code of a failed call. Default: empty and null. */
    public HashInput error(String text, @Nullable Integer exitCode) {
        return new HashInput(tool, action, text, exitCode, patternName, keySteps, signature);
    }

    /** Returns a copy with the name of a success. Default: null, not a success. */
    public HashInput patternName(String name) {
        return new HashInput(tool, action, error, exitCode, Objects.requireNonNull(name, "name"), keySteps, signature);
    }

    /** Returns a copy with the steps of a success. Default: none. */
    public HashInput keySteps(List<String> steps) {
        return new HashInput(tool, action, error, exitCode, patternName, steps, signature);
    }

    /** Returns a copy with the short name of the solution. Default: null. */
    public HashInput signature(String signature) {
        return new HashInput(
                tool, action, error, exitCode, patternName, keySteps, Objects.requireNonNull(signature, "signature"));
    }

    /** Returns the tool as given. */
    public String tool() {
        return tool;
    }

    /** Returns the command line or operation as given. */
    public String action() {
        return action;
    }

    /** Returns the relevant lines of the error, as they are stored; empty if nothing failed. */
    public String error() {
        return error;
    }

    /** Returns the exit code; null if there is none. */
    public @Nullable Integer exitCode() {
        return exitCode;
    }

    /** Returns the name of the success; null if the event is not one. */
    public @Nullable String patternName() {
        return patternName;
    }

    /** Returns the steps of the success; empty if there are none. */
    public List<String> keySteps() {
        return keySteps;
    }

    /** Returns the signature of the success; null if there is none. */
    public @Nullable String signature() {
        return signature;
    }
}

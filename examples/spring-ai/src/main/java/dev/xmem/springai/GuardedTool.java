package dev.xmem.springai;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.metadata.ToolMetadata;
import org.springframework.ai.util.JsonHelper;

/**
 * Wraps a tool of one session so that the guard sees its calls. The exception processor of the application handles the
 * same exceptions as without the wrapper.
 */
record GuardedTool(ToolCallback tool, String session, ToolGuard guard, Predicate<String> isSoftFailure, int stopAfter)
        implements ToolCallback {
    private static final JsonHelper JSON = new JsonHelper();

    /** Guards another tool of the same session. */
    GuardedTool with(ToolCallback other) {
        return new GuardedTool(other, session, guard, isSoftFailure, stopAfter);
    }

    @Override
    public ToolDefinition getToolDefinition() {
        return tool.getToolDefinition();
    }

    @Override
    public ToolMetadata getToolMetadata() {
        return tool.getToolMetadata();
    }

    @Override
    public String call(String input) {
        return guarded(input, () -> tool.call(input));
    }

    @Override
    public String call(String input, @Nullable ToolContext context) {
        return guarded(input, () -> tool.call(input, context));
    }

    private String guarded(String input, Supplier<String> run) {
        ToolCall call = ToolCall.json(tool.getToolDefinition().name(), input).session(session);
        Advice warning = guard.before(call);
        try {
            String result = run.get();
            boolean failed = isSoftFailure.test(result);
            Advice advice = failed(call, ToolError.exit(failed ? 1 : 0, text(result)));
            return result + adviceText(failed || !advice.isEmpty() ? advice : warning);
        } catch (RepeatedFailureException e) { // ends the turn
            throw e;
        } catch (ToolExecutionException e) { // the exception of the tool is the cause
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String text = adviceText(failed(call, ToolError.thrown(cause)));
            throw text.isEmpty() ? e : new AdvisedException(tool.getToolDefinition(), cause, text);
        } catch (RuntimeException e) { // ends the turn
            guard.failed(call, ToolError.thrown(e));
            throw e;
        }
    }

    /** The advice on a result. */
    private Advice failed(ToolCall call, ToolError result) {
        Advice advice = guard.failed(call, result);
        if (stopAfter > 0 && advice.repeats() >= stopAfter) {
            throw new RepeatedFailureException(call.tool(), advice.repeats());
        }
        return advice;
    }

    /** The text of a result; Spring's own tools return JSON strings. */
    private static String text(String result) {
        if (!result.startsWith("\"")) {
            return result;
        }
        try {
            return JSON.fromJson(result, String.class);
        } catch (RuntimeException e) {
            return result; // a text that only begins like a JSON string
        }
    }

    /** Empty for tools that return directly, because their result goes to the user, not to the model. */
    private String adviceText(Advice advice) {
        return getToolMetadata().returnDirect() ? "" : advice.text();
    }

    /** The same failure with the advice appended to its message. */
    private static final class AdvisedException extends ToolExecutionException {
        private static final long serialVersionUID = 1;

        private final String message;

        AdvisedException(ToolDefinition tool, Throwable cause, String advice) {
            super(tool, cause);
            String original = cause.getMessage();
            this.message =
                    (original == null || original.isBlank() ? cause.getClass().getSimpleName() : original) + advice;
        }

        @Override
        public String getMessage() {
            return message;
        }
    }
}

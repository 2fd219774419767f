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

/** A tool with a memory beside it, in one session. Whoever handles what the tool throws handles it as before. */
record WatchedTool(ToolCallback tool, String session, ToolGuard guard, Predicate<String> saysItFailed)
        implements ToolCallback {
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
        return watched(input, () -> tool.call(input));
    }

    @Override
    public String call(String input, @Nullable ToolContext context) {
        return watched(input, () -> tool.call(input, context));
    }

    private String watched(String input, Supplier<String> run) {
        ToolCall call = ToolCall.json(tool.getToolDefinition().name(), input).session(session);
        Advice warning = guard.before(call);
        try {
            String result = run.get();
            if (saysItFailed.test(result)) {
                return result + told(guard.failed(call, ToolError.text(result)));
            }
            guard.succeeded(call);
            return result + told(warning);
        } catch (ToolExecutionException e) { // what the tool threw is the cause
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String told = told(guard.failed(call, ToolError.thrown(cause)));
            throw told.isEmpty() ? e : new AdvisedException(tool.getToolDefinition(), cause, told);
        } catch (RuntimeException e) { // ends the turn
            guard.failed(call, ToolError.thrown(e));
            throw e;
        }
    }

    /** For the model: what a tool returns directly is for the user. */
    private String told(Advice advice) {
        return getToolMetadata().returnDirect() ? "" : advice.text();
    }

    /** The same failure, its message with the advice after it. */
    private static final class AdvisedException extends ToolExecutionException {
        private static final long serialVersionUID = 1;

        private final String message;

        AdvisedException(ToolDefinition tool, Throwable cause, String advice) {
            super(tool, cause);
            String said = cause.getMessage();
            this.message = (said == null || said.isBlank() ? cause.getClass().getSimpleName() : said) + advice;
        }

        @Override
        public String getMessage() {
            return message;
        }
    }
}

package dev.xmem.adk;

import com.google.adk.JsonBaseModel;
import com.google.adk.agents.CallbackContext;
import com.google.adk.agents.InvocationContext;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.plugins.BasePlugin;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import io.reactivex.rxjava3.core.Maybe;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives the agents of a runner an experience memory. Advice from earlier similar failures is added to the result of a
 * failed tool call, in the same turn. New failures are recorded automatically, and so is the call that then works. The
 * user's best matching rules are added to the instructions; {@code /xmem:} commands are answered without a model.
 * Thread-safe.
 *
 * <pre>{@code
 * Runner runner = Runner.builder().agent(agent).appName("app").plugins(XMemPlugin.with(store)).build();
 * }</pre>
 *
 * <p>The session of the memory is ADK's session.
 */
public final class XMemPlugin extends BasePlugin {
    private final ToolGuard guard;
    private final SlashCommands commands;
    private final Predicate<Map<String, Object>> isSoftFailure;
    private final int stopAfter;

    private XMemPlugin(
            ToolGuard guard, SlashCommands commands, Predicate<Map<String, Object>> isSoftFailure, int stopAfter) {
        super("xmem");
        this.guard = guard;
        this.commands = commands;
        this.isSoftFailure = isSoftFailure;
        this.stopAfter = stopAfter;
    }

    /**
     * A plugin that treats exceptions of tools, results with {@code "status": "error"} and results that report an error
     * as failures.
     */
    public static XMemPlugin with(XMemStore store) {
        return new XMemPlugin(store.guard(), SlashCommands.on(store), ToolResults::isError, 0);
    }

    /** Treats further results as failures. */
    public XMemPlugin softFailures(Predicate<Map<String, Object>> failed) {
        return new XMemPlugin(guard, commands, isSoftFailure.or(failed), stopAfter);
    }

    /**
     * Ends the run with a {@link RepeatedFailureException} when a call has failed this many times in its session,
     * unchanged and in the same way. Default: 0, never.
     */
    public XMemPlugin stopAfter(int repeats) {
        return new XMemPlugin(guard, commands, isSoftFailure, repeats);
    }

    @Override
    public Maybe<Content> beforeRunCallback(InvocationContext at) {
        return Maybe.defer(() -> Maybe.fromOptional(commands.answer(message(at), session(at))
                .map(answer -> Content.builder()
                        .role("model")
                        .parts(Part.fromText(answer))
                        .build())));
    }

    @Override
    public Maybe<LlmResponse> beforeModelCallback(CallbackContext context, LlmRequest.Builder request) {
        InvocationContext at = context.invocationContext();
        String instructions = guard.rules(message(at))
                + guard.userSaid(session(at), message(at)).text();
        if (!instructions.isEmpty()) {
            request.appendInstructions(List.of(instructions.strip()));
        }
        return Maybe.empty();
    }

    /**
     * Called for results of tools, and also for the replacement of an error; the guard recognizes the latter by the
     * call id.
     */
    @Override
    public Maybe<Map<String, Object>> afterToolCallback(
            BaseTool tool, Map<String, Object> arguments, ToolContext context, @Nullable Map<String, Object> result) {
        if (result == null) {
            return Maybe.empty(); // a long-running tool has no result yet
        }
        ToolCall call = call(tool, arguments, context);
        boolean failed = isSoftFailure.test(result);
        Advice warning = failed ? null : guard.before(call);
        Advice advice = guard.failed(call, ToolError.exit(failed ? 1 : 0, ToolResults.text(result)));
        return isRepeated(advice)
                ? Maybe.error(new RepeatedFailureException(tool.name(), advice.repeats()))
                : ToolResults.withAdvice(result, warning == null || !advice.isEmpty() ? advice : warning);
    }

    private boolean isRepeated(Advice advice) {
        return stopAfter > 0 && advice.repeats() >= stopAfter;
    }

    /** If there is advice, the model receives it with the error; otherwise the error propagates and ends the run. */
    @Override
    public Maybe<Map<String, Object>> onToolErrorCallback(
            BaseTool tool, Map<String, Object> arguments, ToolContext context, Throwable error) {
        Advice advice = guard.failed(call(tool, arguments, context), ToolError.thrown(error));
        if (isRepeated(advice)) {
            return Maybe.error(new RepeatedFailureException(tool.name(), advice.repeats()));
        }
        return ToolResults.withAdvice(Map.of("status", "error", "message", String.valueOf(error.getMessage())), advice);
    }

    private static ToolCall call(BaseTool tool, Map<String, Object> arguments, ToolContext context) {
        ToolCall call = ToolCall.json(tool.name(), JsonBaseModel.toJsonString(arguments))
                .session(session(context.invocationContext()));
        return context.functionCallId()
                .filter(id -> !id.isEmpty())
                .map(call::callId)
                .orElse(call);
    }

    private static String session(InvocationContext at) {
        return at.session().id();
    }

    private static String message(InvocationContext at) {
        return String.valueOf(at.userContent().map(Content::text).orElse(""));
    }
}

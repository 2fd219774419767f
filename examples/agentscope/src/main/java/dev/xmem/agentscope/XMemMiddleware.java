package dev.xmem.agentscope;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import io.agentscope.core.agent.Agent;
import io.agentscope.core.agent.RuntimeContext;
import io.agentscope.core.event.AgentEndEvent;
import io.agentscope.core.event.AgentEvent;
import io.agentscope.core.event.AgentResultEvent;
import io.agentscope.core.event.AgentStartEvent;
import io.agentscope.core.message.ContentBlock;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.message.ToolResultBlock;
import io.agentscope.core.message.ToolResultState;
import io.agentscope.core.message.ToolUseBlock;
import io.agentscope.core.middleware.AgentInput;
import io.agentscope.core.middleware.MiddlewareBase;
import io.agentscope.core.middleware.ModelCallInput;
import io.agentscope.core.util.JsonUtils;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Gives an agent of AgentScope Java an experience memory. Advice from earlier similar failures is appended to the
 * message in which the model sees a failed tool call, in the same turn. New failures are recorded automatically, and so
 * is the call that then works. The user's rules are added to the system message; {@code /xmem:} commands are
 * answered without a model. Thread-safe.
 *
 * <pre>{@code
 * ReActAgent agent = ReActAgent.builder()
 *         .name("assistant").model(model).toolkit(toolkit)
 *         .middleware(XMemMiddleware.with(store))
 *         .build();
 * }</pre>
 *
 * <p>The session id of the {@link RuntimeContext} is the session of the memory, after the user id if there is one.
 * Without a session id, the agent is the session, as it is for AgentScope's own history.
 *
 * @since 0.1
 */
public final class XMemMiddleware implements MiddlewareBase {
    /** How AgentScope begins the result of a tool that threw an exception. */
    private static final String THROWN = "Error: Tool execution failed: ";
    /** How AgentScope begins the result of a call that it did not run. */
    private static final String NOT_RUN = "[ERROR] Tool execution cancelled";
    /** The metadata of a result that has advice, so that no later request adds it again. */
    private static final String ADVISED = "xmem_advised";

    private final ToolGuard guard;
    private final SlashCommands commands;
    private final Predicate<ToolResultBlock> isSoftFailure;
    private final int stopAfter;

    private XMemMiddleware(
            ToolGuard guard, SlashCommands commands, Predicate<ToolResultBlock> isSoftFailure, int stopAfter) {
        this.guard = guard;
        this.commands = commands;
        this.isSoftFailure = isSoftFailure;
        this.stopAfter = stopAfter;
    }

    /** A middleware that treats exceptions of tools, and results that report an error, as failures. */
    public static XMemMiddleware with(XMemStore store) {
        return new XMemMiddleware(store.guard(), SlashCommands.on(store), result -> false, 0);
    }

    /** Also treats results that match as failures: for tools whose errors the guard does not recognize. */
    public XMemMiddleware softFailures(Predicate<ToolResultBlock> failed) {
        return new XMemMiddleware(guard, commands, failed, stopAfter);
    }

    /**
     * Ends the turn with a {@link RepeatedFailureException} when a call has failed this many times in its session,
     * unchanged and in the same way. Default: 0, never.
     */
    public XMemMiddleware stopAfter(int repeats) {
        return new XMemMiddleware(guard, commands, isSoftFailure, repeats);
    }

    @Override
    public Flux<AgentEvent> onAgent(
            Agent agent, @Nullable RuntimeContext at, AgentInput input, Function<AgentInput, Flux<AgentEvent>> next) {
        return Flux.defer(() -> commands.answer(message(input.msgs()), session(agent, at))
                .map(answer -> answered(agent, answer))
                .orElseGet(() -> next.apply(input)));
    }

    /** The results since the model's last turn are reported here: each of them, also that of an unknown tool. */
    @Override
    public Flux<AgentEvent> onModelCall(
            Agent agent, RuntimeContext at, ModelCallInput input, Function<ModelCallInput, Flux<AgentEvent>> next) {
        return Flux.defer(() -> {
            List<Msg> messages = new ArrayList<>(input.messages());
            try {
                prepare(messages, session(agent, at), at);
            } catch (RepeatedFailureException e) { // ends the turn
                throw e;
            } catch (RuntimeException e) { // fail open
                return next.apply(input);
            }
            return next.apply(new ModelCallInput(messages, input.tools(), input.options(), input.model()));
        });
    }

    private void prepare(List<Msg> messages, String session, RuntimeContext at) {
        Map<String, Msg> advised = advise(messages, session);
        if (!advised.isEmpty() && at.getAgentState() != null) {
            // The history keeps the advice, so that the later requests have it too.
            at.getAgentState().contextMutable().replaceAll(message -> advised.getOrDefault(message.getId(), message));
        }
        String said = message(messages);
        String context = guard.rules(said) + guard.userSaid(session, said).text();
        if (!context.isEmpty()) {
            addToSystemMessage(messages, context.strip());
        }
    }

    /** Reports the results after the model's last turn, and appends the advice to them: the changed messages by id. */
    private Map<String, Msg> advise(List<Msg> messages, String session) {
        int first = messages.size();
        while (first > 0 && messages.get(first - 1).getRole() != MsgRole.ASSISTANT) {
            first--;
        }
        Map<String, ToolUseBlock> calls = new HashMap<>();
        for (Msg message : messages) {
            message.getContentBlocks(ToolUseBlock.class).forEach(call -> calls.put(call.getId(), call));
        }
        Map<String, Msg> changed = new HashMap<>();
        for (int i = first; i < messages.size(); i++) {
            Msg message = messages.get(i);
            List<ContentBlock> content = new ArrayList<>();
            for (ContentBlock block : message.getContent()) {
                content.add(block instanceof ToolResultBlock result ? advised(result, calls, session) : block);
            }
            if (!content.equals(message.getContent())) {
                Msg advised = message.withContent(content);
                changed.put(message.getId(), advised);
                messages.set(i, advised);
            }
        }
        return changed;
    }

    private ToolResultBlock advised(ToolResultBlock result, Map<String, ToolUseBlock> calls, String session) {
        ToolUseBlock use = calls.get(result.getId());
        String text = text(result);
        ToolResultState state = result.getState();
        boolean ran = state != ToolResultState.DENIED && state != ToolResultState.INTERRUPTED && !result.isSuspended();
        if (use == null
                || !ran
                || text.startsWith(NOT_RUN)
                || result.getMetadata().containsKey(ADVISED)) {
            return result;
        }
        ToolCall call = ToolCall.json(use.getName(), JsonUtils.getJsonCodec().toJson(use.getInput()))
                .session(session)
                .callId(use.getId());
        boolean thrown = text.startsWith(THROWN);
        boolean failed = thrown || state == ToolResultState.ERROR || isSoftFailure.test(result);
        Advice advice = guard.failed(
                call, ToolError.exit(failed ? 1 : 0, thrown ? "Error: " + text.substring(THROWN.length()) : text));
        if (stopAfter > 0 && advice.repeats() >= stopAfter) {
            throw new RepeatedFailureException(use.getName(), advice.repeats());
        }
        return withText(result, advice.text());
    }

    private static ToolResultBlock withText(ToolResultBlock result, String advice) {
        if (advice.isEmpty()) {
            return result;
        }
        List<ContentBlock> output = new ArrayList<>(result.getOutput());
        output.add(TextBlock.builder().text(advice).build());
        Map<String, Object> metadata = new HashMap<>(result.getMetadata());
        metadata.put(ADVISED, true);
        return new ToolResultBlock(result.getId(), result.getName(), output, metadata, result.getState());
    }

    /** The text of a result; AgentScope writes a text that a tool returns as a JSON string. */
    private static String text(ToolResultBlock result) {
        String text = result.getOutput().stream()
                .filter(TextBlock.class::isInstance)
                .map(block -> ((TextBlock) block).getText())
                .collect(Collectors.joining("\n"));
        if (!text.startsWith("\"")) {
            return text;
        }
        try {
            return JsonUtils.getJsonCodec().fromJson(text, String.class);
        } catch (RuntimeException e) {
            return text; // a text that only begins like a JSON string
        }
    }

    private static void addToSystemMessage(List<Msg> messages, String text) {
        TextBlock block = TextBlock.builder().text(text).build();
        if (messages.isEmpty() || messages.get(0).getRole() != MsgRole.SYSTEM) {
            messages.add(
                    0,
                    Msg.builder()
                            .name("system")
                            .role(MsgRole.SYSTEM)
                            .content(block)
                            .build());
            return;
        }
        List<ContentBlock> content = new ArrayList<>(messages.get(0).getContent());
        content.add(block);
        messages.set(0, messages.get(0).withContent(Collections.unmodifiableList(content)));
    }

    private static String message(List<Msg> messages) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i).getRole() == MsgRole.USER) {
                return String.valueOf(messages.get(i).getTextContent());
            }
        }
        return "";
    }

    private static String session(Agent agent, @Nullable RuntimeContext at) {
        String session =
                at == null || at.getSessionId() == null || at.getSessionId().isBlank()
                        ? agent.getAgentId()
                        : at.getSessionId();
        return at == null || at.getUserId() == null || at.getUserId().isBlank()
                ? session
                : at.getUserId() + "/" + session;
    }

    private static Flux<AgentEvent> answered(Agent agent, String answer) {
        String reply = UUID.randomUUID().toString();
        Msg message = Msg.builder()
                .name(agent.getName())
                .role(MsgRole.ASSISTANT)
                .textContent(answer)
                .build();
        return Flux.just(
                new AgentStartEvent(null, reply, agent.getName()),
                new AgentResultEvent(message),
                new AgentEndEvent(reply));
    }
}

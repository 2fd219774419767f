package dev.xmem.springai;

import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * Gives a chat client an experience memory. Advice from earlier similar failures is appended to the message in which
 * the model sees a failed tool call, in the same turn. New failures are recorded automatically, and so is the call that
 * then works. The user's rules are added to the system message; {@code /xmem:} commands are answered without
 * the model. Thread-safe.
 *
 * <pre>{@code
 * ChatClient agent = ChatClient.builder(model).defaultTools(tools).defaultAdvisors(XMemAdvisor.with(store)).build();
 * }</pre>
 *
 * <p>The conversation id of Spring AI's chat memory is the session; without one, each turn is its own session.
 */
public final class XMemAdvisor implements CallAdvisor, StreamAdvisor {
    private final ToolGuard guard;
    private final SlashCommands commands;
    private final Predicate<String> isSoftFailure;
    private final int stopAfter;

    private XMemAdvisor(ToolGuard guard, SlashCommands commands, Predicate<String> isSoftFailure, int stopAfter) {
        this.guard = guard;
        this.commands = commands;
        this.isSoftFailure = isSoftFailure;
        this.stopAfter = stopAfter;
    }

    /** An advisor that treats exceptions of tools, and results that report an error, as failures. */
    public static XMemAdvisor with(XMemStore store) {
        return new XMemAdvisor(store.guard(), SlashCommands.on(store), result -> false, 0);
    }

    /** Also treats results that match as failures: for tools whose errors the guard does not recognize. */
    public XMemAdvisor softFailures(Predicate<String> failed) {
        return new XMemAdvisor(guard, commands, failed, stopAfter);
    }

    /**
     * Ends the turn with a {@link RepeatedFailureException} when a call has failed this many times in its session,
     * unchanged and in the same way. Default: 0, never.
     */
    public XMemAdvisor stopAfter(int repeats) {
        return new XMemAdvisor(guard, commands, isSoftFailure, repeats);
    }

    @Override
    public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
        String session = session(request);
        return commands.answer(message(request), session)
                .map(answer -> answered(request, answer))
                .orElseGet(() -> chain.nextCall(advised(request, session)));
    }

    @Override
    public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
        String session = session(request);
        return Flux.defer(() -> commands.answer(message(request), session)
                        .map(answer -> Flux.just(answered(request, answer)))
                        .orElseGet(() -> chain.nextStream(advised(request, session))))
                .subscribeOn(Schedulers.boundedElastic());
    }

    /**
     * Runs before the chat memory, which therefore stores neither commands nor rules, and outside the tool calling
     * loop.
     */
    @Override
    public int getOrder() {
        return Advisor.DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER - 50;
    }

    @Override
    public String getName() {
        return "xmem";
    }

    private ChatClientRequest advised(ChatClientRequest request, String session) {
        String message = message(request);
        String context = guard.rules(message) + guard.userSaid(session, message).text();
        Prompt prompt = request.prompt();
        if (!context.isEmpty()) {
            prompt = prompt.augmentSystemMessage(
                    system -> system.mutate().text(system.getText() + context).build());
        }
        if (prompt.getOptions() instanceof ToolCallingChatOptions options && options.getToolCallbacks() != null) {
            List<ToolCallback> guarded = options.getToolCallbacks().stream()
                    .<ToolCallback>map(tool -> new GuardedTool(tool, session, guard, isSoftFailure, stopAfter))
                    .toList();
            prompt = new Prompt(
                    prompt.getInstructions(),
                    options.mutate().toolCallbacks(guarded).build());
        }
        return request.mutate().prompt(prompt).build();
    }

    private static String session(ChatClientRequest request) {
        Object conversation = request.context().get(ChatMemory.CONVERSATION_ID);
        return conversation == null ? "turn-" + UUID.randomUUID() : conversation.toString();
    }

    private static String message(ChatClientRequest request) {
        String text = request.prompt().getUserMessage().getText();
        return text == null ? "" : text;
    }

    private static ChatClientResponse answered(ChatClientRequest request, String answer) {
        ChatResponse response = new ChatResponse(List.of(new Generation(new AssistantMessage(answer))));
        return new ChatClientResponse(response, request.context());
    }
}

package dev.xmem.springboot;

import dev.xmem.agents.ModelMessage;
import dev.xmem.agents.ModelMessage.Role;
import dev.xmem.agents.ModelTurn;
import dev.xmem.agents.ScriptedModel;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/** A chat model of Spring AI that follows a script, which a test may replace. */
final class ScriptedChatModel implements ChatModel {
    ScriptedModel script = ScriptedModel.of();

    @Override
    public ChatResponse call(Prompt prompt) {
        ModelTurn turn = script.next(prompt.getInstructions().stream()
                .flatMap(ScriptedChatModel::said)
                .toList());
        List<AssistantMessage.ToolCall> calls = turn.calls().stream()
                .map(call -> new AssistantMessage.ToolCall(call.id(), "function", call.tool(), call.arguments()))
                .toList();
        return new ChatResponse(List.of(new Generation(
                AssistantMessage.builder().content(turn.text()).toolCalls(calls).build())));
    }

    @Override
    public ChatOptions getOptions() {
        return ToolCallingChatOptions.builder().build();
    }

    private static Stream<ModelMessage> said(Message message) {
        if (message instanceof ToolResponseMessage tools) {
            return tools.getResponses().stream().map(each -> new ModelMessage(Role.TOOL, each.responseData()));
        }
        MessageType type = message.getMessageType();
        Role role = type == MessageType.SYSTEM ? Role.SYSTEM : type == MessageType.USER ? Role.USER : Role.MODEL;
        return Stream.of(new ModelMessage(role, String.valueOf(message.getText())));
    }
}

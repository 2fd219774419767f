package dev.xmem.springai;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super(
                "static XMemStore store; static ChatModel model; static Object tools; static Object myTools; static ToolCallingManager manager; static ToolCallbackResolver resolver; static ChatClient agent; static String conversationId, message;",
                "org.springframework.ai.chat.client",
                "org.springframework.ai.chat.client.advisor",
                "org.springframework.ai.chat.model",
                "org.springframework.ai.model.tool",
                "org.springframework.ai.tool.resolution");
    }
}

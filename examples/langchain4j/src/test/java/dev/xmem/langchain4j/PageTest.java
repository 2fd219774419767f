package dev.xmem.langchain4j;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super(
                "interface Assistant { String chat(String message); } interface Writer { String write(String topic); } static XMemStore store; static ChatModel model; static Object tools;",
                "dev.langchain4j.agentic",
                "dev.langchain4j.model.chat",
                "dev.langchain4j.service",
                "dev.langchain4j.service.tool");
    }
}

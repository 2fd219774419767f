package dev.xmem.quarkus;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super(
                "static class Tools {}",
                "dev.langchain4j.service",
                "dev.langchain4j.service.tool",
                "io.quarkiverse.langchain4j");
    }
}

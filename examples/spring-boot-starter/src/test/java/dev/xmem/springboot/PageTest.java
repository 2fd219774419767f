package dev.xmem.springboot;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super(
                "",
                "org.springframework.ai.chat.client",
                "org.springframework.boot",
                "org.springframework.boot.autoconfigure",
                "org.springframework.context.annotation");
    }
}

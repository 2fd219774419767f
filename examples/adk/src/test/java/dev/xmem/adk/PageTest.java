package dev.xmem.adk;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super("static XMemStore store; static BaseAgent agent;", "com.google.adk.agents", "com.google.adk.runner");
    }
}

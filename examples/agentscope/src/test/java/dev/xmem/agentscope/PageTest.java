package dev.xmem.agentscope;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super(
                "static XMemStore store; static Model model; static Toolkit toolkit; static Msg message;",
                "io.agentscope.core",
                "io.agentscope.core.agent",
                "io.agentscope.core.message",
                "io.agentscope.core.model",
                "io.agentscope.core.tool");
    }
}

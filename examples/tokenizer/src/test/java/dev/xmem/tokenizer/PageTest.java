package dev.xmem.tokenizer;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super("static Path directory;", "com.knuddels.jtokkit.api");
    }
}

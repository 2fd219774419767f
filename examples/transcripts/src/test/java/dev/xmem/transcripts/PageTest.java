package dev.xmem.transcripts;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super("static Path folder, directory; static XMemStore store;");
    }
}

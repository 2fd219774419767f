package dev.xmem.hasher;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super("static Path directory; static ClassLoader pluginLoader;");
    }
}

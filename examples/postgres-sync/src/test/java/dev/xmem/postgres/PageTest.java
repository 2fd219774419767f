package dev.xmem.postgres;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super("static Path store, folder; static String user, password;");
    }
}

package dev.xmem.micrometer;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super("", "io.micrometer.core.instrument", "io.micrometer.core.instrument.simple");
    }
}

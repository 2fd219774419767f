package dev.xmem.opentelemetry;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super("", "io.opentelemetry.api.trace", "io.opentelemetry.sdk.trace");
    }
}

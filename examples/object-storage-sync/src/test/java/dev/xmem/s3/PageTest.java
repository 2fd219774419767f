package dev.xmem.s3;

import dev.xmem.agents.PageContract;

class PageTest extends PageContract {
    PageTest() {
        super("static Path store; static String accessKey, secretKey;");
    }
}

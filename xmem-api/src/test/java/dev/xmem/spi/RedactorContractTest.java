package dev.xmem.spi;

import dev.xmem.testing.RedactorContract;
import java.util.List;

/** The contract, applied to a redactor of staff numbers. */
class RedactorContractTest extends RedactorContract {
    @Override
    protected Redactor redactor() {
        return text -> text.replaceAll("staff-[0-9]+", "[staff]");
    }

    @Override
    protected List<String> secrets() {
        return List.of("staff-4711");
    }
}

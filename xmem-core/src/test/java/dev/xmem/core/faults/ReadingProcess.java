package dev.xmem.core.faults;

import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** A process that queries a store until a file appears. An exception or a shrinking store ends it with an error. */
final class ReadingProcess {
    private static final long PAUSE_NANOS = 20_000_000;

    private ReadingProcess() {}

    /** Arguments: the store, the file that ends it. */
    public static void main(String... args) throws IOException {
        long before = 0;
        int asked = 0;
        try (XMemStore store = XMem.builder(Path.of(args[0])).readOnly().open()) {
            while (Files.notExists(Path.of(args[1]))) {
                long total = store.search(Query.all().limit(3)).total();
                if (total < before) {
                    throw new AssertionError("there were " + before + " entries and are " + total);
                }
                before = total;
                store.recall(ToolCall.shell("git push"), ToolError.text("fatal: unable to access x"));
                if (asked++ % 10 == 0) {
                    store.verify();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}

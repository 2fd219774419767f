package dev.xmem.benchmarks;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;

/** The JVM that {@link ProcessCost} starts: opens a store and does one thing. */
final class ProcessCostChild {
    private static final String ERROR = "fatal: The current branch topic has no upstream branch.";

    private ProcessCostChild() {}

    /** Arguments: the store, what to do, and a number that makes it differ. Or an empty one: does nothing. */
    public static void main(String[] args) {
        if (args[0].isEmpty()) {
            return;
        }
        try (XMemStore store = XMem.open(Path.of(args[0]))) {
            ToolCall call = ToolCall.shell("git push origin topic-" + args[2]);
            boolean done = switch (args[1]) {
                case "record" ->
                    !store.recordFailure(Failure.of(call, ToolError.exit(128, ERROR)))
                            .id()
                            .isEmpty();
                case "recall" -> store.recall(call, ToolError.exit(128, ERROR)) != null;
                default -> store.search(Query.all().tool("git")).total() > 0;
            };
            if (!done) {
                throw new IllegalStateException(args[1] + " found nothing");
            }
        }
    }
}

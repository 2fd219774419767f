package dev.xmem.core;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A little of everything, as an application in a class loader of its own would do it. */
public final class UsedStore implements Consumer<Path> {
    /** For the loader that makes it. */
    public UsedStore() {}

    /** Run as a program: the argument is the store. */
    public static void main(String... args) {
        new UsedStore().accept(Path.of(args[0]));
    }

    @Override
    public void accept(Path directory) {
        try (XMemStore store = XMem.open(directory)) {
            Failure failure =
                    store.recordFailure(Failure.of("git", "push", "fatal: The current branch x has no upstream branch.")
                            .tags("git", "push"));
            store.recordSuccess(Success.of("git", "Push with -u").answers(failure.id()));
            store.writeNote(Note.of("note", "a journal line"));
            store.search(Query.words("upstream"));
            store.search(Query.regex("up.tream"));
            store.recall(ToolCall.shell("git push"), ToolError.exit(128, failure.error()));
            store.stats().text();
            store.verify();
            store.flush();
            store.recordFailure(Failure.of("git", "push", "after the flush"));
        }
    }
}

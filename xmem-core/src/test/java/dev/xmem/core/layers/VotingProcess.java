package dev.xmem.core.layers;

import dev.xmem.Layer;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;

/** A process with a project of its own that votes on an entry of the user's store. */
final class VotingProcess {
    static final int VOTES = 20;

    private VotingProcess() {}

    /** Arguments: the project's store, the user's store, and a name for the sessions. */
    public static void main(String... args) {
        try (XMemStore store = XMem.builder(Path.of(args[0]))
                .alsoAsk(Layer.USER, XMem.builder(Path.of(args[1])))
                .open()) {
            String id = store.search(Query.all().layer(Layer.USER))
                    .matches()
                    .get(0)
                    .entry()
                    .id();
            for (int i = 0; i < VOTES; i++) {
                vote(store, id, args[2] + i);
            }
        }
    }

    private static void vote(XMemStore store, String id, String session) {
        while (true) {
            try {
                store.reportOutcome(id, Outcome.WORKED, session);
                return;
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }
}

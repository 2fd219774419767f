package dev.xmem.core.maintain.compact;

import dev.xmem.Failure;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Appends failures of two families, each with an attempt of its own, to a store that another process compacts. */
final class CompactedProcess {
    private CompactedProcess() {}

    /** Arguments: the store, a file for the ids that were acknowledged, this one's number, how many entries. */
    public static void main(String... args) throws IOException {
        int me = Integer.parseInt(args[2]);
        int entries = Integer.parseInt(args[3]);
        List<String> ids = new ArrayList<>(entries);
        try (XMemStore store = XMem.open(Path.of(args[0]))) {
            for (int i = 0; i < entries; i++) {
                ids.add(record(store, me, i));
            }
        }
        Files.write(Path.of(args[1]), ids);
    }

    private static String record(XMemStore store, int me, int i) {
        Failure.Draft draft = Failure.of("npm", i % 2 == 0 ? "ci" : "install", "npm ERR! code ETIMEDOUT")
                .triedAlso("attempt " + me + " " + i)
                .sessionId("session " + me + " " + i % 10);
        while (true) {
            try {
                return store.recordFailure(draft).id();
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }
}

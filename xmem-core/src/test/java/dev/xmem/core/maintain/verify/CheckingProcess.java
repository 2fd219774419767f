package dev.xmem.core.maintain.verify;

import dev.xmem.Failure;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process that appends to a store and checks it, again and again. */
final class CheckingProcess {
    static final int ENTRIES = 100;

    private CheckingProcess() {}

    /** Arguments: the store, the lines of a segment, this one's number: 2 does not end by itself. */
    public static void main(String... args) throws IOException {
        Path folder = Path.of(args[0]);
        int recorded = 0;
        for (int i = 0; recorded < ENTRIES || args[2].equals("2"); i++) {
            try (XMemStore store =
                    TestStores.builder(folder, Integer.parseInt(args[1])).open()) {
                for (int j = 0; j < 10 && recorded < ENTRIES; j++) {
                    recorded += record(store, i + " " + j);
                }
                TestStores.checkNow(store);
            }
            if (i == 5) {
                Files.createFile(folder.resolve("checked-" + args[2]));
            }
        }
    }

    private static int record(XMemStore store, String what) {
        try {
            store.recordFailure(Failure.of("git", "push", "fatal: quota failed in another process " + what));
            return 1;
        } catch (XMemException.Busy e) {
            return 0;
        }
    }
}

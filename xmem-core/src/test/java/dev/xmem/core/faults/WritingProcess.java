package dev.xmem.core.faults;

import dev.xmem.Durability;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that appends until it is killed, and prints what was acknowledged. Its n-th entry carries the mark {@code
 * name-n.}; a batch has one to three of them, failures and notes in turn.
 */
final class WritingProcess {
    private static final String PAUSE_MICROS = "300";

    private WritingProcess() {}

    /**
     * Arguments: the store, the file for the promises, a name, the durability; how many microseconds to wait between
     * batches.
     */
    public static void main(String... args) throws IOException {
        String name = args[2];
        long pause = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(args.length > 4 ? args[4] : PAUSE_MICROS));
        int next = 0;
        try (FileOutputStream promises = new FileOutputStream(args[1], true);
                XMemStore store = XMem.builder(Path.of(args[0]))
                        .durability(Durability.valueOf(args[3]))
                        .open()) {
            for (int batch = 0; ; batch++) {
                List<EntryDraft> drafts = drafts(name, next, size(batch));
                record(store, drafts);
                next += drafts.size();
                promises.write((next + "\n").getBytes(StandardCharsets.UTF_8));
                LockSupport.parkNanos(pause);
            }
        }
    }

    static int size(int batch) {
        return 1 + batch % 3;
    }

    private static List<EntryDraft> drafts(String name, int first, int count) {
        List<EntryDraft> drafts = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            String text = "fatal: unable to access " + name + "-" + i + ".";
            drafts.add(i % 4 == 3 ? Note.of("note", text) : Failure.of("git", "push", text));
        }
        return drafts;
    }

    private static void record(XMemStore store, List<EntryDraft> drafts) {
        while (true) {
            try {
                store.recordAll(drafts);
                return;
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }
}

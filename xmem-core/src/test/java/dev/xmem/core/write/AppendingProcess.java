package dev.xmem.core.write;

import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Stats;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One of several processes that append to one store at the same time. */
final class AppendingProcess {
    private AppendingProcess() {}

    /** Arguments: the store, a folder to meet in, this one's number, how many there are, entries each. */
    public static void main(String... args) throws IOException {
        Path meeting = Path.of(args[1]);
        int me = Integer.parseInt(args[2]);
        int processes = Integer.parseInt(args[3]);
        int entries = Integer.parseInt(args[4]);
        try (XMemStore store = XMem.open(Path.of(args[0]))) {
            meet(meeting, "open", me, processes);
            List<String> ids = new ArrayList<>(entries);
            for (int i = 0; i < entries; i++) {
                ids.add(record(store, draft(me, i)).id());
            }
            Files.write(meeting.resolve("ids-" + me), ids);
            meet(meeting, "done", me, processes);
            check(store, processes, entries);
            meet(meeting, "checked", me, processes);
        }
    }

    private static void meet(Path meeting, String what, int me, int processes) throws IOException {
        Files.createFile(meeting.resolve(what + "-" + me));
        for (int i = 0; i < processes; i++) {
            Jvm.await(meeting.resolve(what + "-" + i));
        }
    }

    private static EntryDraft draft(int me, int i) {
        String session = "process-" + me;
        return i % 3 == 2
                ? Success.of("git", "Pattern " + i + " of process " + me)
                        .action("commit")
                        .sessionId(session)
                : Failure.of("npm", "install left-pad", "npm ERR! code ETIMEDOUT " + i)
                        .sessionId(session);
    }

    private static Entry record(XMemStore store, EntryDraft draft) {
        while (true) {
            try {
                return store.recordAll(List.of(draft)).get(0);
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }

    private static void check(XMemStore store, int processes, int entries) {
        Stats stats = store.stats();
        expect(processes * entries, stats.failures() + stats.successes(), "entries in all");
        expect(0, stats.malformedLines(), "malformed lines");
        for (int i = 0; i < processes; i++) {
            long seen =
                    store.search(Query.all().session("process-" + i).limit(1)).total();
            expect(entries, seen, "entries of process " + i);
        }
    }

    private static void expect(long expected, long found, String what) {
        if (expected != found) {
            throw new AssertionError(what + ": " + found + " instead of " + expected);
        }
    }
}

package dev.xmem.core.faults;

import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A process that appends and compacts in turn until it is killed, and writes down the ids that it was promised. Its
 * time runs so fast that what it wrote is soon old enough for the archives.
 */
final class CompactingProcess {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final long FASTER = 5_000_000;
    private static final int BATCH = 6;
    private static final int FAMILIES = 4;

    private CompactingProcess() {}

    /** A clock that runs fast from a moment on, for all processes the same. */
    static InstantSource clock(long sinceMillis) {
        return () -> BEGIN.plusMillis(Math.max(0, System.currentTimeMillis() - sinceMillis) * FASTER);
    }

    /** Arguments: the store, the file for the promises, when the clock began to run fast. */
    public static void main(String... args) throws IOException {
        try (FileOutputStream promises = new FileOutputStream(args[1], true);
                XMemStore store = XMem.builder(Path.of(args[0]))
                        .clock(clock(Long.parseLong(args[2])))
                        .open()) {
            for (int turn = 0; ; turn++) {
                List<EntryDraft> drafts = new ArrayList<>();
                for (int i = 0; i < BATCH; i++) {
                    drafts.add(Failure.of(
                            "git", "push-" + "abcd".charAt(i % FAMILIES), "fatal: unable to access " + turn));
                }
                String ids = record(store, drafts).stream().map(Entry::id).collect(Collectors.joining("\n"));
                promises.write((ids + "\n").getBytes(StandardCharsets.UTF_8));
                compact(store);
            }
        }
    }

    private static List<Entry> record(XMemStore store, List<EntryDraft> drafts) {
        while (true) {
            try {
                return store.recordAll(drafts);
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }

    /** Another one may be at it, or may just have been. */
    private static void compact(XMemStore store) {
        try {
            store.compact(store.planCompaction(Retention.defaults()));
        } catch (XMemException.Busy e) {
            // next time
        } catch (XMemException.Invalid e) {
            if (!String.valueOf(e.getMessage()).contains("out of date")) {
                throw e;
            }
        }
    }
}

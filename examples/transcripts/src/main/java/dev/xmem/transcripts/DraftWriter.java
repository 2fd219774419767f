package dev.xmem.transcripts;

import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes to a store, and counts what the store refuses. Not thread-safe. */
final class DraftWriter {
    private static final int MAX_TRIES = 40;

    private final XMemStore store;
    private long rejected;

    DraftWriter(XMemStore store) {
        this.store = store;
    }

    long rejected() {
        return rejected;
    }

    /** Stores drafts; null stands for one that the store refuses. Waits while another process writes. */
    List<@Nullable Entry> write(List<EntryDraft> drafts) {
        List<@Nullable Entry> entries = new ArrayList<>();
        for (int tries = 1; entries.size() < drafts.size(); tries++) {
            try {
                entries.addAll(store.recordAll(drafts));
            } catch (XMemException.Busy e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
            } catch (XMemException.Invalid | XMemException.Limit | XMemException.Secret e) {
                if (drafts.size() == 1) {
                    rejected++;
                    entries.add(null);
                } else {
                    drafts.forEach(draft -> entries.addAll(write(List.of(draft))));
                }
            }
        }
        return entries;
    }
}

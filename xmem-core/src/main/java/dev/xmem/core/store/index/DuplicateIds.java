package dev.xmem.core.store.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which ids of a snapshot more than one line of an owner may have, found out for all at once: by a hash of four bytes a line,
 * so that now and then an id is suspected that only one has. Immutable.
 */
public final class DuplicateIds {
    private final int[] suspected;

    /** Those of a snapshot. */
    public DuplicateIds(StoreSnapshot snapshot) {
        int[] hashes =
                new int[snapshot.logs().stream().mapToInt(LogSnapshot::count).sum()];
        int n = 0;
        for (LogSnapshot log : snapshot.logs()) {
            for (int line = 0; line < log.count(); line++) {
                String id = log.index().lines().id(line);
                if (id != null) {
                    hashes[n++] = hash(log, id);
                }
            }
        }
        Arrays.sort(hashes, 0, n);
        int repeated = 0;
        for (int i = 1; i < n; i++) {
            if (hashes[i] == hashes[i - 1]) {
                hashes[repeated++] = hashes[i];
            }
        }
        this.suspected = Arrays.copyOf(hashes, repeated);
    }

    private static int hash(LogSnapshot log, String id) {
        return 31 * log.index().origin().replica().hashCode() + id.hashCode();
    }

    /** The id that a line is shown under. */
    public String shownId(LogSnapshot log, int ordinal) {
        String own = log.index().lines().id(ordinal);
        return mayBeRepeated(log, own)
                ? log.index().id(ordinal)
                : own + log.index().origin().suffix();
    }

    private boolean mayBeRepeated(LogSnapshot log, @Nullable String id) {
        return id == null || Arrays.binarySearch(suspected, hash(log, id)) >= 0;
    }
}

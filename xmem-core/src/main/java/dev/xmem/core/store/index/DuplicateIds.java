package dev.xmem.core.store.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a snapshot that several lines of an owner may have, found for all lines at once. It compares 32-bit
 * hashes, so now and then an id is suspected that one line has. Immutable.
 */
final class DuplicateIds {
    private final int[] suspected;

    DuplicateIds(StoreSnapshot snapshot) {
        int[] hashes =
                new int[snapshot.logs().stream().mapToInt(LogSnapshot::count).sum()];
        int n = 0;
        for (LogSnapshot log : snapshot.logs()) {
            for (int line = 0; line < log.count(); line++) {
                String id = log.index().lines().id(line);
                if (id != null) {
                    hashes[n++] = hash(log, line, id);
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

    private static int hash(LogSnapshot log, int line, String id) {
        return 31 * log.index().origin(line).replica().hashCode() + id.hashCode();
    }

    /** The id under which a line is shown: see {@link LogIndex#id}. */
    String shownId(LogSnapshot log, int ordinal) {
        String own = log.index().lines().id(ordinal);
        return mayBeRepeated(log, ordinal, own)
                ? log.index().id(ordinal)
                : own + log.index().origin(ordinal).suffix();
    }

    private boolean mayBeRepeated(LogSnapshot log, int ordinal, @Nullable String id) {
        return id == null || Arrays.binarySearch(suspected, hash(log, ordinal, id)) >= 0;
    }
}

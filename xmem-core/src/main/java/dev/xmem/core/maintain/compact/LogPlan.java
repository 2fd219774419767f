package dev.xmem.core.maintain.compact;

import dev.xmem.core.store.index.LogIndex;
import java.util.List;

/**
 * What happens to the lines of one log. Immutable.
 *
 * @param index the log as it was read
 * @param count how many of its lines were looked at
 * @param length how many of its bytes were looked at
 * @param changes what happens, in the order of the file; lines that are not named stay as they are
 */
record LogPlan(LogIndex index, int count, long length, List<LineChange> changes) {
    /** How many entries leave the log. */
    int leaving() {
        return (int) changes.stream()
                .filter(change -> change.leaves() && change.ordinal() >= 0)
                .count();
    }

    String name() {
        return String.valueOf(index.file().path().getFileName());
    }
}

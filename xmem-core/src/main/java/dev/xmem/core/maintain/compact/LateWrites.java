package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.ExclusiveAccess;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Looks after what programs without the lock write to files that are no logs any more. Thread-safe. */
final class LateWrites {
    private final ExclusiveAccess exclusive;
    private final List<ReplacedLog> files = new CopyOnWriteArrayList<>();

    /** Looks after nothing yet. */
    public LateWrites(ExclusiveAccess exclusive) {
        this.exclusive = exclusive;
    }

    /** Looks after a file that was replaced this moment, and brings what was written since. The caller has the mutex. */
    void addAtOnce(ReplacedLog file) {
        files.add(file);
        try {
            file.bringAtOnce();
        } catch (IOException e) {
            Log.debug("a replaced log was not read; it will be at the next look", e);
        }
    }

    /** Whether there is no file to look after. */
    public boolean isEmpty() {
        return files.isEmpty();
    }

    /**
     * Brings what was written since the last look. What cannot be brought now is tried again at the next one.
     *
     * @param last whether this is the last one: nothing is looked after any more
     */
    public void look(boolean last) {
        for (ReplacedLog file : List.copyOf(files)) {
            if (!last || files.remove(file)) {
                look(file, last);
            }
        }
    }

    private void look(ReplacedLog file, boolean last) {
        try {
            if (file.grew()) {
                exclusive.alone(() -> file.bring(last));
            }
            if (last) {
                file.close();
            }
        } catch (IOException | RuntimeException e) {
            if (!file.isClosed()) {
                Log.warning("a log that was replaced could not be looked at: " + e.getMessage(), null);
            }
        }
    }
}

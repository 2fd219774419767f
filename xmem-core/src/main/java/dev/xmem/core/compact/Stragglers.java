package dev.xmem.core.compact;

import dev.xmem.core.trace.Logging;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Looks after what programs without the lock write to files that are no logs any more. Thread-safe. */
public final class Stragglers {
    private final Exclusive exclusive;
    private final List<Replaced> files = new CopyOnWriteArrayList<>();

    /** Looks after nothing yet. */
    public Stragglers(Exclusive exclusive) {
        this.exclusive = exclusive;
    }

    /** Looks after a file that was replaced this moment, and brings what was written since. The caller has the mutex. */
    void addAtOnce(Replaced file) {
        files.add(file);
        try {
            file.bringAtOnce();
        } catch (IOException e) {
            Logging.debug("a replaced log was not read; it will be at the next look", e);
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
        for (Replaced file : List.copyOf(files)) {
            if (!last || files.remove(file)) {
                look(file, last);
            }
        }
    }

    private void look(Replaced file, boolean last) {
        try {
            if (file.grew()) {
                exclusive.alone(() -> file.bring(last));
            }
            if (last) {
                file.close();
            }
        } catch (IOException | RuntimeException e) {
            if (!file.isClosed()) {
                Logging.warning("a log that was replaced could not be looked at: " + e.getMessage(), null);
            }
        }
    }
}

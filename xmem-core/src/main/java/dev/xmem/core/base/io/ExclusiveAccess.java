package dev.xmem.core.base.io;

import java.io.IOException;

/** Mutual exclusion with every other writer of the store, in this process and in others. */
@FunctionalInterface
public interface ExclusiveAccess {
    /** Runs an action under the store's lock, after the in-memory state of all logs was refreshed. */
    void alone(IoAction action) throws IOException;
}

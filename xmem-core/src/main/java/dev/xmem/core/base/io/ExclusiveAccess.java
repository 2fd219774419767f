package dev.xmem.core.base.io;

import java.io.IOException;

/** Keeps every other writer of the store away, in this process and in others, for as long as a piece of work takes. */
public interface ExclusiveAccess {
    /** The work. */
    interface Work {
        /** Does it. */
        void run() throws IOException;
    }

    /** Does it alone, with all logs known as they are. */
    void alone(Work work) throws IOException;
}

package dev.xmem.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Logs were compacted. */
@Name("dev.xmem.Compaction")
@Label("Compaction")
@Description("Logs were compacted")
@Category("xmem")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
public final class CompactionEvent extends Event {
    @Label("Removed")
    @Description("How many lines went")
    private long removed;

    /** Begins now. */
    public CompactionEvent() {
        begin();
    }

    /** Ends now. */
    public void done(long removed) {
        end();
        if (shouldCommit()) {
            this.removed = removed;
            commit();
        }
    }
}

package dev.xmem.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A round of a sync ended. */
@Name("dev.xmem.Sync")
@Label("Sync")
@Description("A round of a sync ended")
@Category("xmem")
@StackTrace(false)
public final class SyncEvent extends Event {
    /** Begins now. */
    public SyncEvent() {
        begin();
    }

    /** Ends now. */
    public void done() {
        end();
        if (shouldCommit()) {
            commit();
        }
    }
}

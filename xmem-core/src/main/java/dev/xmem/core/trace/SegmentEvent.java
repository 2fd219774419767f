package dev.xmem.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A segment of an index was written. */
@Name("dev.xmem.Segment")
@Label("Segment")
@Description("A segment of an index was written")
@Category("xmem")
@StackTrace(false)
public final class SegmentEvent extends Event {
    /** Begins now. */
    public SegmentEvent() {
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

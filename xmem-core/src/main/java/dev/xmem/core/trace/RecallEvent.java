package dev.xmem.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** It was looked up what is known of a failure. */
@Name("dev.xmem.Recall")
@Label("Recall")
@Description("It was looked up what is known of a failure")
@Category("xmem")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
public final class RecallEvent extends Event {
    @Label("Entries")
    @Description("How many were given back")
    private int entries;

    /** Begins now. */
    public RecallEvent() {
        begin();
    }

    /** Ends now. */
    public void done(int entries) {
        end();
        if (shouldCommit()) {
            this.entries = entries;
            commit();
        }
    }
}

package dev.xmem.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Entries were appended to their logs. */
@Name("dev.xmem.Append")
@Label("Append")
@Description("Entries were appended to their logs")
@Category("xmem")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
public final class AppendEvent extends Event {
    @Label("Entries")
    @Description("How many there were")
    private int entries;

    /** Begins now. */
    public AppendEvent() {
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

package dev.xmem.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** index.json was brought up to date. */
@Name("dev.xmem.IndexFile")
@Label("IndexFile")
@Description("index.json was brought up to date")
@Category("xmem")
@StackTrace(false)
public final class IndexFileEvent extends Event {
    /** Begins now. */
    public IndexFileEvent() {
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

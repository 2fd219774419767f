package dev.xmem.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A query was answered. */
@Name("dev.xmem.Search")
@Label("Search")
@Description("A query was answered")
@Category("xmem")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
public final class SearchEvent extends Event {
    @Label("Mode")
    @Description("How its text was taken")
    private String mode = "";

    @Label("Entries")
    @Description("How many are on the page")
    private int entries;

    @Label("Total")
    @Description("How many were found")
    private long total;

    /** Begins now. */
    public SearchEvent() {
        begin();
    }

    /** Ends now. */
    public void done(String mode, int entries, long total) {
        end();
        if (shouldCommit()) {
            this.mode = mode;
            this.entries = entries;
            this.total = total;
            commit();
        }
    }
}

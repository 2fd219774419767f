package dev.xmem.core.base.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A query was answered. It begins when this is made. */
public final class SearchEvent {
    private final @Nullable Recorded event = FlightRecording.isOn() ? new Recorded() : null;

    @Name("dev.xmem.Search")
    @Label("Search")
    @Description("A query was answered")
    @Category("xmem")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // the recorder reads them
    static final class Recorded extends Event {
        @Label("Mode")
        @Description("How its text was taken")
        private String mode = "";

        @Label("Entries")
        @Description("How many are on the page")
        private int entries;

        @Label("Total")
        @Description("How many were found")
        private long total;

        Recorded() {
            begin();
        }
    }

    /** Ends now. */
    public void done(String mode, int entries, long total) {
        Recorded ended = event;
        if (ended != null) {
            ended.mode = mode;
            ended.entries = entries;
            ended.total = total;
            ended.commit();
        }
    }
}

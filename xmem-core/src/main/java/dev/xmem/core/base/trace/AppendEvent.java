package dev.xmem.core.base.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Entries were appended to their logs. It begins when this is made. */
public final class AppendEvent {
    private final @Nullable Recorded event = FlightRecording.isOn() ? new Recorded() : null;

    @Name("dev.xmem.Append")
    @Label("Append")
    @Description("Entries were appended to their logs")
    @Category("xmem")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // the recorder reads them
    static final class Recorded extends Event {
        @Label("Entries")
        @Description("How many there were")
        private int entries;

        Recorded() {
            begin();
        }
    }

    /** Ends now. */
    public void done(int entries) {
        Recorded ended = event;
        if (ended != null) {
            ended.entries = entries;
            ended.commit();
        }
    }
}

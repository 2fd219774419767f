package dev.xmem.core.base.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** It was looked up what is known of a failure. It begins when this is made. */
public final class RecallEvent {
    private final @Nullable Recorded event = FlightRecording.isOn() ? new Recorded() : null;

    @Name("dev.xmem.Recall")
    @Label("Recall")
    @Description("It was looked up what is known of a failure")
    @Category("xmem")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // the recorder reads them
    static final class Recorded extends Event {
        @Label("Entries")
        @Description("How many were given back")
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

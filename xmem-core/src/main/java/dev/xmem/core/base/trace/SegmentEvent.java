package dev.xmem.core.base.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A segment of an index was written. It begins when this is made. */
public final class SegmentEvent {
    private final @Nullable Recorded event = FlightRecording.isOn() ? new Recorded() : null;

    @Name("dev.xmem.Segment")
    @Label("Segment")
    @Description("A segment of an index was written")
    @Category("xmem")
    @StackTrace(false)
    static final class Recorded extends Event {
        Recorded() {
            begin();
        }
    }

    /** Ends now. */
    public void done() {
        Recorded ended = event;
        if (ended != null) {
            ended.commit();
        }
    }
}

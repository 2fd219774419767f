package dev.xmem.core.base.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A round of a sync ended. It begins when this is made. */
public final class SyncEvent {
    private final @Nullable Recorded event = FlightRecording.isOn() ? new Recorded() : null;

    @Name("dev.xmem.Sync")
    @Label("Sync")
    @Description("A round of a sync ended")
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

package dev.xmem.core.base.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Logs were compacted. It begins when this is made. */
public final class CompactionEvent {
    private final @Nullable Recorded event = FlightRecording.isOn() ? new Recorded() : null;

    @Name("dev.xmem.Compaction")
    @Label("Compaction")
    @Description("Logs were compacted")
    @Category("xmem")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // the recorder reads them
    static final class Recorded extends Event {
        @Label("Removed")
        @Description("How many lines went")
        private long removed;

        Recorded() {
            begin();
        }
    }

    /** Ends now. */
    public void done(long removed) {
        Recorded ended = event;
        if (ended != null) {
            ended.removed = removed;
            ended.commit();
        }
    }
}

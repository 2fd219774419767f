package dev.xmem.core.base.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** index.json was brought up to date. It begins when this is made. */
public final class IndexFileEvent {
    private final @Nullable Recorded event = FlightRecording.isOn() ? new Recorded() : null;

    @Name("dev.xmem.IndexFile")
    @Label("IndexFile")
    @Description("index.json was brought up to date")
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

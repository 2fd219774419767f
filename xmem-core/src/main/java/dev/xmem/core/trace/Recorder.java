package dev.xmem.core.trace;

import jdk.jfr.FlightRecorder;

/** Whether anybody records. Without that, no class of an event is loaded: the first costs tens of milliseconds. */
final class Recorder {
    private Recorder() {}

    static boolean isOn() {
        return FlightRecorder.isInitialized();
    }
}

package dev.xmem.core.base.trace;

import jdk.jfr.FlightRecorder;

/** Whether anybody records. Without that, no class of an event is loaded: the first costs tens of milliseconds. */
final class FlightRecording {
    private FlightRecording() {}

    static boolean isOn() {
        return FlightRecorder.isInitialized();
    }
}

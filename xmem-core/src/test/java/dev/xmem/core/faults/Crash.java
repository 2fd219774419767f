package dev.xmem.core.faults;

/** The process is gone. An error, so that nothing in the engine answers it. */
@SuppressWarnings("serial")
final class Crash extends Error {
    Crash() {
        super("the process has ended", null, false, false);
    }
}

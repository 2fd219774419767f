package dev.xmem.core.record;

/** A line that is not one JSON object. It is skipped, counted, located and kept. */
public final class MalformedLineException extends Exception {
    MalformedLineException(String reason) {
        super(reason, null, false, false);
    }
}

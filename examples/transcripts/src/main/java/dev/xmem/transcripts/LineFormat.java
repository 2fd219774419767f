package dev.xmem.transcripts;

import java.util.Map;
import java.util.Set;

/** How an agent writes the lines of a transcript. Has the state of one transcript. */
abstract class LineFormat {
    /** The members that are not needed, at any depth. */
    Set<String> skipped() {
        return Set.of();
    }

    /** Adds the calls and results of a line. */
    abstract void line(Map<String, Object> line, CallCollector out);

    /** Adds what the last line left open. */
    void end(CallCollector out) {}
}

package dev.xmem.transcripts;

import java.io.IOException;
import java.util.Map;

/** A transcript of lines. */
final class LineTranscript extends CollectedTranscript {
    private final JsonLines lines;
    private final LineFormat format;

    LineTranscript(JsonLines lines, LineFormat format, CallCollector calls) {
        super(calls, lines);
        this.lines = lines;
        this.format = format;
    }

    @Override
    boolean advance() throws IOException {
        Map<String, Object> line = lines.next(format.skipped());
        if (line == null) {
            format.end(calls);
            calls.end();
            return false;
        }
        format.line(line, calls);
        return true;
    }
}

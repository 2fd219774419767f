package dev.xmem.transcripts;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A transcript of lines. */
final class LineTranscript implements Transcript {
    private final JsonLines lines;
    private final LineFormat format;
    private final CallCollector calls;
    private boolean ended;

    LineTranscript(JsonLines lines, LineFormat format, CallCollector calls) {
        this.lines = lines;
        this.format = format;
        this.calls = calls;
    }

    @Override
    public @Nullable PastCall next() throws IOException {
        PastCall call = calls.next();
        while (call == null && !ended) {
            Map<String, Object> line = lines.next(format.skipped());
            if (line == null) {
                ended = true;
                format.end(calls);
                calls.end();
            } else {
                format.line(line, calls);
            }
            call = calls.next();
        }
        return call;
    }

    @Override
    public ReadCounts counts() {
        return calls.counts;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}

package dev.xmem.transcripts;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A transcript that is read step by step into a {@link CallCollector}. */
abstract class CollectedTranscript implements Transcript {
    final CallCollector calls;
    private final Closeable source;
    private boolean ended;

    /** @param source is closed with the transcript */
    CollectedTranscript(CallCollector calls, Closeable source) {
        this.calls = calls;
        this.source = source;
    }

    /** Reads the next line or element; false at the end, after which it is not called again. */
    abstract boolean advance() throws IOException;

    @Override
    public final @Nullable PastCall next() throws IOException {
        PastCall call = calls.next();
        while (call == null && !ended) {
            ended = !advance();
            call = calls.next();
        }
        return call;
    }

    @Override
    public final ReadCounts counts() {
        return calls.counts;
    }

    @Override
    public final void close() throws IOException {
        source.close();
    }
}

package dev.xmem.transcripts;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An open transcript: its calls, in their order. Needs memory for one line and the open calls. Not thread-safe. */
public interface Transcript extends Closeable {
    /**
     * Returns the next call that has a result; null at the end.
     *
     * @throws IOException if the file cannot be read; what a line has instead of what is expected is no error, but
     *     counted in {@link #counts()}
     */
    @Nullable PastCall next() throws IOException;

    /** Returns what was read so far. */
    ReadCounts counts();
}

package dev.xmem.transcripts;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A transcript that a program prints. */
final class ProcessTranscript implements Transcript {
    private static final int END_SECONDS = 10;

    private final Process process;
    private final DocumentTranscript printed;
    private boolean ended;

    ProcessTranscript(Process process, CallCollector calls) throws IOException {
        this.process = process;
        process.getOutputStream().close();
        this.printed = new DocumentTranscript(process.getInputStream(), new OpencodeFormat(), calls);
    }

    @Override
    public @Nullable PastCall next() throws IOException {
        PastCall call = printed.next();
        if (call == null && !ended) {
            ended = true;
            if (code() != 0) {
                throw new IOException("sqlite3 could not read the database; its exit code is " + code());
            }
        }
        return call;
    }

    private int code() throws IOException {
        try {
            return process.waitFor(END_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public ReadCounts counts() {
        return printed.counts();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        printed.close();
    }
}

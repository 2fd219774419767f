package dev.xmem.transcripts;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that begins after the next line end. */
final class RestOfLines extends FilterInputStream {
    private boolean skipped;

    RestOfLines(InputStream in) {
        super(in);
    }

    private void skipLine() throws IOException {
        while (!skipped) {
            int next = super.read();
            skipped = next < 0 || next == '\n';
        }
    }

    @Override
    public int read() throws IOException {
        skipLine();
        return super.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        skipLine();
        return super.read(target, offset, length);
    }
}

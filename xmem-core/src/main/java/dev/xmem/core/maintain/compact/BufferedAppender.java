package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;

/** Collects small writes. One thread. */
final class BufferedAppender {
    private static final int BYTES = 128 << 10;

    private final FileSystem.Output out;
    private final byte[] buffer = new byte[BYTES];
    private int filled;

    BufferedAppender(FileSystem.Output out) {
        this.out = out;
    }

    void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    void write(byte[] bytes, int start, int length) throws IOException {
        if (filled + length > BYTES) {
            flush();
        }
        if (length > BYTES) {
            out.write(bytes, start, length);
            return;
        }
        System.arraycopy(bytes, start, buffer, filled, length);
        filled += length;
    }

    void flush() throws IOException {
        if (filled > 0) {
            out.write(buffer, 0, filled);
            filled = 0;
        }
    }
}

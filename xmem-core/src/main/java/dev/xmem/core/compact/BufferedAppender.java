package dev.xmem.core.compact;

import dev.xmem.core.file.Disk;
import java.io.IOException;

/** Collects small writes. One thread. */
final class BufferedAppender {
    private static final int BYTES = 128 << 10;

    private final Disk.Appender out;
    private final byte[] buffer = new byte[BYTES];
    private int filled;

    BufferedAppender(Disk.Appender out) {
        this.out = out;
    }

    void write(byte[] bytes) throws IOException {
        if (filled + bytes.length > BYTES) {
            flush();
        }
        if (bytes.length > BYTES) {
            out.write(bytes, 0, bytes.length);
            return;
        }
        System.arraycopy(bytes, 0, buffer, filled, bytes.length);
        filled += bytes.length;
    }

    void flush() throws IOException {
        if (filled > 0) {
            out.write(buffer, 0, filled);
            filled = 0;
        }
    }
}

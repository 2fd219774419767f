package dev.xmem.core.base.json;

import java.io.OutputStream;
import java.util.Arrays;

/** A reusable buffer for lines. Not thread-safe. */
public final class LineBuffer extends OutputStream {
    private static final int KEPT_BYTES = 64 << 10;

    private byte[] bytes = new byte[2048];
    private int length;

    @Override
    public void write(int b) {
        room(1);
        bytes[length++] = (byte) b;
    }

    @Override
    public void write(byte[] from, int offset, int count) {
        room(count);
        System.arraycopy(from, offset, bytes, length, count);
        length += count;
    }

    private void room(int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }

    /** Empties the buffer and frees a large array. */
    public void clear() {
        length = 0;
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[2048];
        }
    }

    /** Drops all bytes after this length. */
    public void truncate(int to) {
        length = to;
    }

    /** The underlying array: valid up to {@link #length()} and until the next write. */
    public byte[] array() {
        return bytes;
    }

    /** The number of bytes in the buffer. */
    public int length() {
        return length;
    }
}

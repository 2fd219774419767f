package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.FileSystem;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Collects small writes to a file. The file is not closed with it. */
final class BufferedAppender extends BufferedOutputStream {
    private static final int BYTES = 128 << 10;

    BufferedAppender(FileSystem.Output file) {
        super(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        write(new byte[] {(byte) b}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int start, int length) throws IOException {
                        file.write(bytes, start, length);
                    }
                },
                BYTES);
    }
}

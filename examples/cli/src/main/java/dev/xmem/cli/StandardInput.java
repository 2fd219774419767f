package dev.xmem.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The standard input of the process. */
final class StandardInput {
    private StandardInput() {}

    static InputStream open() {
        return isClosed() ? new Closed() : new FileInputStream(FileDescriptor.in);
    }

    /**
     * Whether the process was started without a standard input. The first file that the virtual machine opens and
     * keeps open, its own classes, then has the number 0.
     */
    private static boolean isClosed() {
        String home = System.getProperty("java.home");
        try {
            return home != null && Files.isSameFile(Path.of("/dev/fd/0"), Path.of(home, "lib", "modules"));
        } catch (IOException e) {
            return false; // a system without /dev/fd
        }
    }

    /** A standard input that is closed: a command that needs none does not notice. */
    private static final class Closed extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("standard input is closed; to pass no input, use < /dev/null");
        }
    }
}

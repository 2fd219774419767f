package dev.xmem.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The standard output of the process. Remembers why a write failed, which a {@code PrintStream} does not tell. */
final class StandardOutput extends FileOutputStream {
    private volatile @Nullable String failure;

    StandardOutput() {
        super(FileDescriptor.out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            super.write(bytes, from, length);
        } catch (IOException e) {
            failure = String.valueOf(e.getMessage());
            throw e;
        }
    }

    /** Why output is missing; null if nothing is missing, or if the reader of a pipe wanted no more. */
    @Nullable String failure() {
        String reason = failure;
        return reason == null || isPipe(reason) ? null : "write failure on standard output: " + reason;
    }

    /** Whether the output is a pipe. The reason is in the language of the user. */
    private static boolean isPipe(String reason) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException e) {
            return reason.toLowerCase(Locale.ROOT).contains("pipe");
        }
    }
}

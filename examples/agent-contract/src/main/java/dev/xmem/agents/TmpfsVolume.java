package dev.xmem.agents;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A volume of one megabyte, mounted on a directory. Skips the test if this user may not mount one. */
final class TmpfsVolume implements AutoCloseable {
    private final Path folder;

    private TmpfsVolume(Path folder) {
        this.folder = folder;
    }

    static TmpfsVolume mountedAt(Path folder) throws IOException {
        Files.createDirectories(folder);
        boolean mounted = succeeds("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString());
        assumeTrue(mounted, "cannot mount a tmpfs: not root, or not Linux");
        return new TmpfsVolume(folder);
    }

    /** Fills the volume. */
    void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(folder.resolve("filler"))) {
            byte[] block = new byte[4096];
            for (int blocks = 0; blocks < 1024; blocks++) {
                out.write(block);
            }
        } catch (IOException e) {
            return; // full
        }
        throw new IllegalStateException("a volume of 1 MB accepted 4 MB");
    }

    private static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // the program is not installed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (!succeeds("umount", folder.toString())) {
            throw new IllegalStateException("cannot unmount " + folder);
        }
    }
}

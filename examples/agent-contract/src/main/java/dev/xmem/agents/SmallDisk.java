package dev.xmem.agents;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk of one megabyte, mounted on a folder; skips the test where this user may not mount one. */
final class SmallDisk implements AutoCloseable {
    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    static SmallDisk mountedAt(Path folder) throws IOException {
        Files.createDirectories(folder);
        boolean mounted = works("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString());
        assumeTrue(mounted, "a small disk cannot be mounted here: not root, or not Linux");
        return new SmallDisk(folder);
    }

    /** Leaves no room. */
    void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(folder.resolve("filler"))) {
            byte[] block = new byte[4096];
            for (int blocks = 0; blocks < 1024; blocks++) {
                out.write(block);
            }
        } catch (IOException e) {
            return; // full
        }
        throw new IllegalStateException("a disk of a megabyte takes four");
    }

    private static boolean works(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is no such program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (!works("umount", folder.toString())) {
            throw new IllegalStateException("cannot unmount " + folder);
        }
    }
}

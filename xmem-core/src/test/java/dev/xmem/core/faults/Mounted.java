package dev.xmem.core.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A file system of one's own, where this user may mount one: ext4 in a file by a loop device, or a small tmpfs. */
final class Mounted implements AutoCloseable {
    private final Path image;
    private final Path point;
    private final Path script;
    private boolean mounted;

    private Mounted(Path folder) throws IOException {
        this.image = folder.resolve("image");
        this.point = Files.createDirectories(folder.resolve("mounted"));
        this.script = folder.resolve("shutdown.py");
    }

    /** An ext4 of 64 MiB; skips the test where that cannot be had. */
    static Mounted ext4(Path folder) throws IOException {
        Mounted disk = new Mounted(folder);
        try (InputStream python = Mounted.class.getResourceAsStream("shutdown.py")) {
            Files.write(disk.script, Objects.requireNonNull(python).readAllBytes());
        }
        assumeTrue(works("python3", "--version"), "there is no python3");
        assumeTrue(works("truncate", "-s", "64M", disk.image.toString()), "there is no truncate");
        assumeTrue(works("mkfs.ext4", "-q", "-F", disk.image.toString()), "there is no mkfs.ext4");
        disk.mounted = works("mount", "-o", "loop", disk.image.toString(), disk.point.toString());
        assumeTrue(disk.mounted, "a loop device cannot be mounted here: not root, or no loop devices");
        return disk;
    }

    /** A tmpfs; skips the test where that cannot be had. */
    static Mounted tmpfs(Path folder, String size) throws IOException {
        Mounted disk = new Mounted(folder);
        disk.mounted = works("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", disk.point.toString());
        assumeTrue(disk.mounted, "a tmpfs cannot be mounted here: not root");
        return disk;
    }

    /** Where it is mounted. */
    Path point() {
        return point;
    }

    /** Puts on the device what there is by now. */
    void sync() {
        must("sync", "-f", point.toString());
    }

    /** From now on nothing reaches the device, as after a power cut. */
    void cutPower() {
        must("python3", script.toString(), point.toString());
    }

    /** As after the next start of the machine. */
    void startAgain() {
        unmount();
        must("mount", "-o", "loop", image.toString(), point.toString());
        mounted = true;
    }

    /** A store that was closed here has its segments mapped until the garbage collector lets go of them. */
    private void unmount() {
        for (int i = 0; i < 20 && !works("umount", point.toString()); i++) {
            System.gc();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        mounted = works("mountpoint", "-q", point.toString());
        if (mounted) {
            throw new AssertionError("cannot be unmounted: " + point);
        }
    }

    private static void must(String... command) {
        if (!works(command)) {
            throw new AssertionError("failed: " + List.of(command));
        }
    }

    private static boolean works(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean worked = process.waitFor() == 0;
            if (!worked) {
                System.out.println(List.of(command) + ": " + said.strip());
            }
            return worked;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (mounted) {
            unmount();
        }
    }
}

package dev.xmem.core;

import dev.xmem.core.file.Disk;
import java.nio.file.Path;

/** Lets tests of other packages open a store on a disk of their own. */
public final class OnDisk {
    private OnDisk() {}

    /** A store on this disk, to be set up first. */
    @SuppressWarnings("exports")
    public static XMem.Builder builder(Path directory, Disk disk) {
        return new XMem.Builder(directory, disk);
    }

    /** The same store, its logs sealed by stretches of so many lines: a power of two. */
    public static XMem.Builder stretches(XMem.Builder builder, int lines) {
        return builder.stretchLines(lines);
    }
}

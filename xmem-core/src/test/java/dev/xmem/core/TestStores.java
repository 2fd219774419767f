package dev.xmem.core;

import dev.xmem.XMemStore;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.maintain.compact.Maintenance;
import dev.xmem.core.store.index.LogRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Lets tests of other packages open a store on a disk of their own. */
public final class TestStores {
    private TestStores() {}

    /** A store on this disk, to be set up first. */
    @SuppressWarnings("exports")
    public static XMem.Builder builder(Path directory, FileSystem disk) {
        return new XMem.Builder(directory, disk);
    }

    /** A store in this folder whose segments have this many lines: a power of two. */
    public static XMem.Builder builder(Path directory, int segmentLines) {
        return XMem.builder(directory).segmentLines(segmentLines);
    }

    /** What a store does by itself a while after it was opened. */
    public static void checkNow(XMemStore store) throws IOException {
        ((DefaultStore) store).parts.integrity.check(() -> false);
    }

    /** Merges segments as a store does by itself, one step; false if there are none to merge. */
    public static boolean mergeOne(XMemStore store, BooleanSupplier stopped) throws IOException {
        return ((DefaultStore) store).parts.registry.mergeOne(stopped);
    }

    /** The logs of a store. */
    @SuppressWarnings("exports")
    public static LogRegistry registry(XMemStore store) {
        return ((DefaultStore) store).parts.registry;
    }

    /** What a store does by itself a few minutes after an append. */
    public static void writeDue(XMemStore store) {
        Objects.requireNonNull(((DefaultStore) store).parts.writeSide).index.writeDue();
    }

    /** What compacts a store. */
    @SuppressWarnings("exports")
    public static Maintenance maintenance(XMemStore store) {
        return Objects.requireNonNull(((DefaultStore) store).parts.writeSide)
                .maintenance
                .get();
    }

    /** The same builder, with segments of this many lines: a power of two. */
    public static XMem.Builder withSegmentLines(XMem.Builder builder, int lines) {
        return builder.segmentLines(lines);
    }
}

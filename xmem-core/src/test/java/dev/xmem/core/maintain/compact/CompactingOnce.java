package dev.xmem.core.maintain.compact;

import dev.xmem.CompactionReport;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

/** Compacts a store. */
final class CompactingOnce {
    private CompactingOnce() {}

    /** Arguments: the store, what time it is, a file for how many lines were removed. */
    public static void main(String... args) throws IOException {
        InstantSource clock = InstantSource.fixed(Instant.parse(args[1]));
        try (XMemStore store = XMem.builder(Path.of(args[0])).clock(clock).open()) {
            CompactionReport report = store.compact(store.planCompaction(Retention.defaults()));
            Files.writeString(Path.of(args[2]), String.valueOf(report.removed()));
        }
    }
}

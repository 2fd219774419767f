package dev.xmem.benchmarks;

import java.nio.file.Path;

/** A store as one is that was used by default settings, the built-in hasher too: its logs, and an index of them. */
final class HashedStoreFormat implements DatasetFormat {
    @Override
    public String formatName() {
        return "xmem-hashing";
    }

    @Override
    public void fill(Path folder, Dataset dataset) throws Exception {
        LogFiles.write(folder, dataset);
        XMemEngine.awaitIndex(folder, null);
    }
}

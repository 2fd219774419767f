package dev.xmem.benchmarks;

import java.nio.file.Path;

/** A store written with default settings, including the built-in hasher: its logs and their index. */
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

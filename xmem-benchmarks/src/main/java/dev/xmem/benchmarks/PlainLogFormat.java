package dev.xmem.benchmarks;

import java.nio.file.Path;

/** The logs of a store, without an index. */
final class PlainLogFormat implements DatasetFormat {
    @Override
    public String formatName() {
        return "logs";
    }

    @Override
    public void fill(Path folder, Dataset dataset) throws Exception {
        LogFiles.write(folder, dataset);
    }
}

package dev.xmem.benchmarks;

import java.nio.file.Path;

/** The logs of a store and nothing else. */
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

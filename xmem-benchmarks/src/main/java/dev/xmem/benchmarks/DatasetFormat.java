package dev.xmem.benchmarks;

import java.nio.file.Path;

/** Files that hold a history in some form. */
interface DatasetFormat {
    /** What they are called. */
    String formatName();

    /** Writes all entries into an empty folder. */
    void fill(Path folder, Dataset dataset) throws Exception;
}

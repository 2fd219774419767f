package dev.xmem.benchmarks;

import java.nio.file.Path;

/** An on-disk format that a {@link Dataset} can be written in. */
interface DatasetFormat {
    /** The name of the folder that holds the files. */
    String formatName();

    /** Writes all entries to an empty folder. */
    void fill(Path folder, Dataset dataset) throws Exception;
}

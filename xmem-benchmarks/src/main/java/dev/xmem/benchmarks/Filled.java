package dev.xmem.benchmarks;

import java.nio.file.Path;

/** Files that hold a history in some form. */
interface Filled {
    /** What they are called. */
    String files();

    /** Writes all entries into an empty folder. */
    void fill(Path folder, History history) throws Exception;
}

package dev.xmem.benchmarks;

import java.nio.file.Path;

/** The logs of a store and nothing else. */
final class PlainLogs implements Filled {
    @Override
    public String files() {
        return "logs";
    }

    @Override
    public void fill(Path folder, History history) throws Exception {
        Logs.write(folder, history);
    }
}

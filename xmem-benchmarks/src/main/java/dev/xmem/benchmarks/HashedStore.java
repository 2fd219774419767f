package dev.xmem.benchmarks;

import java.nio.file.Path;

/** A store as one is that was used by default settings, the built-in hasher too: its logs, and an index of them. */
final class HashedStore implements Filled {
    @Override
    public String files() {
        return "xmem-hashing";
    }

    @Override
    public void fill(Path folder, History history) throws Exception {
        Logs.write(folder, history);
        XMemEngine.settle(folder, null);
    }
}

package dev.xmem.benchmarks;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Appends entries to a copy of a dataset, after it has compared some appends with the expected lines. */
final class AppendTrial implements QueryCost.Trial {
    private static final String NEW = "-new";
    /** Fewer than the texts whose hashes a store remembers. */
    private static final int ENTRIES = 128;

    private final BenchmarkFixture bench;
    private final List<CorpusEntry> input;
    private final Peer peer;
    private final boolean changes;
    private int next;
    private @Nullable CorpusEntry entry;

    AppendTrial(String engine, DatasetCache cache) throws Exception {
        this.changes = engine.endsWith(NEW);
        this.bench =
                new BenchmarkFixture(changes ? engine.substring(0, engine.length() - NEW.length()) : engine, cache);
        bench.compareAppends();
        this.input = bench.input().subList(0, ENTRIES);
        this.peer = bench.open(InstantSource.system());
    }

    @Override
    public void prepare() {
        CorpusEntry again = input.get(next % input.size());
        entry = changes ? again.withText("attempt " + next) : again;
        next++;
    }

    @Override
    public Object next() throws Exception {
        return peer.append(Objects.requireNonNull(entry));
    }

    @Override
    public void close() throws IOException {
        peer.close();
        bench.delete();
    }
}

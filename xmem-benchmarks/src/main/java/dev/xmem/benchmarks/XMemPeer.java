package dev.xmem.benchmarks;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.Resources;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** xmem through its public API with default settings, except for the hasher and the cache size. */
final class XMemPeer implements Peer {
    /** The default cache size. */
    static final long CACHE_BYTES = 16L << 20;

    private final Path folder;
    private final ExecutorService background = Executors.newCachedThreadPool();
    private final Resources resources;
    private final XMemStore store;

    XMemPeer(
            Path folder,
            @Nullable PrecomputedHasher hasher,
            InstantSource clock,
            long cacheBytes,
            Durability durability) {
        this.folder = folder;
        this.resources = Resources.of(background, cacheBytes);
        XMem.Builder builder =
                XMem.builder(folder).clock(clock).resources(resources).durability(durability);
        this.store = (hasher == null ? builder : builder.hasher(hasher)).open();
        store.flush();
    }

    @Override
    public String append(CorpusEntry entry) {
        return store.recordAll(List.of(entry.draft())).get(0).id();
    }

    @Override
    public List<String> page(String ctxHash) {
        return EntryFields.ids(store.search(Query.all().ctxHash(ctxHash)).matches());
    }

    @Override
    public List<String> advice(CorpusEntry entry) {
        ToolCall call = ToolCall.json(entry.text("tool"), entry.text("action"));
        return EntryFields.ids(
                store.recall(call, ToolError.text(entry.hashKey())).matches());
    }

    @Override
    public List<String> lastLines(Entry.Kind kind, int lines) throws IOException {
        return LogFiles.last(folder, kind, lines);
    }

    @Override
    public void close() {
        store.close();
        resources.close();
        background.shutdown();
    }
}

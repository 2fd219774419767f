package dev.xmem.benchmarks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.h2.engine.Constants;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** MVStore of H2 with default settings: a cursor over one context hash, newest first. */
public final class MvStoreEngine implements Engine {
    private static final String MAP = "entries";

    /** Creates the engine; the service loader calls it. */
    public MvStoreEngine() {}

    @Override
    public String name() {
        return "mvstore";
    }

    @Override
    public String version() {
        return "H2 MVStore " + Constants.VERSION;
    }

    @Override
    public Set<QueryType> supportedTypes() {
        return KeyValue.supportedTypes();
    }

    private static Path file(Path folder) {
        return folder.resolve("store.mv");
    }

    @Override
    public void fill(Path folder, Dataset dataset) throws Exception {
        long[] seq = {0};
        try (MVStore store =
                new MVStore.Builder().fileName(file(folder).toString()).open()) {
            MVMap<String, byte[]> map = store.openMap(MAP);
            dataset.forEachChunk(chunk -> {
                for (StoredEntry stored : chunk) {
                    map.put(KeyValue.key(stored, ++seq[0]), stored.line().getBytes(StandardCharsets.UTF_8));
                }
                store.commit();
            });
        }
    }

    @Override
    public Searcher open(Path folder) {
        return new Open(new MVStore.Builder().fileName(file(folder).toString()).open());
    }

    private static final class Open implements Searcher {
        private final MVStore store;
        private final MVMap<String, byte[]> map;
        private final LineParser parser = new LineParser();

        Open(MVStore store) {
            this.store = store;
            this.map = store.openMap(MAP);
        }

        @Override
        public List<String> ids(TestQuery query) throws Exception {
            String prefix = KeyValue.prefix(query.text());
            List<byte[]> lines = new ArrayList<>();
            Cursor<String, byte[]> entries = map.cursor(prefix);
            while (lines.size() < query.type().limit()
                    && entries.hasNext()
                    && entries.next().startsWith(prefix)) {
                lines.add(entries.getValue());
            }
            return KeyValue.ids(lines, parser);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}

package dev.xmem.benchmarks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB with default options: a scan of one context hash, newest first. */
public final class RocksDbEngine implements Engine {
    /** Creates the engine; the service loader calls it. */
    public RocksDbEngine() {}

    @Override
    public String name() {
        return "rocksdb";
    }

    @Override
    public String version() {
        RocksDB.loadLibrary();
        return "RocksDB " + RocksDB.rocksdbVersion();
    }

    @Override
    public Set<QueryType> supportedTypes() {
        return KeyValue.supportedTypes();
    }

    @Override
    public void fill(Path folder, Dataset dataset) throws Exception {
        long[] seq = {0};
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, folder.toString());
                WriteOptions unsynced = new WriteOptions()) {
            dataset.forEachChunk(chunk -> {
                try (WriteBatch batch = new WriteBatch()) {
                    for (StoredEntry stored : chunk) {
                        batch.put(
                                KeyValue.key(stored, ++seq[0]).getBytes(StandardCharsets.UTF_8),
                                stored.line().getBytes(StandardCharsets.UTF_8));
                    }
                    db.write(unsynced, batch);
                }
            });
        }
    }

    @Override
    public Searcher open(Path folder) throws RocksDBException {
        Options options = new Options();
        return new Open(options, RocksDB.open(options, folder.toString()));
    }

    private static final class Open implements Searcher {
        private final Options options;
        private final RocksDB db;
        private final LineParser parser = new LineParser();

        Open(Options options, RocksDB db) {
            this.options = options;
            this.db = db;
        }

        @Override
        public List<String> ids(TestQuery query) throws Exception {
            byte[] prefix = KeyValue.prefix(query.text()).getBytes(StandardCharsets.UTF_8);
            List<byte[]> lines = new ArrayList<>();
            try (RocksIterator entries = db.newIterator()) {
                entries.seek(prefix);
                while (lines.size() < query.type().limit() && entries.isValid() && has(prefix, entries.key())) {
                    lines.add(entries.value());
                    entries.next();
                }
            }
            return KeyValue.ids(lines, parser);
        }

        private static boolean has(byte[] prefix, byte[] key) {
            return key.length >= prefix.length && Arrays.equals(prefix, 0, prefix.length, key, 0, prefix.length);
        }

        @Override
        public void close() {
            db.close();
            options.close();
        }
    }
}

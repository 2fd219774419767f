package dev.xmem.benchmarks;

import dev.xmem.Durability;
import dev.xmem.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** An engine under measurement, on files of its own. */
interface Peer extends AutoCloseable {
    /** The most entries of an answer. */
    int PAGE = 70;

    /** The engine of this name, opened on a copy of {@link #files}. */
    static Peer open(String engine, Path folder, PrecomputedHasher hasher, InstantSource clock) throws Exception {
        return switch (engine) {
            case "xmem" -> new XMemPeer(folder, hasher, clock, XMemPeer.CACHE_BYTES, Durability.OS);
            case "xmem-uncached" -> new XMemPeer(folder, hasher, clock, 0, Durability.OS);
            case "xmem-hashing" -> new XMemPeer(folder, null, clock, XMemPeer.CACHE_BYTES, Durability.OS);
            case "floor" -> new FloorPeer(folder, clock);
            case "sqlite" -> new SqlitePeer(folder, clock, "normal");
            default -> throw new IllegalArgumentException("no engine is called " + engine);
        };
    }

    /** The same engines with what they acknowledge on stable storage, for many threads. */
    static Peer openDurable(String engine, Path folder, PrecomputedHasher hasher, InstantSource clock)
            throws Exception {
        return switch (engine) {
            case "xmem" -> new XMemPeer(folder, hasher, clock, XMemPeer.CACHE_BYTES, Durability.GROUP);
            case "floor" -> new GroupFloorPeer(folder, clock);
            case "sqlite" -> new SqlitePeer(folder, clock, "full");
            default -> throw new IllegalArgumentException("no engine of group commits is called " + engine);
        };
    }

    /** The files that the engine of this name is opened on. */
    static DatasetFormat format(String engine) {
        return switch (engine) {
            case "xmem", "xmem-uncached" -> new XMemEngine();
            case "xmem-hashing" -> new HashedStoreFormat();
            case "sqlite" -> new SqliteEngine("porter");
            default -> new PlainLogFormat();
        };
    }

    /** Appends an entry and returns its id. */
    String append(CorpusEntry entry) throws Exception;

    /** The ids of the newest entries of a context hash, newest first, every field of every entry parsed. */
    List<String> page(String ctxHash) throws Exception;

    /**
     * The ids of the newest failures of an item's context hash, those about the same subject first, then of its newest
     * successes; every field of every failure parsed.
     */
    List<String> advice(CorpusEntry entry) throws Exception;

    /** The last lines of a kind on disk, oldest first. */
    List<String> last(Entry.Kind kind, int lines) throws Exception;

    @Override
    void close() throws IOException;
}

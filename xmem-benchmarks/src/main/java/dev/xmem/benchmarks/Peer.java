package dev.xmem.benchmarks;

import dev.xmem.Durability;
import dev.xmem.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** An engine that appends and recalls, on files of its own. */
interface Peer extends AutoCloseable {
    /** The maximum number of entries of an answer. */
    int PAGE = 70;

    /** Opens the engine on a copy of its {@link #format}. */
    static Peer open(String engine, Path folder, PrecomputedHasher hasher, InstantSource clock) throws Exception {
        return switch (engine) {
            case "xmem" -> new XMemPeer(folder, hasher, clock, XMemPeer.CACHE_BYTES, Durability.OS);
            case "xmem-uncached" -> new XMemPeer(folder, hasher, clock, 0, Durability.OS);
            case "xmem-hashing" -> new XMemPeer(folder, null, clock, XMemPeer.CACHE_BYTES, Durability.OS);
            case "floor" -> new FloorPeer(folder, clock);
            case "sqlite" -> new SqlitePeer(folder, clock, "normal");
            default -> throw new IllegalArgumentException("unknown engine: " + engine);
        };
    }

    /** Opens the engine for concurrent appends that are on stable storage when they return. */
    static Peer openDurable(String engine, Path folder, PrecomputedHasher hasher, InstantSource clock)
            throws Exception {
        return switch (engine) {
            case "xmem" -> new XMemPeer(folder, hasher, clock, XMemPeer.CACHE_BYTES, Durability.GROUP);
            case "floor" -> new GroupFloorPeer(folder, clock);
            case "sqlite" -> new SqlitePeer(folder, clock, "full");
            default -> throw new IllegalArgumentException("unknown engine for group commit: " + engine);
        };
    }

    /** Returns the format that the engine opens. */
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

    /** Returns the ids of the newest entries of a context hash, newest first. Parses every field of every entry. */
    List<String> page(String ctxHash) throws Exception;

    /**
     * Returns the ids of the newest failures with the context hash of an entry, those with the same subject first,
     * followed by its newest successes. Parses every field of every entry.
     */
    List<String> advice(CorpusEntry entry) throws Exception;

    /** Returns the last lines of a kind on disk, oldest first. */
    List<String> lastLines(Entry.Kind kind, int lines) throws Exception;

    @Override
    void close() throws IOException;
}

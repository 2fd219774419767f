package dev.xmem.benchmarks;

import dev.xmem.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** An engine under measurement, on files of its own. */
interface Peer extends AutoCloseable {
    /** The most entries of an answer. */
    int PAGE = 70;

    /** The engine of this name, opened on a folder that {@link #fill} has filled. */
    static Peer open(String engine, Path folder, Given given, InstantSource clock) throws Exception {
        return switch (engine) {
            case "xmem" -> new XMemPeer(folder, given, clock, XMemPeer.CACHE_BYTES);
            case "xmem-uncached" -> new XMemPeer(folder, given, clock, 0);
            case "xmem-hashing" -> new XMemPeer(folder, null, clock, XMemPeer.CACHE_BYTES);
            case "floor" -> new FloorPeer(folder, clock);
            case "sqlite" -> new SqlitePeer(folder, clock);
            default -> throw new IllegalArgumentException("no engine is called " + engine);
        };
    }

    /** Puts stored lines into an empty folder, in the form in which the engine keeps them. */
    static void fill(String engine, Path folder, List<Stored> lines) throws Exception {
        if (engine.equals("sqlite")) {
            SqlitePeer.fill(folder, lines);
        } else {
            Logs.write(folder, lines);
        }
    }

    /** Appends an entry and returns its id. */
    String append(Item item) throws Exception;

    /** The ids of the newest entries of a context hash, newest first, every field of every entry parsed. */
    List<String> page(String ctxHash) throws Exception;

    /**
     * The ids of the newest failures of an item's context hash, those about the same subject first, then of its newest
     * successes; every field of every failure parsed.
     */
    List<String> advice(Item item) throws Exception;

    /** The lines of a kind on disk, oldest first. */
    List<String> lines(Entry.Kind kind) throws Exception;

    @Override
    void close() throws IOException;
}

package dev.xmem.core.base.config;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The paths of the files that take part in a sync.
 *
 * @param hot the active logs, by the names of their streams
 * @param archive the folder of the archives, each of which is a stream
 * @param peers the folder with one folder for each other replica
 * @param local the folder of the state of this machine
 */
public record SyncPaths(Map<String, Path> hot, Path archive, Path peers, Path local) {
    public SyncPaths {
        hot = Map.copyOf(hot);
    }

    /** The logs and archives of this replica, by the names of their streams. */
    public Map<String, Path> own(FileSystem files) throws IOException {
        Map<String, Path> own = new TreeMap<>(hot);
        for (Path file : files.list(archive)) {
            String name = streamOf(String.valueOf(file.getFileName()));
            if (!name.isEmpty() && name.indexOf('-') > 0) {
                own.putIfAbsent(name, file);
            }
        }
        return own;
    }

    /** The local copies of the streams of other replicas. */
    public Map<Stream, Path> peers(FileSystem files) throws IOException {
        Map<Stream, Path> published =
                new TreeMap<>(Comparator.comparing(Stream::replica).thenComparing(Stream::name));
        for (Path folder : files.list(peers)) {
            String replica = String.valueOf(folder.getFileName());
            for (Path file : Stream.isReplica(replica) ? files.list(folder) : List.<Path>of()) {
                String name = streamOf(String.valueOf(file.getFileName()));
                if (!name.isEmpty()) {
                    published.put(new Stream(replica, name), file);
                }
            }
        }
        return published;
    }

    /**
     * A value that changes when a log of this replica changes: lengths, identities and times. Length and identity are
     * not enough, because a file that replaces another one may have the same length and the same inode number.
     */
    public List<Object> signature(FileSystem files) throws IOException {
        List<Object> seen = new ArrayList<>();
        for (Path file : own(files).values()) {
            FileSystem.Stat stat = files.exists(file) ? files.stat(file) : null;
            seen.add(stat == null ? "" : List.of(stat.length(), stat.key(), stat.modifiedMillis()));
        }
        return seen;
    }

    /** The local copy of a stream of another replica. */
    public Path peer(Stream stream) {
        return peers.resolve(stream.replica()).resolve(stream.name() + ending(stream.name()));
    }

    public static String ending(String stream) {
        return stream.startsWith("memories") ? ".ndjson" : ".jsonl";
    }

    /** The name of the stream of a file; empty if it is not the name of a stream. */
    private static String streamOf(String file) {
        int dot = file.lastIndexOf('.');
        String name = dot < 0 ? "" : file.substring(0, dot);
        boolean named = Stream.isName(name) && file.equals(name + ending(name));
        return named ? name : "";
    }

    /** The file that marks the store as private. */
    public Path privateMark() {
        return archive.resolveSibling("private");
    }

    public Path replica() {
        return local.resolve("replica.json");
    }

    public Path state() {
        return local.resolve("sync-state.jsonl");
    }

    /** The lock file between the sync workers of all processes. */
    public Path lock() {
        return local.resolve("sync.lock");
    }
}

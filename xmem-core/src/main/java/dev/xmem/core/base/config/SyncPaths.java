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
 * Which files take part.
 *
 * @param hot the logs that are appended to, by the names of their streams
 * @param archive the folder of one's own older lines, whose files are streams too
 * @param peers the folder in which each replica has one
 * @param local the folder of what is only this machine's
 */
public record SyncPaths(Map<String, Path> hot, Path archive, Path peers, Path local) {
    /** Keeps a copy. */
    public SyncPaths {
        hot = Map.copyOf(hot);
    }

    /** The logs of this replica, by the names of their streams. */
    public Map<String, Path> own(FileSystem disk) throws IOException {
        Map<String, Path> own = new TreeMap<>(hot);
        for (Path file : disk.list(archive)) {
            String name = streamOf(String.valueOf(file.getFileName()));
            if (!name.isEmpty() && name.indexOf('-') > 0) {
                own.putIfAbsent(name, file);
            }
        }
        return own;
    }

    /** What others published and is here. */
    public Map<Stream, Path> peers(FileSystem disk) throws IOException {
        Map<Stream, Path> published =
                new TreeMap<>(Comparator.comparing(Stream::replica).thenComparing(Stream::name));
        for (Path folder : disk.list(peers)) {
            String replica = String.valueOf(folder.getFileName());
            for (Path file : Stream.isReplica(replica) ? disk.list(folder) : List.<Path>of()) {
                String name = streamOf(String.valueOf(file.getFileName()));
                if (!name.isEmpty()) {
                    published.put(new Stream(replica, name), file);
                }
            }
        }
        return published;
    }

    /**
     * What is looked at to see whether there is something to publish: lengths, identities and times, since a file that took
     * another's place may have its length, and its number when that was free again.
     */
    public List<Object> signature(FileSystem disk) throws IOException {
        List<Object> seen = new ArrayList<>();
        for (Path file : own(disk).values()) {
            FileSystem.Stat stat = disk.exists(file) ? disk.stat(file) : null;
            seen.add(stat == null ? "" : List.of(stat.length(), stat.key(), stat.modifiedMillis()));
        }
        return seen;
    }

    /** The file that holds the lines of another replica's stream. */
    public Path peer(Stream stream) {
        return peers.resolve(stream.replica()).resolve(stream.name() + ending(stream.name()));
    }

    public static String ending(String stream) {
        return stream.startsWith("memories") ? ".ndjson" : ".jsonl";
    }

    /** The stream that a file is called after; empty if it is called otherwise. */
    private static String streamOf(String file) {
        int dot = file.lastIndexOf('.');
        String name = dot < 0 ? "" : file.substring(0, dot);
        boolean named = Stream.isName(name) && file.equals(name + ending(name));
        return named ? name : "";
    }

    public Path replica() {
        return local.resolve("replica.json");
    }

    public Path state() {
        return local.resolve("sync-state.jsonl");
    }

    /** The mutex between the workers of all processes. */
    public Path lock() {
        return local.resolve("sync.lock");
    }
}

package dev.xmem.core.sync;

import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The id of this store among the replicas: 128 random bits, kept in {@code replica.json} with the inode number of the
 * folder. A copied folder has another inode number and gets a new id, since two stores that publish under one id would
 * overwrite each other; a moved folder keeps its number. Without inode numbers a copy is detected by its first
 * publication.
 */
final class ReplicaIdentity {
    private static final int ID_BYTES = 16;

    private final FileSystem fileSystem;
    private final SyncPaths paths;
    private final RandomGenerator random;

    ReplicaIdentity(FileSystem fileSystem, SyncPaths paths, RandomGenerator random) {
        this.fileSystem = fileSystem;
        this.paths = paths;
        this.random = random;
    }

    /** The id; a new one if there is none yet or the store was copied. */
    String id() throws IOException {
        List<Map<String, Object>> objects = JsonLinesFile.read(fileSystem, paths.replica());
        Map<String, Object> fields = objects.isEmpty() ? Map.of() : objects.get(0);
        String id = JsonLinesFile.text(fields, "replica");
        if (!SyncBackend.Stream.isReplica(id)) {
            return renew();
        }
        String original = JsonLinesFile.text(fields, "folder");
        String current = folder();
        boolean copied = !original.isEmpty() && !current.isEmpty() && !original.equals(current);
        return copied ? renew() : id;
    }

    /** Creates a new id and deletes the sync state: everything is published again under the new id. */
    String renew() throws IOException {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = HexFormat.of().formatHex(bytes);
        fileSystem.createFolders(paths.local());
        fileSystem.delete(paths.state());
        String line = "{\"replica\":\"" + id + "\",\"folder\":\"" + folder() + "\"}\n";
        fileSystem.replace(paths.replica(), line.getBytes(StandardCharsets.UTF_8));
        return id;
    }

    /** The inode number of the folder; empty if the file system has none. */
    private String folder() throws IOException {
        FileSystem.Stat stat = fileSystem.stat(paths.local());
        String key = stat == null || stat.key() instanceof Path ? "" : String.valueOf(stat.key());
        int number = key.indexOf("ino=");
        return number < 0 ? "" : key.substring(number + 4).replaceAll("[^0-9]", "");
    }
}

package dev.xmem.core.sync;

import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Who this store is among others: 128 random bits, beside the number of the folder that they were made in. A folder that was
 * copied has another number, and becomes another replica: two that published under one id would overwrite each other. A
 * folder that was moved keeps its number. Where the file system numbers nothing, a copy is found out by its first
 * publication.
 */
final class ReplicaIdentity {
    private static final int ID_BYTES = 16;

    private final FileSystem disk;
    private final LineCodec codec;
    private final SyncPaths files;
    private final RandomGenerator random;

    ReplicaIdentity(FileSystem disk, LineCodec codec, SyncPaths files, RandomGenerator random) {
        this.disk = disk;
        this.codec = codec;
        this.files = files;
        this.random = random;
    }

    /** The id, made where there is none yet, and another one where the store was copied. */
    String id() throws IOException {
        List<Map<String, Object>> objects = JsonLinesFile.read(disk, codec, files.replica());
        String id = objects.isEmpty() ? null : JsonLinesFile.text(objects.get(0), "replica");
        if (id == null || !SyncBackend.Stream.isReplica(id)) {
            return renew();
        }
        String made = JsonLinesFile.text(objects.get(0), "folder");
        String here = folder();
        boolean copied = made != null && !made.isEmpty() && !here.isEmpty() && !made.equals(here);
        return copied ? renew() : id;
    }

    /** Becomes another replica; what was published is to be published again, under the new id. */
    String renew() throws IOException {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = HexFormat.of().formatHex(bytes);
        disk.createFolders(files.local());
        disk.delete(files.state());
        String line = "{\"replica\":\"" + id + "\",\"folder\":\"" + folder() + "\"}\n";
        disk.replace(files.replica(), line.getBytes(StandardCharsets.UTF_8));
        return id;
    }

    /** The number of the folder; empty where there is none. */
    private String folder() throws IOException {
        Path folder = files.local();
        FileSystem.Stat stat = disk.stat(folder);
        String key = stat == null || stat.key() instanceof Path ? "" : String.valueOf(stat.key());
        int number = key.indexOf("ino=");
        return number < 0 ? "" : key.substring(number + 4).replaceAll("[^0-9]", "");
    }
}

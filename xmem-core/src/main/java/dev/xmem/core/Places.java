package dev.xmem.core;

import dev.xmem.core.file.Disk;
import dev.xmem.core.index.Log;
import dev.xmem.core.sync.SyncFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where everything of a store is.
 *
 * @param root the store's folder
 * @param logs the logs, default places where the builder named none
 */
record Places(Path root, Map<Log, Path> logs) {
    static Places of(Path root, Map<Log, Path> given) {
        Path data = root.resolve("data");
        Map<Log, Path> logs = new EnumMap<>(Log.class);
        logs.put(Log.FAILURES, data.resolve("failures.jsonl"));
        logs.put(Log.SUCCESSES, data.resolve("successes.jsonl"));
        logs.put(Log.DIRECTIVES, data.resolve("memories.ndjson"));
        logs.put(Log.NOTES, data.resolve("notes.jsonl"));
        logs.putAll(given);
        if (new HashSet<>(logs.values()).size() < logs.size()) {
            throw new IllegalArgumentException("two kinds of entries cannot share one file: " + logs);
        }
        return new Places(root, Map.copyOf(logs));
    }

    /** The logs that this store has, in their order. */
    List<Log> names() {
        return List.copyOf(new TreeSet<>(logs.keySet()));
    }

    Path log(Log name) {
        Path path = logs.get(name);
        if (path == null) {
            throw new IllegalArgumentException("this store has no log for " + name);
        }
        return path;
    }

    /** The logs that lie elsewhere: others may write to them without this store's mutex. */
    Set<Log> shared() {
        Set<Log> shared = new HashSet<>();
        for (Map.Entry<Log, Path> log : logs.entrySet()) {
            if (!log.getValue().startsWith(data())) {
                shared.add(log.getKey());
            }
        }
        return shared;
    }

    /** Lets no link lead out of the store, where the user did not name the place. */
    void confine(Disk disk) throws IOException {
        for (Path path : List.of(
                local(),
                lock(),
                indexLock(),
                indexState(),
                seals(),
                spentNumbers(),
                segments(),
                hashers(),
                compactLock(),
                quarantine(),
                backups(),
                archives(),
                data(),
                index())) {
            disk.confine(root, path);
        }
        for (Path path : logs.values()) {
            disk.confine(root, path);
        }
    }

    Path data() {
        return root.resolve("data");
    }

    Path index() {
        return data().resolve("index.json");
    }

    Path backups() {
        return data().resolve("backup");
    }

    Path archives() {
        return data().resolve("archive");
    }

    Path peers() {
        return data().resolve("peers");
    }

    Path quarantine() {
        return local().resolve("quarantine");
    }

    Path compactLock() {
        return local().resolve("compact-lock");
    }

    Path local() {
        return root.resolve(".xmem");
    }

    Path indexState() {
        return local().resolve("index-state.json");
    }

    Path spentNumbers() {
        return local().resolve("spent-numbers.json");
    }

    Path hashers() {
        return local().resolve("hashers");
    }

    Path segments() {
        return local().resolve("index");
    }

    Path seals() {
        return local().resolve("seals.ndjson");
    }

    Path lock() {
        return local().resolve("lock");
    }

    Path indexLock() {
        return local().resolve("index-lock");
    }

    /** The lock beside the file of global directives, for all stores that append to it; null without such a file. */
    @Nullable Path globalLock() {
        Path file = logs.get(Log.GLOBAL_DIRECTIVES);
        return file == null ? null : file.resolveSibling(file.getFileName() + ".lock");
    }

    /** What takes part in a sync: the store's own logs, but not the user's global directives. */
    SyncFiles sync() {
        Map<String, Path> own = new HashMap<>();
        for (Log name : Log.OWN) {
            own.put(streamOf(name), log(name));
        }
        return new SyncFiles(own, archives(), peers(), local());
    }

    private static String streamOf(Log name) {
        return name == Log.DIRECTIVES ? "memories" : name.name().toLowerCase(Locale.ROOT);
    }

    Path localIgnore() {
        return local().resolve(".gitignore");
    }
}

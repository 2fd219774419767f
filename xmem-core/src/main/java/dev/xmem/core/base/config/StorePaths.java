package dev.xmem.core.base.config;

import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The paths of all files of a store.
 *
 * @param root the folder of the store
 * @param logs the active logs; the builder may name other paths than the defaults
 */
public record StorePaths(Path root, Map<LogName, Path> logs) {
    public static StorePaths of(Path root, Map<LogName, Path> given) {
        Path data = root.resolve("data");
        Map<LogName, Path> logs = new EnumMap<>(LogName.class);
        for (LogName log : LogName.OWN) {
            logs.put(log, data.resolve(log.fileName()));
        }
        logs.putAll(given);
        if (new HashSet<>(logs.values()).size() < logs.size()) {
            throw new IllegalArgumentException("two kinds of entries cannot share one file: " + logs);
        }
        return new StorePaths(root, Map.copyOf(logs));
    }

    Path log(LogName name) {
        Path path = logs.get(name);
        if (path == null) {
            throw new IllegalArgumentException("this store has no log for " + name);
        }
        return path;
    }

    /** The logs outside of the data folder: other writers may append to them without the lock of this store. */
    public Set<LogName> shared() {
        Set<LogName> shared = new HashSet<>();
        for (Map.Entry<LogName, Path> log : logs.entrySet()) {
            if (!log.getValue().startsWith(data())) {
                shared.add(log.getKey());
            }
        }
        return shared;
    }

    /** Checks that no path is a symbolic link out of the store. */
    public void confine(FileSystem files) throws IOException {
        for (Path path : List.of(
                local(),
                lock(),
                indexLock(),
                indexState(),
                seals(),
                verified(),
                spentNumbers(),
                segments(),
                hashers(),
                compactLock(),
                quarantine(),
                sessions(),
                recalls(),
                backups(),
                archives(),
                data(),
                privateMark(),
                index())) {
            files.confine(root, path);
        }
        for (Path path : logs.values()) {
            files.confine(root, path);
        }
    }

    public Path data() {
        return root.resolve("data");
    }

    public Path index() {
        return data().resolve("index.json");
    }

    public Path backups() {
        return data().resolve("backup");
    }

    public Path archives() {
        return data().resolve("archive");
    }

    public Path peers() {
        return data().resolve("peers");
    }

    public Path quarantine() {
        return local().resolve("quarantine");
    }

    /** The files of the sessions that processes share. */
    public Path sessions() {
        return local().resolve("sessions");
    }

    /** What the guards told. */
    public Path recalls() {
        return recallsIn(local());
    }

    /** What the guards told, in the folder of the files that belong to this machine. */
    public static Path recallsIn(Path local) {
        return local.resolve("recalls.ndjson");
    }

    /** The last events of the hooks, which the program of the hooks writes. */
    public Path hookTrace() {
        return local().resolve("hooks.ndjson");
    }

    public Path compactLock() {
        return local().resolve("compact-lock");
    }

    public Path local() {
        return root.resolve(".xmem");
    }

    public Path indexState() {
        return local().resolve("index-state.json");
    }

    public Path spentNumbers() {
        return local().resolve("spent-numbers.json");
    }

    public Path hashers() {
        return local().resolve("hashers");
    }

    public Path segments() {
        return local().resolve("index");
    }

    public Path seals() {
        return local().resolve("seals.ndjson");
    }

    public Path verified() {
        return local().resolve("verified.ndjson");
    }

    public Path lock() {
        return local().resolve("lock");
    }

    public Path indexLock() {
        return local().resolve("index-lock");
    }

    /** The lock file beside the global directives, for all stores that append to them; null without such a log. */
    public @Nullable Path globalLock() {
        Path file = logs.get(LogName.GLOBAL_DIRECTIVES);
        return file == null ? null : file.resolveSibling(file.getFileName() + ".lock");
    }

    /** The file that marks the store as private: nothing leaves it. */
    public Path privateMark() {
        return sync().privateMark();
    }

    /** The paths for a sync: without the user's global directives. */
    public SyncPaths sync() {
        Map<String, Path> own = new HashMap<>();
        for (LogName name : LogName.OWN) {
            own.put(streamOf(name), log(name));
        }
        return new SyncPaths(own, archives(), peers(), local());
    }

    private static String streamOf(LogName name) {
        return name == LogName.DIRECTIVES ? "memories" : name.name().toLowerCase(Locale.ROOT);
    }

    public Path localIgnore() {
        return local().resolve(".gitignore");
    }
}

package dev.xmem.core;

import dev.xmem.Entry;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Where everything of a store is.
 *
 * @param root the store's folder
 * @param logs the logs by kind, default places where the builder named none
 */
record Places(Path root, Map<Entry.Kind, Path> logs) {
    /** The order in which logs rank entries of the same time. */
    static final List<Entry.Kind> KINDS =
            List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS, Entry.Kind.DIRECTIVE, Entry.Kind.NOTE);

    static Places of(Path root, Map<Entry.Kind, Path> given) {
        Path data = root.resolve("data");
        Map<Entry.Kind, Path> logs = new EnumMap<>(Entry.Kind.class);
        logs.put(Entry.Kind.FAILURE, data.resolve("failures.jsonl"));
        logs.put(Entry.Kind.SUCCESS, data.resolve("successes.jsonl"));
        logs.put(Entry.Kind.DIRECTIVE, data.resolve("memories.ndjson"));
        logs.put(Entry.Kind.NOTE, data.resolve("notes.jsonl"));
        logs.putAll(given);
        if (logs.values().stream().distinct().count() < logs.size()) {
            throw new IllegalArgumentException("two kinds of entries cannot share one file: " + logs);
        }
        return new Places(root, Map.copyOf(logs));
    }

    Path log(Entry.Kind kind) {
        Path path = logs.get(kind);
        if (path == null) {
            throw new IllegalArgumentException("there is no log for " + kind);
        }
        return path;
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

    Path local() {
        return root.resolve(".xmem");
    }

    Path indexState() {
        return local().resolve("index-state.json");
    }

    Path lock() {
        return local().resolve("lock");
    }

    Path localIgnore() {
        return local().resolve(".gitignore");
    }
}

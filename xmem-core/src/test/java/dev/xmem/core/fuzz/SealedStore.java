package dev.xmem.core.fuzz;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.base.io.InMemoryFileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The files of a store with sealed logs, made once, to be put on disks whose segments say something else. */
final class SealedStore {
    private static final int COMPACTED_AFTER = 20;
    private static final int FOUND = 12;

    private final Map<Path, byte[]> files = new TreeMap<>();
    private final List<Path> segments = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final Path folder;
    private final Function<InMemoryFileSystem, XMemStore> opener;

    /**
     * Makes a store.
     *
     * @param folder where it is
     * @param failures how many failures are in it
     * @param opener opens it
     */
    SealedStore(Path folder, int failures, Function<InMemoryFileSystem, XMemStore> opener) {
        this.folder = folder;
        this.opener = opener;
        InMemoryFileSystem disk = new InMemoryFileSystem();
        try (XMemStore store = opener.apply(disk)) {
            fill(store, failures);
        }
        try (XMemStore store = opener.apply(disk)) {
            store.search(Query.words("quota"));
            store.verify();
        }
        try {
            keep(disk, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.keySet().stream()
                .filter(file -> file.startsWith(folder.resolve(".xmem/index")))
                .forEach(segments::add);
    }

    private void fill(XMemStore store, int failures) {
        for (int i = 0; i < failures; i++) {
            Entry entry = store.recordFailure(Failure.of("git", "push b" + i % 7, "fatal: quota of Zürich " + i % 3)
                    .tags("t" + i % 4)
                    .sessionId("s" + i % 5));
            ids.add(entry.id());
            if (i == COMPACTED_AFTER) {
                store.compact(store.planCompaction(Retention.defaults()));
            }
            if (i % 8 == 0) {
                ids.add(store.recordSuccess(Success.of("git", "gc " + i).answers(entry.id()))
                        .id());
                store.reportOutcome(entry.id(), Outcome.WORKED, "v" + i);
            }
        }
    }

    private void keep(InMemoryFileSystem disk, Path from) throws IOException {
        for (Path file : disk.list(from)) {
            if (disk.list(file).isEmpty()) {
                ByteBuffer bytes = disk.map(file);
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(copy);
                files.put(file, copy);
            } else {
                keep(disk, file);
            }
        }
    }

    /** Has a store look at segments that an input has changed: its first byte says which, the rest how. */
    void read(byte[] input) {
        InMemoryFileSystem disk = new InMemoryFileSystem();
        files.forEach(disk::replace);
        if (input.length > 0) {
            Path file = segments.get((input[0] & 0xFF) % segments.size());
            ForgedSegment forged = new ForgedSegment(files.get(file));
            for (int at = 1; at + ForgedSegment.CHANGE_BYTES <= input.length; at += ForgedSegment.CHANGE_BYTES) {
                forged.change(input, at);
            }
            disk.replace(file, forged.bytes());
        }
        use(disk);
        use(disk);
        requireLines(disk);
    }

    private void use(InMemoryFileSystem disk) {
        try (XMemStore store = opener.apply(disk)) {
            ask(store);
            record(store, Failure.of("git", "push", "fatal: quota of Bern"));
            ask(store);
            store.verify();
            ask(store);
            store.flush();
        }
    }

    /** An append that meets a corrupt segment is not repeated by the store: it throws, and the next call succeeds. */
    private static void record(XMemStore store, Failure.Draft failure) {
        try {
            store.recordFailure(failure);
        } catch (XMemException.Io e) {
            store.recordFailure(failure);
        }
    }

    private void ask(XMemStore store) {
        for (Query query : List.of(
                Query.all(),
                Query.all().tag("t1").limit(3),
                Query.all().tool("git").session("s2"),
                Query.words("quota zürich"),
                Query.literal("of Zürich 1"),
                Query.regex("Z[a-zü]+h 2"))) {
            answer(() -> {
                for (Match match : store.search(query).matches()) {
                    match.entry().json();
                }
            });
        }
        for (int i = 0; i < ids.size(); i += 1 + ids.size() / FOUND) {
            String id = ids.get(i);
            answer(() -> store.find(id).ifPresent(Entry::json));
        }
        answer(() -> store.recall(ToolCall.shell("git push b3"), ToolError.exit(1, "fatal: quota of Zürich 2"))
                .text());
        answer(() -> store.stats().text());
    }

    /** With any segment there is an answer or one of the store's own exceptions. */
    private static void answer(Runnable question) {
        try {
            question.run();
        } catch (XMemException e) {
            if (String.valueOf(e.getMessage()).isBlank()) {
                throw new AssertionError("no reason", e);
            }
        }
    }

    /** Nothing that was in the logs has changed. */
    private void requireLines(InMemoryFileSystem disk) {
        files.forEach((file, bytes) -> {
            try {
                if (file.startsWith(folder.resolve("data")) && file.toString().endsWith(".jsonl")) {
                    byte[] now = new byte[bytes.length];
                    disk.map(file).get(now);
                    if (!Arrays.equals(now, bytes)) {
                        throw new AssertionError(file + " was changed");
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}

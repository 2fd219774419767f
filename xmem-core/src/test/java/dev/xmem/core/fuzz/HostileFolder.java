package dev.xmem.core.fuzz;

import dev.xmem.Amendment;
import dev.xmem.Directive;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.HostileBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of real stores, made once, and put into a folder with changes: a store with everything that a store can
 * have, the user's store that it asks, the user's directives, and the shared folder through which it syncs with a peer.
 */
final class HostileFolder {
    static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    static final String OWN = "own";
    private static final int[] SEGMENT_LINES = {16, 1 << 12};

    private final List<Map<String, byte[]>> seeds = new ArrayList<>();

    /** Where it is. */
    final Path folder;

    HostileFolder(Path folder) throws IOException {
        this.folder = folder;
        for (int lines : SEGMENT_LINES) {
            clear();
            seeds.add(seed(lines));
        }
    }

    /** A store of the folder. */
    XMem.Builder builder(int shape, Instant now) {
        return TestStores.builder(folder.resolve(OWN), SEGMENT_LINES[shape])
                .globalDirectives(folder.resolve("directives.ndjson"))
                .alsoAsk(Layer.USER, XMem.builder(folder.resolve("user")))
                .sharedSessions()
                .syncInterval(Duration.ofDays(1))
                .clock(InstantSource.fixed(now))
                .random(new Random(1));
    }

    int shapes() {
        return SEGMENT_LINES.length;
    }

    SyncBackend shared() {
        return DirectoryBackend.at(folder.resolve("shared"));
    }

    private Map<String, byte[]> seed(int segmentLines) throws IOException {
        int shape = segmentLines == SEGMENT_LINES[0] ? 0 : 1;
        try (XMemStore peer = XMem.builder(folder.resolve("peer"))
                .clock(InstantSource.fixed(NOW.minus(Duration.ofDays(2))))
                .random(new Random(2))
                .sync(shared())
                .open()) {
            fill(peer, 8, "peer");
            peer.sync(Duration.ofSeconds(20));
        }
        try (XMemStore user = XMem.builder(folder.resolve("user"))
                .clock(InstantSource.fixed(NOW))
                .open()) {
            fill(user, 4, "user");
        }
        Path log = folder.resolve(OWN).resolve("data/failures.jsonl");
        Files.createDirectories(log.getParent());
        Files.writeString(log, "a broken line\n");
        try (XMemStore store = builder(shape, NOW.minus(Duration.ofDays(200))).open()) {
            fill(store, 20, "old");
        }
        try (XMemStore store =
                builder(shape, NOW.minus(Duration.ofDays(1))).sync(shared()).open()) {
            fill(store, 20, "own");
            store.compact(store.planCompaction(Retention.defaults()));
            fill(store, 10, "own");
            store.sync(Duration.ofSeconds(20));
            store.search(Query.words("quota"));
            store.verify();
        }
        delete(folder.resolve("peer"));
        return files();
    }

    private static void fill(XMemStore store, int failures, String name) {
        for (int i = 0; i < failures; i++) {
            Failure failure = store.recordFailure(
                    Failure.of("git", "push b" + i % 7, "fatal: quota of Zürich " + i % 3 + " of " + name)
                            .tags("t" + i % 4)
                            .sessionId("s" + i % 5));
            if (i % 4 == 0) {
                Success success = store.recordSuccess(
                        Success.of("git", "gc " + i).answers(failure.id()).keySteps("git gc", "git push"));
                store.reportOutcome(failure.id(), Outcome.WORKED, "v" + i);
                store.reportOutcome(success.id(), Outcome.FAILED, "w" + i);
                store.amend(failure.id(), Amendment.retag(Set.of("late"), Set.of()));
            }
        }
        store.writeNote(Note.of("note", "quota of " + name));
        store.remember(Directive.parse("Always use tabs in " + name));
        store.remember(Directive.parse("Never use tabs in " + name));
        ToolCall call = ToolCall.shell("git push origin " + name).session("s");
        store.guard().failed(call, ToolError.exit(1, "fatal: quota of " + name));
        store.guard().succeeded(ToolCall.shell("git gc").session("s"));
        store.guard().succeeded(call);
        store.guard().flush(Duration.ofSeconds(20));
    }

    /** All files by their names in the folder. */
    private Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    /** Puts the files of a shape there, as they were. */
    void restore(int shape) throws IOException {
        clear();
        for (Map.Entry<String, byte[]> file : seeds.get(shape).entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    /** Changes up to four files, and returns what was done. */
    List<String> damage(int shape, Random random) throws IOException {
        List<String> done = new ArrayList<>();
        List<String> names = new ArrayList<>(seeds.get(shape).keySet());
        for (int i = 1 + random.nextInt(1 + random.nextInt(4)); i > 0; i--) {
            String name = names.get(random.nextInt(names.size()));
            String other = names.get(random.nextInt(names.size()));
            done.add(change(name, seeds.get(shape).get(name), seeds.get(shape).get(other), random));
        }
        return done;
    }

    private String change(String name, byte[] bytes, byte[] other, Random random) throws IOException {
        Path file = folder.resolve(name);
        switch (random.nextInt(24)) {
            case 0:
                delete(file);
                return "deleted " + name;
            case 1:
                delete(file);
                makeParents(file.resolve("x"));
                return "a folder as " + name;
            case 2:
                delete(file.getParent());
                makeParents(file.getParent());
                Files.write(file.getParent(), bytes);
                return "a file as the folder of " + name;
            case 3:
                replace(file, other);
                return "another file as " + name;
            case 4:
                delete(file);
                makeParents(file);
                Files.createSymbolicLink(file, random.nextBoolean() ? file.getFileName() : folder.resolve("user"));
                return "a link as " + name;
            case 5:
                replace(file, new byte[random.nextInt(100_000)]);
                return "zeros as " + name;
            case 6:
                byte[] noise = new byte[random.nextInt(10_000)];
                random.nextBytes(noise);
                replace(file, noise);
                return "noise as " + name;
            case 7:
                Path sibling = file.resolveSibling(strange(file.getFileName().toString(), random));
                replace(sibling, bytes);
                return name + " also as " + sibling.getFileName();
            default:
                if (isSegment(name) && random.nextInt(4) != 0) {
                    replace(file, forged(bytes, random));
                    return "forged " + name;
                }
                replace(file, new HostileBytes(random).changed(bytes, other));
                return "changed " + name;
        }
    }

    private static boolean isSegment(String name) {
        return name.endsWith(".facts") || name.endsWith(".text");
    }

    private static byte[] forged(byte[] bytes, Random random) {
        ForgedSegment segment = new ForgedSegment(bytes);
        byte[] changes = new byte[ForgedSegment.CHANGE_BYTES * (1 + random.nextInt(4))];
        random.nextBytes(changes);
        for (int at = 0; at < changes.length; at += ForgedSegment.CHANGE_BYTES) {
            segment.change(changes, at);
        }
        return segment.bytes();
    }

    /** A name like this one, with other numbers or letters. */
    private static String strange(String name, Random random) {
        StringBuilder other = new StringBuilder(name);
        String letters = "09afz-_.~ 9999999999999999999";
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(other.length());
            char letter = letters.charAt(random.nextInt(letters.length()));
            if (random.nextBoolean()) {
                other.insert(at, letter);
            } else {
                other.setCharAt(at, letter);
            }
        }
        return other.toString().matches("[. ]*") ? "x" : other.toString();
    }

    private static void makeParents(Path file) throws IOException {
        Path parent = file.getParent();
        if (!Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
            if (Files.exists(parent, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(parent);
            }
            makeParents(parent);
            Files.createDirectory(parent);
        }
    }

    /** Half of the files are replaced, half are overwritten in their places. */
    private static void replace(Path file, byte[] bytes) throws IOException {
        if (bytes.length % 2 == 0 || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            delete(file);
        }
        makeParents(file);
        Files.write(file, bytes);
    }

    void clear() throws IOException {
        delete(folder);
        Files.createDirectories(folder);
    }

    /** Deletes a file or a folder with all its files; follows no link. */
    static void delete(Path file) {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            Files.walkFileTree(file, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path each, BasicFileAttributes a) throws IOException {
                    Files.delete(each);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path each, IOException e) throws IOException {
                    Files.delete(each);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.XMem;
import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncRounds;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Stores in folders that sync through a shared folder on request. */
abstract class SyncFixture {
    static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    final SyncRounds rounds = new SyncRounds();

    Path shared() {
        return folder.resolve("shared");
    }

    Path dir(String name) {
        return folder.resolve(name);
    }

    /** A store whose worker polls only on request. */
    XMemStore open(String name) {
        return builder(name).sync(DirectoryBackend.at(shared())).open();
    }

    XMem.Builder builder(String name) {
        return XMem.builder(dir(name)).syncInterval(Duration.ofDays(1));
    }

    static Failure fail(XMemStore store, String tool) {
        return store.recordFailure(
                Failure.of(tool, "run", tool + ": cannot find it").patternAvoid("Look first"));
    }

    String replica(String store) throws IOException {
        String text = Files.readString(dir(store).resolve(".xmem/replica.json"));
        return text.substring(text.indexOf("\":\"") + 3).substring(0, 32);
    }

    /** The files of a store by replica and name. */
    Map<String, String> state(String store) throws IOException {
        Map<String, String> state = new TreeMap<>();
        read(dir(store).resolve("data"), replica(store), state);
        Path archive = dir(store).resolve("data/archive");
        if (Files.isDirectory(archive)) {
            read(archive, replica(store), state);
        }
        Path peers = dir(store).resolve("data/peers");
        if (Files.isDirectory(peers)) {
            try (Stream<Path> replicas = Files.list(peers)) {
                for (Path replica : replicas.toList()) {
                    read(replica, replica.getFileName().toString(), state);
                }
            }
        }
        return state;
    }

    /** A backend that forwards all calls to another one. */
    static class ForwardingBackend implements SyncBackend {
        private final SyncBackend to;

        ForwardingBackend(SyncBackend to) {
            this.to = to;
        }

        @Override
        public String id() {
            return to.id();
        }

        @Override
        public Ack publish(Publication own, Duration limit) throws IOException {
            return to.publish(own, limit);
        }

        @Override
        public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
            return to.poll(known, maxBytes, limit);
        }

        @Override
        public void close() throws IOException {
            to.close();
        }
    }

    private static void read(Path folder, String replica, Map<String, String> into) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (Files.isRegularFile(file) && !name.equals("index.json")) {
                    into.put(replica + "/" + name, Files.readString(file));
                }
            }
        }
    }

    void assertEqualStates(String... stores) throws IOException {
        for (String store : stores) {
            assertThat(state(store)).isEqualTo(state(stores[0]));
        }
    }

    static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes a) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes a) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Many stores and one backend, in an order of doings that a seed decides: recording, rounds, going without the backend for a
 * while, crashes that lose what was noted last, rewritten logs. In the end all have the same bytes of everybody, and nothing
 * is missing.
 */
final class Convergence {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path folder;
    private final Function<Path, SyncBackend> backend;
    private final Random random;
    private final List<Path> dirs = new ArrayList<>();
    private final List<XMemStore> stores = new ArrayList<>();
    private final List<List<String>> recorded = new ArrayList<>();
    private final int[] offlineUntil;
    private int rounds;

    Convergence(Path folder, Function<Path, SyncBackend> backend, int replicas, long seed) {
        this.folder = folder;
        this.backend = backend;
        this.random = new Random(seed);
        this.offlineUntil = new int[replicas];
        for (int i = 0; i < replicas; i++) {
            dirs.add(folder.resolve("s" + i));
            recorded.add(new ArrayList<>());
            stores.add(open(i));
        }
    }

    private XMemStore open(int i) {
        return XMem.builder(dirs.get(i))
                .syncInterval(Duration.ofDays(1))
                .random(new Random(random.nextLong()))
                .sync(backend.apply(dirs.get(i)))
                .open();
    }

    /** Until every store has recorded so many entries. Returns how many rounds there were. */
    int run(int entries) throws IOException {
        for (int step = 0; recorded.stream().anyMatch(lines -> lines.size() < entries); step++) {
            int i = random.nextInt(stores.size());
            int doing = random.nextInt(100);
            if (doing < 60 && recorded.get(i).size() < entries) {
                record(
                        i,
                        1 + random.nextInt(Math.min(5, entries - recorded.get(i).size())));
            } else if (doing < 88) {
                if (offlineUntil[i] <= step) {
                    sync(i);
                }
            } else if (doing < 92) {
                offlineUntil[i] = step + random.nextInt(20 * stores.size());
            } else if (doing < 97) {
                crash(i);
            } else {
                rewrite(i);
            }
        }
        for (int again = 0; again < 2; again++) {
            for (int i = 0; i < stores.size(); i++) {
                sync(i);
            }
        }
        return rounds;
    }

    private void record(int i, int entries) {
        for (int n = 0; n < entries; n++) {
            String mark = "mark-" + i + "-" + recorded.get(i).size();
            if (random.nextInt(4) == 0) {
                stores.get(i).writeNote(Note.of("note", mark + " é😀 " + "x".repeat(random.nextInt(2000))));
            } else {
                stores.get(i).recordFailure(Failure.of("tool" + random.nextInt(9), "run", mark + ": cannot"));
            }
            recorded.get(i).add(mark);
        }
    }

    private void sync(int i) {
        rounds++;
        SyncReport report = stores.get(i).sync(LIMIT);
        assertThat(report.lastError()).isNull();
        assertThat(report.refused()).isEmpty();
    }

    /** What was noted in the last round is lost; what was published and imported in it is not. */
    private void crash(int i) throws IOException {
        Path state = dirs.get(i).resolve(".xmem/sync-state.jsonl");
        byte[] before = Files.exists(state) ? Files.readAllBytes(state) : new byte[0];
        sync(i);
        stores.get(i).close();
        if (random.nextBoolean()) {
            Files.deleteIfExists(state);
        } else if (Files.exists(state) && generations(before).equals(generations(Files.readAllBytes(state)))) {
            Files.write(state, before); // that a generation was begun is noted before it is published
        }
        stores.set(i, open(i));
    }

    private static List<String> generations(byte[] state) {
        return new String(state, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.contains("\"replica\""))
                .map(line -> line.replaceAll(",\"position.*", ""))
                .toList();
    }

    /** Another program puts the log in another order, as a compaction would. */
    private void rewrite(int i) throws IOException {
        Path log = dirs.get(i).resolve("data/failures.jsonl");
        if (Files.exists(log)) {
            List<String> lines = new ArrayList<>(Files.readAllLines(log));
            Collections.shuffle(lines, random);
            Path next = Files.write(folder.resolve("next"), lines);
            Files.move(next, log, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** All have the same, and all of it. */
    void assertConverged() throws IOException {
        Map<String, String> first = state(0);
        String all = String.join("", first.values());
        for (List<String> marks : recorded) {
            for (String mark : marks) {
                assertThat(all.indexOf(mark + ":") >= 0 || all.indexOf(mark + " ") >= 0)
                        .as(mark + " is lost")
                        .isTrue();
            }
        }
        long lines = all.lines().count();
        assertThat(lines).isEqualTo(recorded.stream().mapToInt(List::size).sum());
        for (int i = 0; i < stores.size(); i++) {
            Map<String, String> state = state(i);
            assertThat(state.keySet()).isEqualTo(first.keySet());
            for (Map.Entry<String, String> stream : state.entrySet()) {
                assertThat(stream.getValue().equals(first.get(stream.getKey())))
                        .as("s" + i + ": " + stream.getKey() + " has the same bytes")
                        .isTrue();
            }
        }
        long failures = stores.get(0).stats().failures();
        for (XMemStore store : stores) {
            assertThat(store.stats().failures()).isEqualTo(failures);
            assertThat(store.stats().failures() + store.stats().notes()).isEqualTo(lines);
        }
        stores.forEach(XMemStore::close);
    }

    private Map<String, String> state(int i) throws IOException {
        Map<String, String> state = new TreeMap<>();
        String me = stores.get(i).stats().sync().replica();
        read(dirs.get(i).resolve("data"), me, state);
        Path peers = dirs.get(i).resolve("data/peers");
        try (Stream<Path> replicas = Files.exists(peers) ? Files.list(peers) : Stream.<Path>empty()) {
            for (Path replica : replicas.toList()) {
                read(replica, String.valueOf(replica.getFileName()), state);
            }
        }
        return state;
    }

    private static void read(Path folder, String replica, Map<String, String> into) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = String.valueOf(file.getFileName());
                if (!name.equals("index.json")) {
                    into.put(replica + "/" + name, Files.readString(file));
                }
            }
        }
    }
}

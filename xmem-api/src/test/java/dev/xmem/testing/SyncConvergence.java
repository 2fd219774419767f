package dev.xmem.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Retention;
import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A randomized convergence test of several stores and one backend. A random seed determines the order of operations:
 * records, votes, sync rounds, offline periods, compactions, erasures, crashes that lose recent sync state, and
 * rewrites of logs by another program. At the end all stores must have the same bytes of every replica, nothing may be
 * missing, and erased entries must be nowhere. Time is simulated, so that lines move to archives. The test of a backend
 * runs it:
 *
 * <pre>{@code
 * try (SyncConvergence stores = new SyncConvergence(folder, machine -> XMem.builder(machine.folder())
 *         .clock(machine).random(machine.random()).syncInterval(Duration.ofDays(1))
 *         .sync(machine.through(backendFor(machine.folder()))).open(), 4, seed)) {
 *     stores.run(25);
 *     stores.assertConverged();
 * }
 * }</pre>
 */
public final class SyncConvergence implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration STEP = Duration.ofHours(5);
    private static final Retention RETENTION =
            Retention.defaults().duplicateWindow(Duration.ofDays(4)).hotWindow(Duration.ofDays(6));
    private static final int FAMILIES = 4;
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
    private static final Pattern COVERS = Pattern.compile("\"covers\":\\[([^]]*)]");

    private final Path folder;
    private final Opener opener;
    private final Random random;
    private final List<Path> dirs = new ArrayList<>();
    private final List<XMemStore> stores = new ArrayList<>();
    /** For each store the marks of its entries by id; notes have a number in place of an id. */
    private final List<Map<String, String>> recorded = new ArrayList<>();

    private final Set<String> erased = new TreeSet<>();
    private final int[] offlineUntil;
    private final AtomicInteger[] answersToLose;
    private Instant now = BEGIN;
    private int marks;
    private int rounds;
    private int compactions;

    /** Opens a store with the tested backend and without background rounds. */
    public interface Opener {
        /** Opens the store of a machine. */
        XMemStore open(Machine machine) throws Exception;
    }

    /** The environment of one store, which is also its clock. */
    public interface Machine extends InstantSource {
        /** The folder of the store. */
        Path folder();

        /** The random numbers for the builder. */
        RandomGenerator random();

        /** Wraps the backend to simulate publications whose answer is lost. */
        SyncBackend through(SyncBackend backend);
    }

    /** Opens a number of stores in subfolders of a folder. */
    public SyncConvergence(Path folder, Opener opener, int replicas, long seed) throws Exception {
        this.folder = folder;
        this.opener = opener;
        this.random = new Random(seed);
        this.offlineUntil = new int[replicas];
        this.answersToLose = new AtomicInteger[replicas];
        Arrays.setAll(answersToLose, i -> new AtomicInteger());
        for (int i = 0; i < replicas; i++) {
            dirs.add(folder.resolve("s" + i));
            recorded.add(new LinkedHashMap<>());
            stores.add(open(i));
        }
    }

    private XMemStore open(int i) throws Exception {
        Random numbers = new Random(random.nextLong());
        return opener.open(new Machine() {
            @Override
            public Instant instant() {
                return now;
            }

            @Override
            public Path folder() {
                return dirs.get(i);
            }

            @Override
            public RandomGenerator random() {
                return numbers;
            }

            @Override
            public SyncBackend through(SyncBackend backend) {
                return new Lossy(backend, answersToLose[i]);
            }
        });
    }

    /** The number of sync rounds. */
    public int rounds() {
        return rounds;
    }

    /** The number of compactions that changed something. */
    public int compactions() {
        return compactions;
    }

    /** The number of erased entries. */
    public int erased() {
        return erased.size();
    }

    /** Asserts that a text, everything that can be read at the backend, contains no erased entry. */
    public void assertErased(String everything) {
        erased.forEach(mark ->
                assertThat(everything.contains(mark)).as(mark + " was erased").isFalse());
    }

    /** Runs until every store has recorded a number of entries, then two rounds for all stores. */
    public void run(int entries) throws Exception {
        int[] left = new int[stores.size()];
        Arrays.fill(left, entries);
        for (int step = 0; Arrays.stream(left).anyMatch(n -> n > 0); step++) {
            now = now.plus(STEP.dividedBy(stores.size()));
            int i = random.nextInt(stores.size());
            int doing = random.nextInt(100);
            if (doing < 50 && left[i] > 0) {
                int n = 1 + random.nextInt(Math.min(5, left[i]));
                record(i, n);
                left[i] -= n;
            } else if (doing < 72) {
                if (offlineUntil[i] <= step) {
                    sync(i);
                }
            } else if (doing < 75) {
                offlineUntil[i] = step + random.nextInt(20 * stores.size());
            } else if (doing < 80) {
                crash(i);
            } else if (doing < 88) {
                compact(i);
            } else if (doing < 95) {
                erase(i);
            } else if (doing < 97) {
                vote(i);
            } else {
                rewrite(i);
            }
        }
        for (int again = 0; again < 2; again++) {
            for (int i = 0; i < stores.size(); i++) {
                sync(i);
            }
        }
    }

    private void record(int i, int entries) {
        for (int n = 0; n < entries; n++) {
            String mark = "mark-" + i + "-" + marks++ + ".";
            if (random.nextInt(5) == 0) {
                stores.get(i).writeNote(Note.of("note", mark + " é😀 " + "x".repeat(random.nextInt(2000))));
                recorded.get(i).put("note " + marks, mark);
            } else {
                // Few families, so that duplicates are merged; a merged entry keeps its notes.
                Failure failure = stores.get(i)
                        .recordFailure(Failure.of("tool" + random.nextInt(FAMILIES), "run", "cannot open the door")
                                .notes(mark));
                recorded.get(i).put(failure.id(), mark);
            }
        }
    }

    private void sync(int i) {
        rounds++;
        SyncReport report = stores.get(i).sync(LIMIT);
        assertThat(report.lastError()).isNull();
        assertThat(report.refused()).isEmpty();
    }

    /**
     * Simulates a process that is killed in a round: after a publication and before its answer, or after an import and
     * before its state is stored, or with the loss of all sync state.
     */
    private void crash(int i) throws Exception {
        Path state = dirs.get(i).resolve(".xmem/sync-state.jsonl");
        List<String> before = lines(state);
        int how = random.nextInt(3);
        if (how == 0) {
            answersToLose[i].set(1);
            rounds++;
            stores.get(i).sync(LIMIT);
            answersToLose[i].set(0);
        } else {
            sync(i);
        }
        stores.get(i).close();
        if (how == 1) {
            List<String> noted = new ArrayList<>(lines(state));
            noted.removeIf(line -> line.contains("\"replica\""));
            before.stream().filter(line -> line.contains("\"replica\"")).forEach(noted::add);
            Files.write(state, noted);
        } else if (how == 2) {
            Files.deleteIfExists(state);
        }
        stores.set(i, open(i));
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Passes everything on, and loses the answers to some publications. */
    private record Lossy(SyncBackend backend, AtomicInteger answersToLose) implements SyncBackend {
        @Override
        public String id() {
            return backend.id();
        }

        @Override
        public Set<Ability> abilities() {
            return backend.abilities();
        }

        @Override
        public Ack publish(Publication own, Duration limit) throws IOException {
            Ack ack = backend.publish(own, limit);
            if (answersToLose.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new IOException("the answer was lost");
            }
            return ack;
        }

        @Override
        public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
            return backend.poll(known, maxBytes, limit);
        }

        @Override
        public void retire(String replica, Duration limit) throws IOException {
            backend.retire(replica, limit);
        }

        @Override
        public void close() throws IOException {
            backend.close();
        }
    }

    private void compact(int i) {
        var plan = stores.get(i).planCompaction(RETENTION);
        compactions += plan.isEmpty() ? 0 : 1;
        stores.get(i).compact(plan);
    }

    /** Erases an entry, and with it every entry that is covered by the same line. */
    private void erase(int i) throws IOException {
        List<String> ids = recorded.get(i).keySet().stream()
                .filter(id -> !id.startsWith("note"))
                .toList();
        if (ids.isEmpty()) {
            return;
        }
        String id = ids.get(random.nextInt(ids.size()));
        Set<String> gone = new HashSet<>(Set.of(id));
        for (String text : own(i).values()) {
            text.lines().filter(line -> ids(line).contains(id)).forEach(line -> gone.addAll(ids(line)));
        }
        assertThat(stores.get(i).purge(Set.of(id))).as("lines of " + id).isPositive();
        for (String each : gone) {
            String mark = recorded.get(i).remove(each);
            if (mark != null) {
                erased.add(mark);
            }
        }
    }

    /** The id of a line and those of the lines that it covers. */
    private static Set<String> ids(String line) {
        Set<String> ids = new HashSet<>();
        Matcher id = ID.matcher(line);
        if (id.find()) {
            ids.add(id.group(1));
        }
        Matcher covers = COVERS.matcher(line);
        if (covers.find()) {
            for (String covered : covers.group(1).split(",")) {
                ids.add(covered.replace("\"", "").strip());
            }
        }
        return ids;
    }

    private void vote(int i) {
        recorded.get(i).keySet().stream()
                .filter(id -> !id.startsWith("note"))
                .findFirst()
                .ifPresent(id -> stores.get(i).reportOutcome(id, Outcome.WORKED, "session-" + random.nextInt(3)));
    }

    /** Simulates another program that reorders the log. */
    private void rewrite(int i) throws IOException {
        Path log = dirs.get(i).resolve("data/failures.jsonl");
        if (Files.exists(log)) {
            List<String> lines = new ArrayList<>(Files.readAllLines(log));
            Collections.shuffle(lines, random);
            Path next = Files.write(folder.resolve("next"), lines);
            Files.move(next, log, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Asserts that all stores have the same content, that it is complete, and that it has no erased entry. */
    public void assertConverged() throws IOException {
        Map<String, String> first = state(0);
        Set<String> replicas = new HashSet<>();
        first.keySet().forEach(stream -> replicas.add(stream.substring(0, stream.indexOf('/'))));
        assertThat(replicas)
                .as("no store became another one, and left behind what it erased later")
                .hasSizeLessThanOrEqualTo(stores.size());
        for (int i = 0; i < stores.size(); i++) {
            Map<String, String> state = state(i);
            assertThat(state.keySet()).as("streams of s" + i).isEqualTo(first.keySet());
            for (Map.Entry<String, String> stream : state.entrySet()) {
                assertThat(stream.getValue().equals(first.get(stream.getKey())))
                        .as("s" + i + ": " + stream.getKey() + " has the same bytes")
                        .isTrue();
            }
        }
        String all = String.join("", first.values());
        for (int i = 0; i < stores.size(); i++) {
            Set<String> ids = new HashSet<>();
            own(i).values().forEach(text -> text.lines().forEach(line -> ids.addAll(ids(line))));
            recorded.get(i).forEach((id, mark) -> {
                assertThat(id.startsWith("note") || ids.contains(id))
                        .as(id + " is lost")
                        .isTrue();
                assertThat(all.contains(mark)).as(mark + " is lost").isTrue();
            });
        }
        first.forEach((stream, text) -> erased.forEach(mark -> assertThat(text.contains(mark))
                .as(mark + " was erased, and is in " + stream)
                .isFalse()));
        for (XMemStore store : stores) {
            assertThat(store.stats().failures()).isEqualTo(stores.get(0).stats().failures());
            assertThat(store.stats().notes()).isEqualTo(stores.get(0).stats().notes());
            assertThat(store.verify().findings()).isEmpty();
        }
    }

    @Override
    public void close() {
        stores.forEach(XMemStore::close);
    }

    /** The content of a store by replica and stream, without empty streams. */
    private Map<String, String> state(int i) throws IOException {
        Map<String, String> state = new TreeMap<>();
        SyncReport me = stores.get(i).stats().sync();
        assertThat(me).isNotNull();
        own(i).forEach((name, text) -> state.put(me.replica() + "/" + name, text));
        Path peers = dirs.get(i).resolve("data/peers");
        try (java.util.stream.Stream<Path> replicas =
                Files.exists(peers) ? Files.list(peers) : java.util.stream.Stream.<Path>empty()) {
            for (Path replica : replicas.toList()) {
                read(replica).forEach((name, text) -> state.put(replica.getFileName() + "/" + name, text));
            }
        }
        state.values().removeIf(String::isEmpty);
        return state;
    }

    private Map<String, String> own(int i) throws IOException {
        Map<String, String> own = read(dirs.get(i).resolve("data"));
        Path archive = dirs.get(i).resolve("data/archive");
        if (Files.exists(archive)) {
            own.putAll(read(archive));
        }
        return own;
    }

    private static Map<String, String> read(Path folder) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (java.util.stream.Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = String.valueOf(file.getFileName());
                if (!name.startsWith("index.json")) { // written in the background
                    texts.put(name, Files.readString(file));
                }
            }
        }
        return texts;
    }
}

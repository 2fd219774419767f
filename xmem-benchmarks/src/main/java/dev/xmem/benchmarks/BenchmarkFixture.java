package dev.xmem.benchmarks;

import dev.xmem.Entry;
import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The input, the working folder and the expected results of one trial. Each engine opens a fresh copy of a prepared
 * dataset. The expected results follow from the corpus alone, so they share no code with an engine.
 */
final class BenchmarkFixture {
    private static final int MEASURED_ENTRIES = 1 << 12;
    private static final int COMPARED_APPENDS = 200;
    private static final int COMPARED_RECALLS = 300;
    private static final InstantSource FIXED_CLOCK = InstantSource.fixed(Instant.parse("2036-02-14T16:30:00Z"));

    private final String engine;
    private final DatasetCache cache;
    private final Path prepared;
    private final Path folder;
    private final List<CorpusEntry> input;
    private int copies;

    BenchmarkFixture(String engine, DatasetCache cache) throws Exception {
        this.engine = engine;
        this.cache = cache;
        this.prepared = cache.directory(Peer.format(engine));
        this.folder = Files.createTempDirectory("xmem-benchmark");
        this.input = input(Dataset.additional(MEASURED_ENTRIES));
    }

    private List<CorpusEntry> input(List<CorpusEntry> entries) {
        ContextHasher hasher = XMem.hasher();
        boolean hashing = engine.equals("xmem-hashing");
        return hashing
                ? entries.stream().map(entry -> entry.withHashFrom(hasher)).toList()
                : entries;
    }

    /** Returns entries that are not in the dataset. */
    List<CorpusEntry> input() {
        return input;
    }

    /** Opens the engine on a fresh copy of the dataset. */
    Peer open(InstantSource clock) throws Exception {
        return Peer.open(engine, copy(), new PrecomputedHasher(input), clock);
    }

    /** Opens the engine on a fresh copy; it syncs each append to stable storage. */
    Peer openDurable(InstantSource clock) throws Exception {
        return Peer.openDurable(engine, copy(), new PrecomputedHasher(input), clock);
    }

    private Path copy() throws IOException {
        Path copy = folder.resolve("copy-" + copies++);
        LogFiles.copy(prepared, copy);
        return copy;
    }

    /** Deletes the copy that was opened last. */
    void deleteCopy() throws IOException {
        LogFiles.delete(folder.resolve("copy-" + (copies - 1)));
    }

    void delete() throws IOException {
        LogFiles.delete(folder);
    }

    /** Fails unless some appends return the expected ids and write the expected bytes. */
    void compareAppends() throws Exception {
        try (Peer peer = open(FIXED_CLOCK)) {
            List<StoredEntry> expected = append(peer);
            for (Entry.Kind kind : List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS)) {
                List<String> lines = expected.stream()
                        .filter(line -> line.entry().kind() == kind)
                        .map(StoredEntry::line)
                        .toList();
                checkEqual("the lines on disk", lines, peer.lastLines(kind, lines.size()));
            }
        }
        deleteCopy();
    }

    /** Does the same for durable appends; an engine may write both kinds to one file. */
    void compareDurableAppends() throws Exception {
        try (Peer peer = openDurable(FIXED_CLOCK)) {
            List<StoredEntry> expected = append(peer);
            String last = expected.get(COMPARED_APPENDS - 1).line();
            Entry.Kind kind = expected.get(COMPARED_APPENDS - 1).entry().kind();
            checkEqual("the last line on disk", List.of(last), peer.lastLines(kind, 1));
        }
        deleteCopy();
    }

    private List<StoredEntry> append(Peer peer) throws Exception {
        IdGenerator ids = new IdGenerator(FIXED_CLOCK);
        LineWriter writer = new LineWriter();
        List<StoredEntry> expected = new ArrayList<>();
        for (CorpusEntry entry : input.subList(0, COMPARED_APPENDS)) {
            StoredEntry next = StoredEntry.of(entry, ids.next(), ids.ts(), writer);
            expected.add(next);
            checkEqual("the id of an append", List.of(next.id()), List.of(peer.append(entry)));
        }
        return expected;
    }

    /** Fails unless the engine returns the expected pages and advice. */
    void compareRecalls() throws Exception {
        Map<String, Map<Entry.Kind, RingBuffer<StoredEntry>>> families = families();
        try (Peer peer = open(FIXED_CLOCK)) {
            for (CorpusEntry entry : input.subList(0, COMPARED_RECALLS)) {
                Map<Entry.Kind, RingBuffer<StoredEntry>> family =
                        families.getOrDefault(entry.hash().value(), Map.of());
                Stream<StoredEntry> all = family.values().stream().flatMap(kind -> kind.newestFirst().stream());
                List<String> page =
                        ids(all.sorted(Comparator.comparing(StoredEntry::ts).reversed()));
                checkEqual("a page", page, peer.page(entry.hash().value()));
                if (entry.isFailure()) {
                    checkEqual("advice", advice(family, entry), peer.advice(entry));
                }
            }
        }
        deleteCopy();
    }

    /** Returns the newest entries of each context hash and kind. */
    private Map<String, Map<Entry.Kind, RingBuffer<StoredEntry>>> families() throws Exception {
        Map<String, Map<Entry.Kind, RingBuffer<StoredEntry>>> families = new HashMap<>();
        cache.dataset().forEachChunk(chunk -> {
            for (StoredEntry stored : chunk) {
                families.computeIfAbsent(stored.entry().hash().value(), hash -> new HashMap<>())
                        .computeIfAbsent(stored.entry().kind(), kind -> new RingBuffer<>(Peer.PAGE))
                        .add(stored);
            }
        });
        return families;
    }

    private static List<String> advice(Map<Entry.Kind, RingBuffer<StoredEntry>> family, CorpusEntry entry) {
        String subject = entry.hash().subject();
        List<StoredEntry> ordered = newest(family, Entry.Kind.FAILURE);
        ordered.sort(
                Comparator.comparing(line -> !subject.equals(line.entry().hash().subject())));
        List<String> ids = new ArrayList<>(ids(ordered.stream()));
        ids.addAll(ids(newest(family, Entry.Kind.SUCCESS).stream()));
        return ids;
    }

    private static List<StoredEntry> newest(Map<Entry.Kind, RingBuffer<StoredEntry>> family, Entry.Kind kind) {
        return new ArrayList<>(Objects.requireNonNullElse(family.get(kind), new RingBuffer<StoredEntry>(1))
                .newestFirst());
    }

    private static List<String> ids(Stream<StoredEntry> lines) {
        return lines.limit(Peer.PAGE).map(StoredEntry::id).toList();
    }

    private void checkEqual(String what, List<String> expected, List<String> actual) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            if (!expected.get(i).equals(actual.get(i))) {
                throw new IllegalStateException(
                        engine + ": " + what + ": expected\n" + expected.get(i) + "\nbut was\n" + actual.get(i));
            }
        }
        if (expected.size() != actual.size()) {
            throw new IllegalStateException(
                    engine + ": " + what + ": expected " + expected.size() + " items, but there are " + actual.size());
        }
    }
}

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
 * Input and folders of one trial: a filled folder to copy, and what the right answers are. The answers of every engine
 * are held against the same model, which is worked out from the corpus alone.
 */
final class BenchmarkFixture {
    private static final int MEASURED_ENTRIES = 1 << 12;
    private static final int COMPARED_APPENDS = 200;
    private static final int COMPARED_RECALLS = 300;
    private static final InstantSource STILL = InstantSource.fixed(Instant.parse("2036-02-14T16:30:00Z"));

    private final String engine;
    private final DatasetCache cache;
    private final Path filled;
    private final Path folder;
    private final List<CorpusEntry> input;
    private int copies;

    BenchmarkFixture(String engine, DatasetCache cache) throws Exception {
        this.engine = engine;
        this.cache = cache;
        this.filled = cache.directory(Peer.format(engine));
        this.folder = Files.createTempDirectory("xmem-benchmark");
        this.input = input(Dataset.additional(MEASURED_ENTRIES));
    }

    private List<CorpusEntry> input(List<CorpusEntry> made) {
        ContextHasher hasher = XMem.hasher();
        boolean hashing = engine.equals("xmem-hashing");
        return hashing ? made.stream().map(entry -> entry.withHashFrom(hasher)).toList() : made;
    }

    /** What is measured with: entries of which none is stored yet. */
    List<CorpusEntry> input() {
        return input;
    }

    /** The engine on a fresh copy of the filled folder. */
    Peer open(InstantSource clock) throws Exception {
        return Peer.open(engine, copy(), new PrecomputedHasher(input), clock);
    }

    /** The engine on a fresh copy, with every append on stable storage. */
    Peer openDurable(InstantSource clock) throws Exception {
        return Peer.openDurable(engine, copy(), new PrecomputedHasher(input), clock);
    }

    private Path copy() throws IOException {
        Path copy = folder.resolve("copy-" + copies++);
        LogFiles.copy(filled, copy);
        return copy;
    }

    /** Removes what was opened last. */
    void deleteCopy() throws IOException {
        LogFiles.delete(folder.resolve("copy-" + (copies - 1)));
    }

    void delete() throws IOException {
        LogFiles.delete(folder);
    }

    /** Fails unless the engine gives the ids, and has the bytes on disk, that it should after some appends. */
    void compareAppends() throws Exception {
        try (Peer peer = open(STILL)) {
            List<StoredEntry> expected = append(peer);
            for (Entry.Kind kind : List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS)) {
                List<String> lines = expected.stream()
                        .filter(line -> line.entry().kind() == kind)
                        .map(StoredEntry::line)
                        .toList();
                same("the lines on disk", lines, peer.last(kind, lines.size()));
            }
        }
        deleteCopy();
    }

    /** The same for an engine that puts both kinds into one file, or not. */
    void compareDurableAppends() throws Exception {
        try (Peer peer = openDurable(STILL)) {
            List<StoredEntry> expected = append(peer);
            String last = expected.get(COMPARED_APPENDS - 1).line();
            Entry.Kind kind = expected.get(COMPARED_APPENDS - 1).entry().kind();
            same("the last line on disk", List.of(last), peer.last(kind, 1));
        }
        deleteCopy();
    }

    private List<StoredEntry> append(Peer peer) throws Exception {
        IdGenerator ids = new IdGenerator(STILL);
        LineWriter writer = new LineWriter();
        List<StoredEntry> expected = new ArrayList<>();
        for (CorpusEntry entry : input.subList(0, COMPARED_APPENDS)) {
            StoredEntry next = StoredEntry.of(entry, ids.next(), ids.ts(), writer);
            expected.add(next);
            same("the id of an append", List.of(next.id()), List.of(peer.append(entry)));
        }
        return expected;
    }

    /** Fails unless the engine answers with the ids that it should. */
    void compareRecalls() throws Exception {
        Map<String, Map<Entry.Kind, RingBuffer<StoredEntry>>> families = families();
        try (Peer peer = open(STILL)) {
            for (CorpusEntry entry : input.subList(0, COMPARED_RECALLS)) {
                Map<Entry.Kind, RingBuffer<StoredEntry>> family =
                        families.getOrDefault(entry.hash().value(), Map.of());
                Stream<StoredEntry> all = family.values().stream().flatMap(kind -> kind.newestFirst().stream());
                List<String> page =
                        ids(all.sorted(Comparator.comparing(StoredEntry::ts).reversed()));
                same("a page", page, peer.page(entry.hash().value()));
                if (entry.isFailure()) {
                    same("advice", advice(family, entry), peer.advice(entry));
                }
            }
        }
        deleteCopy();
    }

    /** The newest entries of each hash and kind. */
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
        List<StoredEntry> found = newest(family, Entry.Kind.FAILURE);
        found.sort(
                Comparator.comparing(line -> !subject.equals(line.entry().hash().subject())));
        List<String> ids = new ArrayList<>(ids(found.stream()));
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

    private void same(String what, List<String> expected, List<String> found) {
        for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
            if (!expected.get(i).equals(found.get(i))) {
                throw new IllegalStateException(
                        engine + ": " + what + ": should be\n" + expected.get(i) + "\nnot\n" + found.get(i));
            }
        }
        if (expected.size() != found.size()) {
            throw new IllegalStateException(
                    engine + ": " + what + ": should be " + expected.size() + ", not " + found.size());
        }
    }
}

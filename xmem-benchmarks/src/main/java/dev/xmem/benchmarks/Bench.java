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
import java.util.List;
import java.util.stream.Stream;

/**
 * Input and folders of one trial: a filled folder to copy, and what the right answers are. The answers of every engine
 * are held against the same model, which is worked out from the corpus alone.
 */
final class Bench {
    private static final long SEED = 20260214;
    private static final int MEASURED_ITEMS = 1 << 12;
    private static final int COMPARED_APPENDS = 200;
    private static final int COMPARED_RECALLS = 300;
    private static final InstantSource STILL = InstantSource.fixed(Instant.parse("2036-02-14T16:30:00Z"));

    private final String engine;
    private final Path folder;
    private final List<Stored> stored;
    private final List<Item> items;
    private final Given given;
    private int copies;

    Bench(String engine, int entries) throws Exception {
        this.engine = engine;
        this.folder = Files.createTempDirectory("xmem-benchmark");
        Corpus corpus = new Corpus(SEED);
        this.stored = Stored.of(corpus.next(entries));
        this.items = items(corpus.next(MEASURED_ITEMS));
        this.given = new Given(
                Stream.concat(stored.stream().map(Stored::item), items.stream()).toList());
        Peer.fill(engine, folder.resolve("filled"), stored);
    }

    private List<Item> items(List<Item> made) {
        ContextHasher hasher = XMem.hasher();
        boolean hashing = engine.equals("xmem-hashing");
        return hashing ? made.stream().map(item -> item.hashedBy(hasher)).toList() : made;
    }

    /** What is measured with: entries of which none is stored yet. */
    List<Item> items() {
        return items;
    }

    /** The engine on a fresh copy of the filled folder. */
    Peer open(InstantSource clock) throws Exception {
        Path copy = folder.resolve("copy-" + copies++);
        Logs.copy(folder.resolve("filled"), copy);
        return Peer.open(engine, copy, given, clock);
    }

    /** Removes what {@link #open} made last. */
    void deleteCopy() throws IOException {
        Logs.delete(folder.resolve("copy-" + (copies - 1)));
    }

    void delete() throws IOException {
        Logs.delete(folder);
    }

    /** Fails unless the engine gives the ids, and has the bytes on disk, that it should after some appends. */
    void compareAppends() throws Exception {
        Ids ids = new Ids(STILL);
        LineWriter writer = new LineWriter();
        List<Stored> expected = new ArrayList<>(stored);
        try (Peer peer = open(STILL)) {
            for (Item item : items.subList(0, COMPARED_APPENDS)) {
                Stored next = Stored.of(item, ids.next(), ids.ts(), writer);
                expected.add(next);
                same("the id of an append", List.of(next.id()), List.of(peer.append(item)));
            }
            for (Entry.Kind kind : List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS)) {
                List<String> lines = expected.stream()
                        .filter(line -> line.item().kind() == kind)
                        .map(Stored::line)
                        .toList();
                same("the lines on disk", lines, peer.lines(kind));
            }
        }
        deleteCopy();
    }

    /** Fails unless the engine answers with the ids that it should. */
    void compareRecalls() throws Exception {
        List<Stored> newestFirst = new ArrayList<>(stored);
        newestFirst.sort(Comparator.comparing(Stored::ts).reversed());
        try (Peer peer = open(STILL)) {
            for (Item item : items.subList(0, COMPARED_RECALLS)) {
                List<Stored> family = newestFirst.stream()
                        .filter(line ->
                                line.item().hash().value().equals(item.hash().value()))
                        .toList();
                same("a page", ids(family.stream()), peer.page(item.hash().value()));
                if (item.kind() == Entry.Kind.FAILURE) {
                    same("advice", advice(family, item), peer.advice(item));
                }
            }
        }
        deleteCopy();
    }

    private static List<String> advice(List<Stored> family, Item item) {
        String subject = item.hash().subject();
        List<Stored> failures = new ArrayList<>(family.stream()
                .filter(line -> line.item().kind() == Entry.Kind.FAILURE)
                .limit(Peer.PAGE)
                .toList());
        failures.sort(
                Comparator.comparing(line -> !subject.equals(line.item().hash().subject())));
        List<String> ids = new ArrayList<>(ids(failures.stream()));
        ids.addAll(ids(family.stream().filter(line -> line.item().kind() == Entry.Kind.SUCCESS)));
        return ids;
    }

    private static List<String> ids(Stream<Stored> lines) {
        return lines.limit(Peer.PAGE).map(Stored::id).toList();
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

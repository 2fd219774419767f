package dev.xmem.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The queries for a {@link Dataset} with their expected answers. Both follow from the corpus alone, by a full scan of
 * every text of every entry that shares no code with an engine.
 */
final class GroundTruth {
    private static final int QUERIES = 16;
    private static final int FEW_QUERIES = 8;
    private static final int MAX_HASHES = 2048;
    private static final int PHRASE_WORDS = 5;
    private static final int MOST_FREQUENT = 40;
    private static final int FIRST_UNUSED_RARE = 20_000;
    private static final long SEED = 7;

    /** Words of the corpus that no field name contains. */
    private static final List<String> COMMON = List.of(
            "branch",
            "version",
            "instead",
            "package",
            "socket",
            "remote",
            "command",
            "directory",
            "server",
            "retry",
            "dependency",
            "image",
            "registry",
            "container",
            "release",
            "network");

    private GroundTruth() {}

    /** Scans the dataset. */
    static Map<QueryType, List<TestQuery>> of(Dataset dataset) throws Exception {
        Map<QueryType, List<ReferenceScan>> scans = scans();
        Map<String, RingBuffer<String>> byHash = new TreeMap<>();
        dataset.forEachChunk(chunk -> {
            for (StoredEntry stored : chunk) {
                byHash.computeIfAbsent(stored.entry().hash().value(), hash -> new RingBuffer<>(Peer.PAGE))
                        .add(stored.id());
                List<String> texts = stored.texts();
                scans.values().forEach(all -> all.forEach(scan -> scan.accept(texts, stored.id())));
            }
        });
        Map<QueryType, List<TestQuery>> queries = new EnumMap<>(QueryType.class);
        pages(byHash, queries);
        scans.forEach((type, all) -> queries.put(type, selected(type, all)));
        queries.put(QueryType.RANKED_ONE, ranked(QueryType.RANKED_ONE, 1));
        queries.put(QueryType.RANKED_THREE, ranked(QueryType.RANKED_THREE, 3));
        return queries;
    }

    /** Selects the context hashes that fill a page. In a small store, selects the hashes with the most entries. */
    private static void pages(Map<String, RingBuffer<String>> byHash, Map<QueryType, List<TestQuery>> queries) {
        List<TestQuery> pages = byHash.entrySet().stream()
                .sorted((a, b) -> b.getValue().count() - a.getValue().count())
                .limit(MAX_HASHES)
                .filter(group -> group.getValue().count() >= Peer.PAGE
                        || group.getValue().count() >= largest(byHash, QUERIES))
                .sorted(Map.Entry.comparingByKey())
                .map(group -> new TestQuery(
                        QueryType.PAGE_FIRST, group.getKey(), group.getValue().newestFirst()))
                .toList();
        queries.put(QueryType.PAGE_FIRST, pages);
        queries.put(
                QueryType.PAGE_AGAIN,
                pages.stream()
                        .limit(FEW_QUERIES)
                        .map(page -> new TestQuery(QueryType.PAGE_AGAIN, page.text(), page.ids()))
                        .toList());
    }

    private static int largest(Map<String, RingBuffer<String>> byHash, int nth) {
        return byHash.values().stream()
                .map(RingBuffer::count)
                .sorted((a, b) -> b - a)
                .skip(nth - 1L)
                .findFirst()
                .orElse(1);
    }

    private static Map<QueryType, List<ReferenceScan>> scans() {
        Map<QueryType, List<ReferenceScan>> scans = new EnumMap<>(QueryType.class);
        scans.put(QueryType.LITERAL_COMMON, literals(QueryType.LITERAL_COMMON, COMMON));
        scans.put(
                QueryType.LITERAL_ABSENT,
                literals(QueryType.LITERAL_ABSENT, each(i -> "zqxv" + (char) ('a' + i) + "jwk" + 37 * i)));
        scans.put(QueryType.LITERAL_NEAR_MISS, literals(QueryType.LITERAL_NEAR_MISS, each(GroundTruth::nearMiss)));
        scans.put(QueryType.LITERAL_FAR, literals(QueryType.LITERAL_FAR, each(Dataset::mark)));
        scans.put(QueryType.PHRASE_ABSENT, literals(QueryType.PHRASE_ABSENT, phrases()));
        scans.put(
                QueryType.REGEX_LITERAL,
                patterns(QueryType.REGEX_LITERAL, each(i -> Dataset.mark(i).substring(0, 9) + "[0-9a-f]{3}")));
        scans.put(
                QueryType.REGEX_OPEN,
                patterns(QueryType.REGEX_OPEN, few(i -> "[A-Z][" + (char) ('A' + i) + "-Z][0-9]{3}[0-9]")));
        scans.put(
                QueryType.REGEX_OPEN_ABSENT,
                patterns(QueryType.REGEX_OPEN_ABSENT, few(i -> "[q-z]{6}[A-Z][" + i + "-9][q-z]")));
        return scans;
    }

    private static String nearMiss(int i) {
        int n = FIRST_UNUSED_RARE + 4 * i;
        return Vocabulary.rare(n + i % 3);
    }

    private static List<String> phrases() {
        Random random = new Random(SEED);
        return IntStream.range(0, 4 * QUERIES)
                .mapToObj(i -> String.join(
                        " ",
                        random.ints(PHRASE_WORDS, 0, MOST_FREQUENT)
                                .mapToObj(Vocabulary.WORDS::get)
                                .toList()))
                .toList();
    }

    private static List<String> each(IntFunction<String> text) {
        return IntStream.range(0, QUERIES).mapToObj(text).toList();
    }

    private static List<String> few(IntFunction<String> text) {
        return IntStream.range(0, FEW_QUERIES).mapToObj(text).toList();
    }

    private static List<ReferenceScan> literals(QueryType type, List<String> texts) {
        return texts.stream()
                .map(text -> new ReferenceScan(text, field -> field.contains(text), new RingBuffer<>(type.limit())))
                .toList();
    }

    private static List<ReferenceScan> patterns(QueryType type, List<String> patterns) {
        return patterns.stream()
                .map(text ->
                        new ReferenceScan(text, Pattern.compile(text).asPredicate(), new RingBuffer<>(type.limit())))
                .toList();
    }

    /** Selects the queries whose answer fits their type: empty for an absent text, not empty otherwise. */
    private static List<TestQuery> selected(QueryType type, List<ReferenceScan> scans) {
        boolean absent = type.name().endsWith("ABSENT") || type == QueryType.LITERAL_NEAR_MISS;
        List<TestQuery> selected = new ArrayList<>();
        for (ReferenceScan scan : scans) {
            List<String> ids = scan.newest().newestFirst();
            if (selected.size() < QUERIES && ids.isEmpty() == absent) {
                selected.add(new TestQuery(type, scan.text(), ids));
            }
        }
        if (selected.isEmpty()) {
            throw new IllegalStateException(
                    "the dataset has no query of type " + type.name().toLowerCase(Locale.ROOT));
        }
        return selected;
    }

    /** Combines words of medium frequency. */
    private static List<TestQuery> ranked(QueryType type, int words) {
        List<String> pool = List.of(
                "permission",
                "certificate",
                "upstream",
                "workspace",
                "timeout",
                "setting",
                "pipeline",
                "schema",
                "fixture",
                "expired",
                "quota",
                "deadlock",
                "artifact",
                "migrate",
                "submodule",
                "transaction");
        return IntStream.range(0, QUERIES)
                .mapToObj(i -> IntStream.range(0, words)
                        .mapToObj(k -> pool.get((i + 5 * k) % pool.size()))
                        .toList())
                .map(terms -> new TestQuery(type, String.join(" ", terms), List.of()))
                .toList();
    }
}

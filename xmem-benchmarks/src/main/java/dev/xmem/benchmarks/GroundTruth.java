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
 * The questions that a {@link Dataset} is asked, with their answers. Both follow from the corpus alone: a straightforward
 * look at every string of every entry, which shares nothing with any engine.
 */
final class GroundTruth {
    private static final int EACH = 16;
    private static final int FEWER = 8;
    private static final int MOST_HASHES = 2048;
    private static final int PHRASE_WORDS = 5;
    private static final int COMMONEST = 40;
    private static final int RARE_BEYOND = 20_000;
    private static final long SEED = 7;

    /** Words of the corpus that stand in no name of a field. */
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

    /** Asks the history itself. */
    static Map<QueryType, List<TestQuery>> of(Dataset dataset) throws Exception {
        Map<QueryType, List<ReferenceScan>> tests = tests();
        Map<String, RingBuffer<String>> families = new TreeMap<>();
        dataset.forEachChunk(chunk -> {
            for (StoredEntry stored : chunk) {
                families.computeIfAbsent(stored.entry().hash().value(), hash -> new RingBuffer<>(Peer.PAGE))
                        .add(stored.id());
                List<String> texts = stored.texts();
                tests.values().forEach(all -> all.forEach(test -> test.accept(texts, stored.id())));
            }
        });
        Map<QueryType, List<TestQuery>> queries = new EnumMap<>(QueryType.class);
        pages(families, queries);
        tests.forEach((type, all) -> queries.put(type, chosen(type, all)));
        queries.put(QueryType.RANKED_ONE, ranked(QueryType.RANKED_ONE, 1));
        queries.put(QueryType.RANKED_THREE, ranked(QueryType.RANKED_THREE, 3));
        return queries;
    }

    /** The families that fill a page; the largest ones of a store so small that too few do. */
    private static void pages(Map<String, RingBuffer<String>> families, Map<QueryType, List<TestQuery>> queries) {
        List<TestQuery> pages = families.entrySet().stream()
                .sorted((a, b) -> b.getValue().count() - a.getValue().count())
                .limit(MOST_HASHES)
                .filter(family -> family.getValue().count() >= Peer.PAGE
                        || family.getValue().count() >= largest(families, EACH))
                .sorted(Map.Entry.comparingByKey())
                .map(family -> new TestQuery(
                        QueryType.PAGE_FIRST, family.getKey(), family.getValue().newestFirst()))
                .toList();
        queries.put(QueryType.PAGE_FIRST, pages);
        queries.put(
                QueryType.PAGE_AGAIN,
                pages.stream()
                        .limit(FEWER)
                        .map(page -> new TestQuery(QueryType.PAGE_AGAIN, page.text(), page.ids()))
                        .toList());
    }

    private static int largest(Map<String, RingBuffer<String>> families, int nth) {
        return families.values().stream()
                .map(RingBuffer::count)
                .sorted((a, b) -> b - a)
                .skip(nth - 1L)
                .findFirst()
                .orElse(1);
    }

    private static Map<QueryType, List<ReferenceScan>> tests() {
        Map<QueryType, List<ReferenceScan>> tests = new EnumMap<>(QueryType.class);
        tests.put(QueryType.LITERAL_COMMON, literals(QueryType.LITERAL_COMMON, COMMON));
        tests.put(
                QueryType.LITERAL_ABSENT,
                literals(QueryType.LITERAL_ABSENT, each(i -> "zqxv" + (char) ('a' + i) + "jwk" + 37 * i)));
        tests.put(QueryType.LITERAL_NEAR_MISS, literals(QueryType.LITERAL_NEAR_MISS, each(GroundTruth::nearMiss)));
        tests.put(QueryType.LITERAL_FAR, literals(QueryType.LITERAL_FAR, each(Dataset::mark)));
        tests.put(QueryType.PHRASE_ABSENT, literals(QueryType.PHRASE_ABSENT, phrases()));
        tests.put(
                QueryType.REGEX_LITERAL,
                patterns(QueryType.REGEX_LITERAL, each(i -> Dataset.mark(i).substring(0, 9) + "[0-9a-f]{3}")));
        tests.put(
                QueryType.REGEX_OPEN,
                patterns(QueryType.REGEX_OPEN, fewer(i -> "[A-Z][" + (char) ('A' + i) + "-Z][0-9]{3}[0-9]")));
        tests.put(
                QueryType.REGEX_OPEN_ABSENT,
                patterns(QueryType.REGEX_OPEN_ABSENT, fewer(i -> "[q-z]{6}[A-Z][" + i + "-9][q-z]")));
        return tests;
    }

    private static String nearMiss(int i) {
        int n = RARE_BEYOND + 4 * i;
        return Vocabulary.rare(n + i % 3);
    }

    private static List<String> phrases() {
        Random random = new Random(SEED);
        return IntStream.range(0, 4 * EACH)
                .mapToObj(i -> String.join(
                        " ",
                        random.ints(PHRASE_WORDS, 0, COMMONEST)
                                .mapToObj(Vocabulary.WORDS::get)
                                .toList()))
                .toList();
    }

    private static List<String> each(IntFunction<String> text) {
        return IntStream.range(0, EACH).mapToObj(text).toList();
    }

    private static List<String> fewer(IntFunction<String> text) {
        return IntStream.range(0, FEWER).mapToObj(text).toList();
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

    /** The questions that are what their operation says. */
    private static List<TestQuery> chosen(QueryType type, List<ReferenceScan> tests) {
        boolean absent = type.name().endsWith("ABSENT") || type == QueryType.LITERAL_NEAR_MISS;
        List<TestQuery> chosen = new ArrayList<>();
        for (ReferenceScan test : tests) {
            List<String> ids = test.newest().newestFirst();
            if (chosen.size() < EACH && ids.isEmpty() == absent) {
                chosen.add(new TestQuery(type, test.text(), ids));
            }
        }
        if (chosen.isEmpty()) {
            throw new IllegalStateException(
                    "no question of the corpus is " + type.name().toLowerCase(Locale.ROOT));
        }
        return chosen;
    }

    /** Words of the middle of the vocabulary, and of what tools say. */
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
        return IntStream.range(0, EACH)
                .mapToObj(i -> IntStream.range(0, words)
                        .mapToObj(k -> pool.get((i + 5 * k) % pool.size()))
                        .toList())
                .map(said -> new TestQuery(type, String.join(" ", said), List.of()))
                .toList();
    }
}

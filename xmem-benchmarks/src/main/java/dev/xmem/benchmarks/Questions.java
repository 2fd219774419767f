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
 * The questions that a {@link History} is asked, with their answers. Both follow from the corpus alone: a straightforward
 * look at every string of every entry, which shares nothing with any engine.
 */
final class Questions {
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

    private Questions() {}

    /** Asks the history itself. */
    static Map<Ask, List<Question>> of(History history) throws Exception {
        Map<Ask, List<LineTest>> tests = tests();
        Map<String, Newest<String>> families = new TreeMap<>();
        history.each(chunk -> {
            for (Stored stored : chunk) {
                families.computeIfAbsent(stored.item().hash().value(), hash -> new Newest<>(Peer.PAGE))
                        .add(stored.id());
                List<String> texts = stored.texts();
                tests.values().forEach(all -> all.forEach(test -> test.look(texts, stored.id())));
            }
        });
        Map<Ask, List<Question>> questions = new EnumMap<>(Ask.class);
        pages(families, questions);
        tests.forEach((ask, all) -> questions.put(ask, chosen(ask, all)));
        questions.put(Ask.RANKED_ONE, ranked(Ask.RANKED_ONE, 1));
        questions.put(Ask.RANKED_THREE, ranked(Ask.RANKED_THREE, 3));
        return questions;
    }

    /** The families that fill a page; the largest ones of a store so small that too few do. */
    private static void pages(Map<String, Newest<String>> families, Map<Ask, List<Question>> questions) {
        List<Question> pages = families.entrySet().stream()
                .sorted((a, b) -> b.getValue().count() - a.getValue().count())
                .limit(MOST_HASHES)
                .filter(family -> family.getValue().count() >= Peer.PAGE
                        || family.getValue().count() >= largest(families, EACH))
                .sorted(Map.Entry.comparingByKey())
                .map(family -> new Question(
                        Ask.PAGE_FIRST, family.getKey(), family.getValue().newestFirst()))
                .toList();
        questions.put(Ask.PAGE_FIRST, pages);
        questions.put(
                Ask.PAGE_AGAIN,
                pages.stream()
                        .limit(FEWER)
                        .map(page -> new Question(Ask.PAGE_AGAIN, page.text(), page.ids()))
                        .toList());
    }

    private static int largest(Map<String, Newest<String>> families, int nth) {
        return families.values().stream()
                .map(Newest::count)
                .sorted((a, b) -> b - a)
                .skip(nth - 1L)
                .findFirst()
                .orElse(1);
    }

    private static Map<Ask, List<LineTest>> tests() {
        Map<Ask, List<LineTest>> tests = new EnumMap<>(Ask.class);
        tests.put(Ask.LITERAL_COMMON, literals(Ask.LITERAL_COMMON, COMMON));
        tests.put(
                Ask.LITERAL_ABSENT,
                literals(Ask.LITERAL_ABSENT, each(i -> "zqxv" + (char) ('a' + i) + "jwk" + 37 * i)));
        tests.put(Ask.LITERAL_NEAR_MISS, literals(Ask.LITERAL_NEAR_MISS, each(Questions::nearMiss)));
        tests.put(Ask.LITERAL_FAR, literals(Ask.LITERAL_FAR, each(History::mark)));
        tests.put(Ask.PHRASE_ABSENT, literals(Ask.PHRASE_ABSENT, phrases()));
        tests.put(
                Ask.REGEX_LITERAL,
                patterns(Ask.REGEX_LITERAL, each(i -> History.mark(i).substring(0, 9) + "[0-9a-f]{3}")));
        tests.put(
                Ask.REGEX_OPEN, patterns(Ask.REGEX_OPEN, fewer(i -> "[A-Z][" + (char) ('A' + i) + "-Z][0-9]{3}[0-9]")));
        tests.put(
                Ask.REGEX_OPEN_ABSENT, patterns(Ask.REGEX_OPEN_ABSENT, fewer(i -> "[q-z]{6}[A-Z][" + i + "-9][q-z]")));
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

    private static List<LineTest> literals(Ask ask, List<String> texts) {
        return texts.stream()
                .map(text -> new LineTest(text, field -> field.contains(text), new Newest<>(ask.limit())))
                .toList();
    }

    private static List<LineTest> patterns(Ask ask, List<String> patterns) {
        return patterns.stream()
                .map(text -> new LineTest(text, Pattern.compile(text).asPredicate(), new Newest<>(ask.limit())))
                .toList();
    }

    /** The questions that are what their operation says. */
    private static List<Question> chosen(Ask ask, List<LineTest> tests) {
        boolean absent = ask.name().endsWith("ABSENT") || ask == Ask.LITERAL_NEAR_MISS;
        List<Question> chosen = new ArrayList<>();
        for (LineTest test : tests) {
            List<String> ids = test.newest().newestFirst();
            if (chosen.size() < EACH && ids.isEmpty() == absent) {
                chosen.add(new Question(ask, test.text(), ids));
            }
        }
        if (chosen.isEmpty()) {
            throw new IllegalStateException(
                    "no question of the corpus is " + ask.name().toLowerCase(Locale.ROOT));
        }
        return chosen;
    }

    /** Words of the middle of the vocabulary, and of what tools say. */
    private static List<Question> ranked(Ask ask, int words) {
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
                .map(said -> new Question(ask, String.join(" ", said), List.of()))
                .toList();
    }
}

package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Runs the queries of one type in turn, after it has run each query once and compared the answer. An engine whose name
 * ends in {@code -new} is opened again before a word is asked a second time, and asked other words first, so that only
 * the words are new to it.
 */
final class SearchTrial implements QueryCost.Trial {
    /** Marks a query in the answer file that reached the limit of the engine. */
    static final String LIMIT_EXCEEDED = "gave up";

    private static final int MAX_COMPARED = 64;

    private static final String NEW = "-new";
    /** The first words of the vocabulary, many of which are stop words, are not asked as other words. */
    private static final int COMMON = 40;

    private final Engine engine;
    private final QueryType type;
    private final Path folder;
    private final boolean isNew;
    /** The words that the open engine was asked. */
    private final Set<String> asked = new HashSet<>();

    private Engine.Searcher answers;
    private final List<TestQuery> queries;
    private int next;

    SearchTrial(String name, QueryType type, DatasetCache cache) throws Exception {
        this.isNew = name.endsWith(NEW);
        String engine = isNew ? name.substring(0, name.length() - NEW.length()) : name;
        this.engine = Engine.named(engine);
        this.type = type;
        if (!this.engine.supportedTypes().contains(type)) {
            throw new UnsupportedOperationException(
                    engine + " does not support " + type + ", only " + this.engine.supportedTypes());
        }
        this.queries = Objects.requireNonNull(cache.queries().get(type), type.name());
        this.folder = cache.directory(this.engine);
        this.answers = this.engine.open(folder);
        compare(cache);
        if (isNew) {
            reopen();
        }
    }

    private void reopen() throws Exception {
        answers.close();
        answers = engine.open(folder);
        asked.clear();
        Set<String> measured = new HashSet<>();
        queries.forEach(query -> measured.addAll(words(query)));
        List<String> others = Vocabulary.WORDS.stream()
                .filter(word -> !measured.contains(word))
                .skip(COMMON)
                .limit(queries.size())
                .toList();
        for (String word : others) {
            answers.ids(new TestQuery(type, word, List.of()));
        }
    }

    private static List<String> words(TestQuery query) {
        return List.of(query.text().split(" "));
    }

    private void compare(DatasetCache cache) throws Exception {
        List<TestQuery> actualAnswers = new ArrayList<>();
        for (TestQuery query : queries.subList(0, Math.min(MAX_COMPARED, queries.size()))) {
            try {
                List<String> actual = answers.ids(query);
                actualAnswers.add(new TestQuery(type, query.text(), actual));
                if (type.exact()) {
                    checkEqual(query, actual);
                }
            } catch (Engine.LimitExceeded e) {
                actualAnswers.add(new TestQuery(type, query.text(), List.of(LIMIT_EXCEEDED)));
            }
        }
        TestQueryFile.write(cache.answerFile(engine.name(), type), Map.of(type, actualAnswers));
    }

    private void checkEqual(TestQuery query, List<String> actual) {
        if (!actual.equals(query.ids())) {
            throw new IllegalStateException(engine.name() + ": " + type + " of " + query.text() + ": expected\n"
                    + query.ids() + "\nbut was\n" + actual);
        }
    }

    @Override
    public void prepare() throws Exception {
        List<String> words = words(queries.get(next % queries.size()));
        if (isNew && words.stream().anyMatch(asked::contains)) {
            reopen();
        }
        asked.addAll(words);
    }

    /** Runs the next query. Returns the exception if the engine reached its limit. */
    @Override
    public Object next() throws Exception {
        TestQuery query = queries.get(next++ % queries.size());
        try {
            return answers.ids(query);
        } catch (Engine.LimitExceeded e) {
            return e;
        }
    }

    @Override
    public void close() throws IOException {
        answers.close();
    }
}

package dev.xmem.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs the queries of one type in turn, after it has run each query once and compared the answer. */
final class SearchTrial implements QueryCost.Trial {
    /** Marks a query in the answer file that reached the limit of the engine. */
    static final String LIMIT_EXCEEDED = "gave up";

    private static final int MAX_COMPARED = 64;

    private final Engine engine;
    private final QueryType type;
    private final Engine.Searcher answers;
    private final List<TestQuery> queries;
    private int next;

    SearchTrial(String engine, QueryType type, DatasetCache cache) throws Exception {
        this.engine = Engine.named(engine);
        this.type = type;
        if (!this.engine.supportedTypes().contains(type)) {
            throw new UnsupportedOperationException(
                    engine + " does not support " + type + ", only " + this.engine.supportedTypes());
        }
        this.queries = Objects.requireNonNull(cache.queries().get(type), type.name());
        this.answers = this.engine.open(cache.directory(this.engine));
        compare(cache);
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
    public void prepare() {
        // the queries are known
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

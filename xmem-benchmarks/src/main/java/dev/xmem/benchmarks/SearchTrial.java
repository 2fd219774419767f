package dev.xmem.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a trial of a search types, in turns, after every question was asked once and its answer compared. */
final class SearchTrial implements AutoCloseable {
    /** Stands in the file of answers where an engine stopped looking. */
    static final String LIMIT_EXCEEDED = "gave up";

    private static final int MOST_COMPARED = 64;

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
                    engine + " does not answer " + type + ", only " + this.engine.supportedTypes());
        }
        this.queries = Objects.requireNonNull(cache.queries().get(type), type.name());
        this.answers = this.engine.open(cache.directory(this.engine));
        compare(cache);
    }

    private void compare(DatasetCache cache) throws Exception {
        List<TestQuery> answered = new ArrayList<>();
        for (TestQuery query : queries.subList(0, Math.min(MOST_COMPARED, queries.size()))) {
            try {
                List<String> found = answers.ids(query);
                answered.add(new TestQuery(type, query.text(), found));
                if (type.exact()) {
                    same(query, found);
                }
            } catch (Engine.LimitExceeded e) {
                answered.add(new TestQuery(type, query.text(), List.of(LIMIT_EXCEEDED)));
            }
        }
        TestQueryFile.write(cache.answerFile(engine.name(), type), Map.of(type, answered));
    }

    private void same(TestQuery query, List<String> found) {
        if (!found.equals(query.ids())) {
            throw new IllegalStateException(engine.name() + ": " + type + " of " + query.text() + ": should be\n"
                    + query.ids() + "\nnot\n" + found);
        }
    }

    /** The next answer; null where the engine stopped looking. */
    Object next() throws Exception {
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

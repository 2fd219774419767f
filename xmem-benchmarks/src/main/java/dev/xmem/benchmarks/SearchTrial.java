package dev.xmem.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a trial of a search asks, in turns, after every question was asked once and its answer compared. */
final class SearchTrial implements AutoCloseable {
    /** Stands in the file of answers where an engine stopped looking. */
    static final String GAVE_UP = "gave up";

    private static final int MOST_COMPARED = 64;

    private final Engine engine;
    private final Ask ask;
    private final Engine.Answers answers;
    private final List<Question> questions;
    private int next;

    SearchTrial(String engine, Ask ask, Stock stock) throws Exception {
        this.engine = Engine.named(engine);
        this.ask = ask;
        if (!this.engine.asks().contains(ask)) {
            throw new UnsupportedOperationException(
                    engine + " does not answer " + ask + ", only " + this.engine.asks());
        }
        this.questions = Objects.requireNonNull(stock.questions().get(ask), ask.name());
        this.answers = this.engine.open(stock.filled(this.engine));
        compare(stock);
    }

    private void compare(Stock stock) throws Exception {
        List<Question> answered = new ArrayList<>();
        for (Question question : questions.subList(0, Math.min(MOST_COMPARED, questions.size()))) {
            try {
                List<String> found = answers.ids(question);
                answered.add(new Question(ask, question.text(), found));
                if (ask.exact()) {
                    same(question, found);
                }
            } catch (Engine.GaveUp e) {
                answered.add(new Question(ask, question.text(), List.of(GAVE_UP)));
            }
        }
        QuestionFile.write(stock.answers(engine.name(), ask), Map.of(ask, answered));
    }

    private void same(Question question, List<String> found) {
        if (!found.equals(question.ids())) {
            throw new IllegalStateException(engine.name() + ": " + ask + " of " + question.text() + ": should be\n"
                    + question.ids() + "\nnot\n" + found);
        }
    }

    /** The next answer; null where the engine stopped looking. */
    Object next() throws Exception {
        Question question = questions.get(next++ % questions.size());
        try {
            return answers.ids(question);
        } catch (Engine.GaveUp e) {
            return e;
        }
    }

    @Override
    public void close() throws IOException {
        answers.close();
    }
}

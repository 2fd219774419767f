package dev.xmem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnginesTest {
    private Path folder = Path.of("");
    private Map<Ask, List<Question>> questions = Map.of();
    private Stock stock;

    @BeforeAll
    void ask(@TempDir Path made) throws Exception {
        folder = made;
        stock = new Stock(folder.toString(), 1500);
        questions = stock.questions();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"xmem", "sqlite", "sqlite-trigram", "ripgrep", "grep", "seed", "lucene", "rocksdb", "mvstore"})
    void everyEngine_exactQuestions_givesTheAnswersOfTheModel(String name) throws Exception {
        Engine engine = named(name);
        int most = engine.files().equals("log") ? 2 : Integer.MAX_VALUE; // each starts programs
        try (Engine.Answers answers = opened(engine)) {
            for (Ask ask : engine.asks()) {
                List<Question> exact = ask.exact() ? questions.get(ask) : List.of();
                for (Question question : exact.subList(0, Math.min(most, exact.size()))) {
                    assertThat(answers.ids(question))
                            .as(ask + " " + question.text())
                            .isEqualTo(question.ids());
                }
            }
        }
    }

    @Test
    void ranked_xmemAndSqlite_findEntriesWithTheWords() throws Exception {
        for (String name : List.of("xmem", "sqlite")) {
            try (Engine.Answers answers = opened(Engine.named(name))) {
                for (Question question : questions.get(Ask.RANKED_ONE)) {
                    assertThat(answers.ids(question))
                            .as(name + " " + question.text())
                            .isNotEmpty();
                }
            }
        }
    }

    @Test
    void questions_ofEveryOperation_areWhatTheirNamesSay() {
        assertThat(questions.keySet()).containsExactlyInAnyOrder(Ask.values());
        questions.forEach((ask, all) -> {
            Set<String> texts = new HashSet<>();
            all.forEach(question -> texts.add(question.text()));
            assertThat(texts).as(ask + " has no question twice").hasSameSizeAs(all);
            if (ask.common()) {
                assertThat(all).allMatch(question -> question.ids().size() == ask.limit());
            }
        });
        assertThat(questions.get(Ask.LITERAL_FAR))
                .hasSize(History.MARKS)
                .allMatch(q -> q.ids().size() == 1);
        assertThat(questions.get(Ask.LITERAL_NEAR_MISS))
                .hasSize(16)
                .allMatch(q -> q.ids().isEmpty());
        assertThat(questions.get(Ask.PHRASE_ABSENT))
                .hasSize(16)
                .allMatch(q -> q.ids().isEmpty());
    }

    @Test
    void questionFile_readAgain_isWhatWasWritten() throws IOException {
        Path file = folder.resolve("again.ndjson");
        QuestionFile.write(file, questions);
        assertThat(QuestionFile.read(file)).isEqualTo(questions);
    }

    @Test
    void history_twice_isTheSameEntriesInTheOrderOfTime() throws Exception {
        List<Stored> first = all(new History(700));
        List<Stored> second = all(new History(700));
        assertThat(lines(first)).isEqualTo(lines(second)).doesNotHaveDuplicates();
        assertThat(first).hasSize(700).isSortedAccordingTo((a, b) -> a.ts().compareTo(b.ts()));
        assertThat(first.stream().map(Stored::id)).doesNotHaveDuplicates();
    }

    @Test
    void history_ofMoreEntries_differsInItsMarksOnly() throws Exception {
        List<Stored> few = all(new History(700));
        List<Stored> more = all(new History(900)).subList(0, 700);
        for (int i = 0; i < few.size(); i++) {
            assertThat(unmarked(few.get(i))).isEqualTo(unmarked(more.get(i)));
        }
    }

    private static String unmarked(Stored stored) {
        return stored.line().replaceAll(" mark[0-9a-f]{8}", "");
    }

    private static List<Stored> all(History history) throws Exception {
        List<Stored> all = new ArrayList<>();
        history.each(all::addAll);
        return all;
    }

    private static List<String> lines(List<Stored> stored) {
        return stored.stream().map(Stored::line).toList();
    }

    private static Engine named(String name) {
        try {
            return Engine.named(name);
        } catch (IllegalArgumentException e) {
            assumeTrue(!List.of("lucene", "rocksdb", "mvstore").contains(name), e.getMessage());
            throw e;
        }
    }

    private Engine.Answers opened(Engine engine) throws Exception {
        Path files = stock.filled(engine);
        try {
            return engine.open(files);
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
            throw e;
        }
    }
}

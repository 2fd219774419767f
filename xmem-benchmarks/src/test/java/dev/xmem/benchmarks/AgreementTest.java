package dev.xmem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgreementTest {
    @TempDir
    Path folder;

    @Test
    void share_ofAnswers_isTheMeanOverQuestionsThatBothGot() {
        List<Question> ours =
                List.of(question("a", "1", "2", "3", "4"), question("b", "1"), question("only ours", "7"));
        List<Question> theirs = List.of(question("b", "9"), question("a", "4", "2", "8"));
        assertThat(Agreement.share(ours, theirs)).isEqualTo(0.25);
        assertThat(Agreement.share(ours, List.of())).isZero();
    }

    @Test
    void sentences_ofKeptAnswers_sayWhatIsSharedAndWhoGaveUp() throws Exception {
        Stock stock = new Stock(folder.toString(), 2000);
        QuestionFile.write(
                stock.answers("xmem", Ask.RANKED_ONE), Map.of(Ask.RANKED_ONE, List.of(question("a", "1", "2"))));
        QuestionFile.write(
                stock.answers("sqlite", Ask.RANKED_ONE), Map.of(Ask.RANKED_ONE, List.of(question("a", "3", "2"))));
        Question gaveUp = new Question(Ask.REGEX_OPEN_ABSENT, "[x]", List.of(SearchTrial.GAVE_UP));
        Question found = new Question(Ask.REGEX_OPEN_ABSENT, "[y]", List.of());
        QuestionFile.write(
                stock.answers("xmem", Ask.REGEX_OPEN_ABSENT), Map.of(Ask.REGEX_OPEN_ABSENT, List.of(gaveUp, found)));
        assertThat(Agreement.sentences(folder.toString(), 2000, Set.of("xmem", "sqlite")))
                .containsExactlyInAnyOrder(
                        "2,000 entries, ranked, one word, best 20: of what xmem shows, sqlite shows 50 %.",
                        "2,000 entries, regex without a literal part, absent: xmem stopped at its own limit"
                                + " in 1 of 2 questions, after the time shown.");
    }

    private static Question question(String text, String... ids) {
        return new Question(Ask.RANKED_ONE, text, List.of(ids));
    }
}

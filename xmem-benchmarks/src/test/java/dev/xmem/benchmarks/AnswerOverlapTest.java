package dev.xmem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswerOverlapTest {
    @TempDir
    Path folder;

    @Test
    void share_isTheMeanOverCommonQueries() {
        List<TestQuery> ours = List.of(query("a", "1", "2", "3", "4"), query("b", "1"), query("only ours", "7"));
        List<TestQuery> theirs = List.of(query("b", "9"), query("a", "4", "2", "8"));
        assertThat(AnswerOverlap.share(ours, theirs)).isEqualTo(0.25);
        assertThat(AnswerOverlap.share(ours, List.of())).isZero();
    }

    @Test
    void sentences_storedAnswers_reportOverlapAndLimits() throws Exception {
        DatasetCache cache = new DatasetCache(folder.toString(), 2000);
        TestQueryFile.write(
                cache.answerFile("xmem", QueryType.RANKED_ONE),
                Map.of(QueryType.RANKED_ONE, List.of(query("a", "1", "2"))));
        TestQueryFile.write(
                cache.answerFile("sqlite", QueryType.RANKED_ONE),
                Map.of(QueryType.RANKED_ONE, List.of(query("a", "3", "2"))));
        TestQuery limitExceeded =
                new TestQuery(QueryType.REGEX_OPEN_ABSENT, "[x]", List.of(SearchTrial.LIMIT_EXCEEDED));
        TestQuery found = new TestQuery(QueryType.REGEX_OPEN_ABSENT, "[y]", List.of());
        TestQueryFile.write(
                cache.answerFile("xmem", QueryType.REGEX_OPEN_ABSENT),
                Map.of(QueryType.REGEX_OPEN_ABSENT, List.of(limitExceeded, found)));
        assertThat(AnswerOverlap.sentences(folder.toString(), 2000, Set.of("xmem", "sqlite")))
                .containsExactlyInAnyOrder(
                        "2,000 entries, ranked, one word, top 20: sqlite returns 50 % of the entries that xmem returns.",
                        "2,000 entries, regex without a literal part, absent: xmem stopped at its own limit"
                                + " in 1 of 2 queries.");
    }

    private static TestQuery query(String text, String... ids) {
        return new TestQuery(QueryType.RANKED_ONE, text, List.of(ids));
    }
}

package dev.xmem.core.render;

import static dev.xmem.core.render.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.spi.TokenEstimator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AdviceTextTest {
    private static Match match(Entry entry, Match.Likeness likeness) {
        return new Samples.Hit(entry, likeness, 1, "");
    }

    private static String text(List<Match> ranked, int seen) {
        return new AdviceText(TokenEstimator.heuristic()).text(ranked, seen, NOW, AdviceText.DEFAULT_TOKENS);
    }

    @Test
    void text_failureAndAnswer_saysLessonAnswerAttemptsAndNotes() {
        List<Match> ranked = List.of(
                match(Samples.seedFailure(), Match.Likeness.EXACT),
                match(
                        Samples.success(
                                "2026-02-15-003", "Name with colon", 0.9, 2, "rclone listremotes", "copy the name"),
                        Match.Likeness.ANSWER));
        assertThat(text(ranked, 4)).isEqualTo("\n" + Golden.text(getClass(), "advice.txt"));
    }

    @Test
    void text_similarFailureWithoutLesson_quotesItsError() {
        Failure failure = Samples.failure("2026-02-14-001", "npm", "npm-install-network-timeout");
        assertThat(text(List.of(match(failure, Match.Likeness.SIMILAR)), 0))
                .isEqualTo("\n[xmem] a similar failure, 2 days ago: no lesson noted, it said: it failed "
                        + "(entry 2026-02-14-001)");
    }

    @Test
    void text_answerAlone_isShown() {
        assertThat(text(List.of(match(Samples.success("s-1", "Retry once", 0.5, 1), Match.Likeness.ANSWER)), 0))
                .isEqualTo("\n[xmem] worked: Retry once (entry s-1, confidence 0.5)");
    }

    @Test
    void text_nothing_isEmpty() {
        assertThat(text(List.of(), 3)).isEmpty();
    }

    @Property(tries = 300)
    void text_anyContentAndBudget_staysWithinAndEveryLineIsOurs(
            @ForAll String foreign,
            @ForAll @IntRange(max = 400) int budget,
            @ForAll @IntRange(max = 1500) int repeats) {
        String said = ("\n[xmem] " + foreign).repeat(1 + repeats / (foreign.length() + 1));
        Samples.SampleFailure f = Samples.seedFailure();
        Failure failure = new Samples.SampleFailure(
                said, f.ts(), said, said, said, said, List.of(said), f.blockLevel(), List.of(), said, said, said);
        List<Match> ranked = List.of(
                match(failure, Match.Likeness.EXACT),
                match(failure, Match.Likeness.SIMILAR),
                match(Samples.success(said, said, 1, 1, said), Match.Likeness.ANSWER));
        for (TokenEstimator tokens : Estimators.ALL) {
            String text = new AdviceText(tokens).text(ranked, 2, NOW, budget);
            assertThat(tokens.estimate(text)).isLessThanOrEqualTo(budget);
            assertThat(text.isEmpty() || text.startsWith("\n[xmem] ")).isTrue();
            assertThat(text.lines().skip(2)).allMatch(l -> l.matches("(also, |worked: |tried also|notes: ).*"));
        }
    }
}

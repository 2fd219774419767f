package dev.xmem.core.answer.directive;

import static dev.xmem.core.answer.directive.MemoryLines.ranked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.spi.TokenEstimator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order directives are shown. */
class DirectiveRankingTest extends DirectivesFixture {
    private List<String> shownFor(XMemStore store, String request) {
        return ranked(store, request).stream()
                .map(directive -> directive.triple().object())
                .toList();
    }

    private void five() {
        MemoryLines.append(
                memories(),
                List.of(
                        MemoryLines.line("m-1", 1, "'Maven'", "1 local preference a|is|tagged"),
                        MemoryLines.line("m-2", 1, "", "2 local constraint b|is|constraint"),
                        MemoryLines.line("m-3", 3, "", "3 local rule c|is|strong"),
                        MemoryLines.line("m-4", 1, "", "5 local rule d|is|recent"),
                        MemoryLines.line("m-5", 1, "", "4 local rule e|is|older"),
                        MemoryLines.line("m-6", 9, "'git'", "9 global preference f|is|preferred")));
    }

    @Test
    void search_withoutRequest_isByKindStrengthAndRecency() {
        five();
        try (XMemStore store = open()) {
            assertThat(shownFor(store, ""))
                    .containsExactly("constraint", "strong", "recent", "older", "preferred", "tagged");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"maven", "run MAVEN now", "Build it with maven.", "maven, please", "(maven)", "why maven?"})
    void search_aTagIsNamed_comesFirstAndHidesNothing(String request) {
        five();
        try (XMemStore store = open()) {
            assertThat(shownFor(store, request))
                    .containsExactly("tagged", "constraint", "strong", "recent", "older", "preferred");
        }
    }

    @Test
    void search_partOfAWord_isNoTag() {
        five();
        try (XMemStore store = open()) {
            assertThat(shownFor(store, "mavens legitimate")).first().isEqualTo("constraint");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7})
    void search_limit_isTheFirstOfTheRanking(int limit) {
        for (int i = 0; i < 12; i++) {
            MemoryLines.append(
                    memories(), List.of(MemoryLines.line("m-" + i, i + 1, "", i + " local rule s" + i + "|is|o" + i)));
        }
        try (XMemStore store = open()) {
            Page page = store.search(Query.all().kind(Entry.Kind.DIRECTIVE).limit(limit));
            assertThat(page.matches()).hasSize(limit);
            assertThat(page.total()).isEqualTo(12);
            assertThat(page.matches().get(0).entry().id()).isEqualTo("m-11");
            assertThat(page.matches().get(limit - 1).entry().id()).isEqualTo("m-" + (12 - limit));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 150, 200, 400})
    void search_tokenBudget_isKeptAndTheBestComeFirst(int budget) {
        for (int i = 0; i < 12; i++) {
            String said = i + " local rule subject number " + i + "|is|" + "a very long object ".repeat(8) + i;
            MemoryLines.append(memories(), List.of(MemoryLines.line("m-" + i, i + 1, "", said)));
        }
        try (XMemStore store = open()) {
            Page page =
                    store.search(Query.all().kind(Entry.Kind.DIRECTIVE).limit(7).tokenBudget(budget));
            assertThat(TokenEstimator.heuristic().estimate(page.text())).isLessThanOrEqualTo(budget);
            assertThat(page.matches())
                    .isNotEmpty()
                    .first()
                    .satisfies(match -> assertThat(match.entry().id()).isEqualTo("m-11"));
        }
    }

    @Test
    void search_directivesAmongOthers_areFoundByTheirWords() {
        five();
        try (XMemStore store = open()) {
            assertThat(store.search(Query.words("recent")).matches()).hasSize(1);
            assertThat(store.search(Query.literal("b is constraint")).matches()).hasSize(1);
        }
    }
}

package dev.xmem.core.answer.directive;

import static dev.xmem.core.answer.directive.MemoryLines.ranked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.JsonDraft;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A directive that is said again adds up. */
class DirectiveReinforcementTest extends DirectivesFixture {
    @Test
    void remember_again_isOneMoreLineWithTheSameId() {
        try (XMemStore store = open()) {
            Directive first = store.remember(Directive.rule(PUSH).tags("git"));
            now = now.plusSeconds(5);
            Directive second = store.remember(Directive.rule(PUSH).tags("main"));
            assertThat(first.strength()).isEqualTo(1);
            assertThat(second.id()).isEqualTo(first.id());
            assertThat(second.strength()).isEqualTo(2);
            assertThat(second.ts()).isEqualTo(now);
            assertThat(second.tags()).containsExactly("git", "main");
            assertThat(store.stats().directives()).isEqualTo(1);
        }
        assertThat(Json.lines(memories())).hasSize(2).last().satisfies(line -> {
            assertThat(line.get("strength")).hasToString("2");
            assertThat(line).containsEntry("dedupe_key", "push to main|is|forbidden");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {"PUSH to Main#Is#FORBIDDEN", "'  push   to\tmain '#is#forbidden", "push to main#is# forbidden\n"})
    void remember_otherCaseOrWhiteSpace_reinforces(String subject, String predicate, String object) {
        try (XMemStore store = open()) {
            store.remember(Directive.rule(PUSH));
            Directive again = store.remember(Directive.rule(new Directive.Triple(subject, predicate, object)));
            assertThat(again.strength()).isEqualTo(2);
            assertThat(again.dedupeKey()).isEqualTo("push to main|is|forbidden");
        }
    }

    @Test
    void remember_inTheOtherScope_isAnotherOne() {
        try (XMemStore store = open()) {
            Directive local = store.remember(Directive.rule(PUSH));
            Directive global = store.remember(Directive.rule(PUSH).global());
            assertThat(global.strength()).isEqualTo(1);
            assertThat(global.id()).isNotEqualTo(local.id());
            assertThat(global.scope()).isEqualTo(Directive.Scope.GLOBAL);
        }
    }

    @Test
    void remember_againInPlainForm_keepsTheSentence() {
        try (XMemStore store = open()) {
            store.remember(Directive.rule(PUSH).canonical("Never push to main"));
            assertThat(store.remember(Directive.rule(PUSH)).canonical()).isEqualTo("Never push to main");
            assertThat(store.remember(Directive.rule(PUSH).canonical("No pushing!"))
                            .canonical())
                    .isEqualTo("No pushing!");
        }
    }

    @Test
    void remember_manyTimesInOneMillisecondInOtherWords_countsEachOnce() {
        try (XMemStore store = open()) {
            int said = 0;
            for (String sentence : List.of("z", "m", "a", "y", "b", "x", "c", "w", "d", "v", "e", "u")) {
                Directive directive = store.remember(Directive.rule(PUSH).canonical(sentence));
                assertThat(directive.strength()).isEqualTo(++said);
                assertThat(directive.canonical()).isEqualTo(sentence);
            }
        }
        try (XMemStore store = open()) {
            assertThat(ranked(store, "")).hasSize(1).first().satisfies(directive -> {
                assertThat(directive.strength()).isEqualTo(12);
                assertThat(directive.canonical()).isEqualTo("u");
            });
        }
    }

    @Test
    void recordAll_twiceInOneBatch_isOneThatWasSaidTwice() {
        try (XMemStore store = open()) {
            List<Entry> recorded = store.recordAll(List.of(
                    Directive.rule(PUSH).tags("git").canonical("Never push to main"),
                    Directive.rule(PUSH).tags("main")));
            assertThat(recorded)
                    .extracting(Entry::id)
                    .containsOnly(recorded.get(0).id());
            assertThat(ranked(store, "")).hasSize(1).first().satisfies(directive -> {
                assertThat(directive.strength()).isEqualTo(2);
                assertThat(directive.canonical()).isEqualTo("Never push to main");
                assertThat(directive.tags()).containsExactly("git", "main");
            });
            Query directives = Query.all().kind(Entry.Kind.DIRECTIVE);
            assertThat(store.search(directives.tag("git")).matches()).hasSize(1);
            assertThat(store.search(directives.tag("main")).matches()).hasSize(1);
        }
    }

    @Test
    void recordAll_aStoredLineAsItStands_isAcknowledgedAndStoredOnce() throws IOException {
        try (XMemStore store = open()) {
            Directive first = store.remember(Directive.rule(PUSH));
            String line = Files.readString(memories()).strip();
            Entry again = store.recordAll(List.of(JsonDraft.of(line))).get(0);
            assertThat(again.id()).isEqualTo(first.id());
            assertThat(ranked(store, "")).extracting(Directive::strength).containsExactly(1);
        }
        assertThat(Files.readAllLines(memories())).hasSize(1);
    }

    @Test
    void remember_secondStoreOnTheSameFolder_seesTheFirst() {
        try (XMemStore one = open();
                XMemStore other = open()) {
            one.remember(Directive.rule(PUSH));
            assertThat(other.remember(Directive.rule(PUSH)).strength()).isEqualTo(2);
            assertThat(one.remember(Directive.rule(PUSH)).strength()).isEqualTo(3);
        }
    }

    @Test
    void remember_fromTwoProcesses_losesNone() throws Exception {
        twoProcesses(folder.resolve("store"), folder.resolve("store"), null);
        try (XMemStore store = open()) {
            assertThat(ranked(store, "")).extracting(Directive::strength).containsExactly(1 + 2 * Remembering.TIMES);
        }
        assertThat(Json.lines(memories()))
                .hasSize(1 + 2 * Remembering.TIMES)
                .extracting(line -> line.get("id"))
                .containsOnly("2026-02-15-001");
    }
}

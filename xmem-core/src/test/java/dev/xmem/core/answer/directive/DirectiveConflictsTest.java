package dev.xmem.core.answer.directive;

import static dev.xmem.core.answer.directive.MemoryLines.ranked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of two directives that oppose each other holds. */
class DirectiveConflictsTest extends DirectivesFixture {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '#',
            value = {
                "newest wins" + "#1 local rule build|tool|maven; 2 local rule build|tool|gradle" + "#gradle",
                "newest wins, though it stands first in the file"
                        + "#2 local rule build|tool|gradle; 1 local rule build|tool|maven"
                        + "#gradle",
                "newer preference beats older rule"
                        + "#1 local rule build|tool|maven; 2 local preference build|tool|gradle"
                        + "#gradle",
                "newer rule beats older preference"
                        + "#1 local preference build|tool|maven; 2 local rule build|tool|gradle"
                        + "#gradle",
                "older constraint beats newer rule"
                        + "#1 local constraint build|tool|maven; 2 local rule build|tool|gradle"
                        + "#maven",
                "older constraint beats newer preference"
                        + "#1 local constraint build|tool|maven; 2 local preference build|tool|gradle"
                        + "#maven",
                "newer constraint beats older rule"
                        + "#1 local rule build|tool|maven; 2 local constraint build|tool|gradle"
                        + "#gradle",
                "same time, nothing decides"
                        + "#1 local rule build|tool|maven; 1 local rule build|tool|gradle"
                        + "#gradle conflict, maven conflict",
                "same time, but one is a constraint"
                        + "#1 local rule build|tool|maven; 1 local constraint build|tool|gradle"
                        + "#gradle",
                "two constraints, nothing decides"
                        + "#1 local constraint build|tool|maven; 2 local constraint build|tool|gradle"
                        + "#gradle conflict, maven conflict",
                "three constraints, nothing decides"
                        + "#1 local constraint b|tool|ant; 2 local constraint b|tool|make; 3 local constraint b|tool|sh"
                        + "#sh conflict, make conflict, ant conflict",
                "of three the newest"
                        + "#1 local rule b|tool|ant; 3 local rule b|tool|make; 2 local rule b|tool|sh"
                        + "#make",
                "a third, newer one settles the conflict of two"
                        + "#1 local rule b|tool|ant; 1 local rule b|tool|make; 2 local rule b|tool|sh"
                        + "#sh",
                "saying one again settles the conflict of two"
                        + "#1 local rule b|tool|ant; 1 local rule b|tool|make; 2 local rule b|tool|ant"
                        + "#ant x2",
                "two constraints and a newest rule"
                        + "#1 local constraint b|tool|ant; 2 local constraint b|tool|make; 3 local rule b|tool|sh"
                        + "#make conflict, ant conflict",
                "saying the loser again makes it the newest"
                        + "#1 local rule b|tool|ant; 2 local rule b|tool|make; 3 local rule b|tool|ant"
                        + "#ant x2",
                "local beats newer global" + "#1 local rule b|tool|ant; 2 global rule b|tool|make" + "#ant",
                "local beats a global constraint"
                        + "#1 local preference b|tool|ant; 2 global constraint b|tool|make"
                        + "#ant",
                "local beats global of the same time, without a conflict"
                        + "#1 global rule b|tool|make; 1 local rule b|tool|ant"
                        + "#ant",
                "local and global say the same: shown once"
                        + "#1 global rule b|tool|make; 2 local rule b|tool|make"
                        + "#make",
                "two local ones conflict, the global one stays out of it"
                        + "#1 local rule b|tool|ant; 1 local rule b|tool|make; 2 global rule b|tool|sh"
                        + "#ant conflict, make conflict",
                "two global ones, the newest wins" + "#1 global rule b|tool|ant; 2 global rule b|tool|make" + "#make",
                "another subject is no conflict"
                        + "#1 local rule build|tool|maven; 2 local rule test|tool|gradle"
                        + "#gradle, maven",
                "another predicate is no conflict"
                        + "#1 local rule build|tool|maven; 2 local rule build|speed|slow"
                        + "#slow, maven",
                "the object in another case is no conflict"
                        + "#1 local rule build|tool|maven; 1 local rule build|tool|Maven"
                        + "#Maven x2",
                "subject and predicate in another case are the same matter"
                        + "#1 local rule build|tool|maven; 2 local rule BUILD|Tool|gradle"
                        + "#gradle",
                "white space makes no difference"
                        + "#1 local rule the build|tool|maven; 2 local rule the   build|tool|gradle"
                        + "#gradle",
            })
    void search_directives_showsWhoHolds(String name, String lines, String expected) {
        write(lines.split(";"));
        try (XMemStore store = open()) {
            assertThat(ranked(store, "").stream().map(DirectivesFixture::shown))
                    .as(name)
                    .containsExactlyInAnyOrder(expected.split(", "));
            assertThat(store.stats().directives()).isEqualTo(expected.split(", ").length);
        }
    }

    @Test
    void find_theBeatenOne_isStillThere() {
        write("1 local rule build|tool|maven", "2 local rule build|tool|gradle");
        try (XMemStore store = open()) {
            assertThat(store.find("m-1").orElseThrow()).isInstanceOf(Directive.class);
            assertThat(store.search(Query.words("maven")).matches()).isEmpty();
            assertThat(store.search(Query.words("gradle")).matches()).hasSize(1);
        }
    }

    @Test
    void remember_theOpposite_isWhatHolds() {
        try (XMemStore store = open()) {
            store.remember(Directive.parse("always use pnpm"));
            now = now.plusSeconds(1);
            store.remember(Directive.parse("never use pnpm because it is slow"));
            assertThat(ranked(store, "").stream().map(Directive::canonical))
                    .containsExactly("Never use pnpm because it is slow");
        }
    }

    @Test
    void remember_theOppositeOfStatedRules_isWhatHolds() {
        try (XMemStore store = open()) {
            for (Directive.Draft rule : Directive.parseAll(
                    "use yarn, not npm. Use npm, not yarn. Commit messages in English. Never push")) {
                store.remember(rule);
            }
            now = now.plusSeconds(1);
            store.remember(Directive.parse("never use yarn"));
            store.remember(Directive.parse("always push"));
            assertThat(ranked(store, "").stream().map(Directive::canonical))
                    .containsExactlyInAnyOrder(
                            "Never use yarn", "Always push", "Always use npm, not yarn", "Commit messages in English");
        }
    }

    @Test
    void remember_theOppositeInTheSameMillisecond_isMarkedInTheAnswer() {
        try (XMemStore store = open()) {
            store.remember(Directive.parse("always use pnpm"));
            assertThat(store.remember(Directive.parse("never use pnpm")).tags()).containsExactly("conflict");
            assertThat(ranked(store, "")).hasSize(2).allMatch(d -> d.tags().contains("conflict"));
        }
    }

    @Test
    void remember_ruleAgainstConstraint_isConfirmedAsLost() {
        try (XMemStore store = open()) {
            Directive winner = store.remember(Directive.parse("must never push to main"));
            now = now.plusSeconds(1);
            assertThat(store.remember(Directive.parse("always push to main")).confirmation())
                    .isEqualTo(
                            "Remembered (local): Always push to main. It does not hold: \"Must never push to main\" ("
                                    + winner.id() + ") holds, because a constraint wins over a rule or a preference.");
        }
    }

    @Test
    void remember_globalAgainstLocal_isConfirmedAsLost() {
        try (XMemStore store = open()) {
            store.remember(Directive.parse("never use pnpm"));
            now = now.plusSeconds(1);
            assertThat(store.remember(Directive.parse("global: must use pnpm")).confirmation())
                    .startsWith("Remembered (global): Must always use pnpm")
                    .contains("does not hold", "\"Never use pnpm\"", "a local directive wins over a global one");
        }
    }

    @Test
    void remember_newerRule_isConfirmedAsWhatHolds() {
        try (XMemStore store = open()) {
            Directive older = store.remember(Directive.parse("always use pnpm"));
            now = now.plusSeconds(1);
            assertThat(store.remember(Directive.parse("never use pnpm")).confirmation())
                    .isEqualTo("Remembered (local): Never use pnpm. It holds, and \"Always use pnpm\" (" + older.id()
                            + ") does not, because the newer one wins.");
            assertThat(((Directive) store.find(older.id()).orElseThrow()).confirmation())
                    .contains("does not hold", "the newer one wins");
        }
    }

    @Test
    void remember_undecidedConflict_isConfirmedAsSuch() {
        try (XMemStore store = open()) {
            store.remember(Directive.parse("must use pnpm"));
            now = now.plusSeconds(1);
            assertThat(store.remember(Directive.parse("must never use pnpm")).confirmation())
                    .contains("contradicts \"Must always use pnpm\"", "both are shown");
        }
    }

    @Test
    void remember_conflictSettledLater_noLineHasTheTag() throws IOException {
        try (XMemStore store = open()) {
            store.remember(Directive.parse("always use pnpm"));
            store.remember(Directive.parse("never use pnpm"));
            now = now.plusSeconds(1);
            assertThat(store.remember(Directive.parse("never use pnpm")).tags()).isEmpty();
        }
        assertThat(Files.readString(memories())).doesNotContain("conflict");
    }
}

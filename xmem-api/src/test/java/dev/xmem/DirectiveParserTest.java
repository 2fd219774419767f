package dev.xmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing of sentences into directives. */
class DirectiveParserTest {
    private static Map<String, Object> fields(String sentence) {
        return Directive.parse(sentence).fields();
    }

    private static Directive.Triple is(String subject, String object) {
        return new Directive.Triple(subject, "is", object);
    }

    @Test
    void parse_ruleOfTheProtocol_forbids() {
        assertThat(fields("add to memory that never run build repeatedly because it is heavy"))
                .containsOnly(
                        Map.entry("kind", "rule"),
                        Map.entry("triple", is("run build repeatedly", "forbidden")),
                        Map.entry("canonical", "Never run build repeatedly because it is heavy"));
    }

    @Test
    void parse_preferenceOfTheProtocol_isGlobal() {
        assertThat(fields("global: add to memory that I prefer pnpm"))
                .containsOnly(
                        Map.entry("kind", "preference"),
                        Map.entry("triple", is("pnpm", "preferred")),
                        Map.entry("canonical", "Prefer pnpm"),
                        Map.entry("scope", Directive.Scope.GLOBAL));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "never push to main | rule | push to main | forbidden | Never push to main",
                "do not push to main | rule | push to main | forbidden | Never push to main",
                "don't push to main | rule | push to main | forbidden | Never push to main",
                "you should never push to main | rule | push to main | forbidden | Never push to main",
                "always sign commits | rule | sign commits | required | Always sign commits",
                "I always sign commits | rule | sign commits | required | Always sign commits",
                "I prefer tabs | preference | tabs | preferred | Prefer tabs",
                "I would prefer tabs over spaces | preference | tabs | preferred | Prefer tabs over spaces",
                "I do not like lombok | preference | lombok | avoided | Avoid lombok",
                "avoid lombok | preference | lombok | avoided | Avoid lombok",
                "must run offline | constraint | run offline | required | Must always run offline",
                "you must always run offline | constraint | run offline | required | Must always run offline",
                "must never log tokens | constraint | log tokens | forbidden | Must never log tokens",
                "it must not log tokens | constraint | log tokens | forbidden | Must never log tokens",
                "ADD TO MEMORY THAT NEVER PUSH | rule | push | forbidden | Never PUSH",
                "Please remember: always sign commits! | rule | sign commits | required | Always sign commits",
                "remember that I prefer pnpm. | preference | pnpm | preferred | Prefer pnpm",
                "save to your memory always  fold   blanks | rule | fold blanks | required | Always fold blanks",
                "always use pnpm since it is fast | rule | pnpm | required | Always use pnpm since it is fast",
                "avoid using sed rather than perl | preference | sed | avoided | Avoid using sed rather than perl",
                "from now on use pnpm | rule | pnpm | required | Always use pnpm",
                "From now on, please use pnpm. | rule | pnpm | required | Always use pnpm",
                "from now on you never push | rule | push | forbidden | Never push",
                "add to memory that from now on we run the tests first"
                        + " | rule | run the tests first | required | Always run the tests first",
                "remember to sign commits | rule | sign commits | required | Always sign commits",
                "add to memory that tests must run before a commit"
                        + " | constraint | tests run before a commit | required | Tests must run before a commit",
                "commits must always be signed because we audit them"
                        + " | constraint | commits be signed | required | Commits must be signed because we audit them",
                "migrations must not drop columns"
                        + " | constraint | migrations drop columns | forbidden | Migrations must never drop columns",
                "keep in mind that we prefer tabs | preference | tabs | preferred | Prefer tabs",
                "remember that the staging db is read only"
                        + " | rule | the staging db | read only | The staging db is read only",
                "in this repo we use vitest | rule | we use vitest | required | We use vitest",
                "rule: one class per file | rule | one class per file | required | Always one class per file",
                "whenever you add a table, write a migration | rule | whenever you add a table, write a migration"
                        + " | required | Whenever you add a table, write a migration",
                "use yarn, not npm | rule | yarn | required | Always use yarn, not npm",
                "primary keys are uuids | rule | primary keys | uuids | Primary keys are uuids",
                "nie auf main schieben | rule | nie auf main schieben | required | Nie auf main schieben",
                "stop adding emojis | rule | adding emojis | forbidden | Stop adding emojis",
                "ask before installing anything, always"
                        + " | rule | ask before installing anything | required | Always ask before installing anything",
            })
    void parse_grammar_returnsKindTripleAndSentence(
            String sentence, String kind, String subject, String object, String canonical) {
        assertThat(fields(sentence))
                .containsOnly(
                        Map.entry("kind", kind),
                        Map.entry("triple", is(subject, object)),
                        Map.entry("canonical", canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "global: never push",
                "GLOBAL, never push",
                "globally: never push",
                "  global :  add to memory that never push",
                "global: please remember never push",
                "remember globally that never push",
                "Remember for all projects: never push",
                "add to global memory that never push",
                "globally, never push",
            })
    void parse_globalPrefix_hasGlobalScope(String sentence) {
        assertThat(fields(sentence))
                .containsEntry("scope", Directive.Scope.GLOBAL)
                .containsEntry("triple", is("push", "forbidden"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "always use X. Never use Y. | Always use X | Never use Y",
                "remember: always use pnpm and never use npm | Always use pnpm | Never use npm",
                "I prefer tabs, but never reformat old files! | Prefer tabs | Never reformat old files",
                "From now on use vitest. Use pnpm for scripts. | Always use vitest | Always use pnpm for scripts",
                "tests must run first; do not skip them | Tests must run first | Never skip them",
                "use yarn, not npm. Never commit secrets | Always use yarn, not npm | Never commit secrets",
                "commit messages in English. Never push to main | Commit messages in English | Never push to main",
                "commit messages in English. Use yarn, not npm | Commit messages in English | Always use yarn, not npm",
            })
    void parseAll_twoSentences_returnsTwoDrafts(String text, String first, String second) {
        assertThat(Directive.parseAll(text).stream().map(draft -> draft.fields().get("canonical")))
                .containsExactly(first, second);
        assertThatThrownBy(() -> Directive.parse(text))
                .isInstanceOf(XMemException.Syntax.class)
                .hasMessageContaining("2 directives");
    }

    @Test
    void parseAll_sameRuleAgainAndAgain_returnsOneDraft() {
        assertThat(Directive.parseAll("Never use Y. " + "always use X. ".repeat(40)).stream()
                        .map(draft -> draft.fields().get("canonical")))
                .containsExactly("Never use Y", "Always use X");
    }

    @Test
    void parseAll_globalText_makesEachDraftGlobal() {
        assertThat(Directive.parseAll("remember globally: always use X. Never use Y."))
                .hasSize(2)
                .allMatch(draft -> Directive.Scope.GLOBAL.equals(draft.fields().get("scope")));
    }

    @Test
    void parseAll_furtherSentenceThatIsNoDirective_belongsToTheFirst() {
        assertThat(Directive.parseAll("never push on Fridays. It is too late then."))
                .singleElement()
                .satisfies(draft -> assertThat(draft.fields())
                        .containsEntry("canonical", "Never push on Fridays. It is too late then"));
    }

    @Test
    void parse_mustAndMustNotAboutOneMatter_haveTheSameSubject() {
        assertThat(fields("tests must run first").get("triple")).isEqualTo(is("tests run first", "required"));
        assertThat(fields("tests must never run first").get("triple")).isEqualTo(is("tests run first", "forbidden"));
    }

    @Test
    void parse_oppositeSentences_haveTheSameSubject() {
        assertThat(fields("always use pnpm").get("triple")).isEqualTo(is("pnpm", "required"));
        assertThat(fields("never use pnpm because it is new").get("triple")).isEqualTo(is("pnpm", "forbidden"));
        assertThat(fields("I prefer using pnpm over npm").get("triple")).isEqualTo(is("pnpm", "preferred"));
        assertThat(fields("use pnpm, not npm").get("triple")).isEqualTo(is("pnpm", "required"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "pnpm",
                "use pnpm",
                "never",
                "always ",
                "I prefer",
                "neverland is far",
                "mustard goes with it",
                "add to memory",
                "add to memory that",
                "add to memory that builds were slow",
                "note that builds are slow",
                "builds are slow",
                "tests are failing on main",
                "docs are missing in the api folder",
                "use port 8081, 8080 is taken",
                "use the other branch, not main",
                "commit messages in English, last week in German",
                "commit messages in English, change the last two",
                "commit messages in English. the vault code is sunflower42",
                "logs in UTC, not local time. root pin 4711",
                "indent with two spaces, unlock word is tulip rain",
                "secrets in vault, not in env files, master phrase sunflower",
                "keys to prod are sunshine and rainbow",
                "global:",
                "the build should never fail",
                "what do I prefer?",
                "from now on",
                "what must I do first?",
                "why must tests run before a commit",
                "builds are slow because the tests must run",
                "from now on what do I use?",
            })
    void parse_unknownForm_throwsWithTheForms(String sentence) {
        assertThatThrownBy(() -> Directive.parse(sentence))
                .isInstanceOf(XMemException.Syntax.class)
                .hasMessageContaining("add to memory that never")
                .hasMessageContaining("give subject, predicate and object");
    }

    @Test
    void parse_unknownForm_throwsWithPositionOfTheClause() {
        assertThatThrownBy(() -> Directive.parse("add to memory that builds were slow"))
                .isInstanceOfSatisfying(
                        XMemException.Syntax.class,
                        e -> assertThat(e.position()).isEqualTo(19));
    }

    @Test
    void parse_moreThanAThousandCharacters_throws() {
        assertThat(fields("never " + "x".repeat(994))).containsEntry("kind", "rule");
        assertThatThrownBy(() -> Directive.parse("never " + "x".repeat(995)))
                .isInstanceOf(XMemException.Syntax.class)
                .hasMessageContaining("1000");
    }
}

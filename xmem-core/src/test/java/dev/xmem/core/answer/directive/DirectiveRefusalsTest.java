package dev.xmem.core.answer.directive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Directive;
import dev.xmem.JsonDraft;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no directive, and how one is confirmed. */
class DirectiveRefusalsTest extends DirectivesFixture {
    @Test
    void remember_sentenceOf240Characters_isKept() {
        try (XMemStore store = XMem.inMemory()) {
            String most = "x".repeat(238) + "👍👍";
            assertThat(store.remember(Directive.rule(PUSH).canonical(most)).canonical())
                    .isEqualTo(most);
            String folded = "a" + " ".repeat(300) + "b";
            assertThat(store.remember(Directive.rule(PUSH).canonical(folded)).canonical())
                    .isEqualTo("a b");
        }
    }

    @Test
    void remember_sentenceOf241Characters_isRefused() {
        Directive.Triple tooLong = new Directive.Triple("x".repeat(240), "is", "y");
        try (XMemStore store = XMem.inMemory()) {
            for (Directive.Draft draft :
                    List.of(Directive.rule(PUSH).canonical("x".repeat(239) + "👍👍"), Directive.rule(tooLong))) {
                assertThatThrownBy(() -> store.remember(draft)).isInstanceOfSatisfying(XMemException.Limit.class, e -> {
                    assertThat(e.limit()).isEqualTo(240);
                    assertThat(e.name()).contains("canonical");
                });
            }
            assertThat(store.stats().directives()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "today",
                "Tonight",
                "tomorrow",
                "yesterday",
                "right now",
                "for now",
                "at the moment",
                "this time",
                "this session",
                "THIS CONVERSATION",
                "this task",
                "this run",
                "this morning",
                "this week",
                "just now"
            })
    void remember_whatIsOverSoon_isRefusedWithTheReason(String word) {
        try (XMemStore store = XMem.inMemory()) {
            for (Directive.Draft draft : List.of(
                    Directive.parse("never deploy " + word),
                    Directive.rule(PUSH).canonical("Skip the tests " + word + ", please"),
                    Directive.rule(new Directive.Triple("tests " + word, "are", "skipped"))
                            .canonical("Skip them"))) {
                assertThatThrownBy(() -> store.remember(draft))
                        .isInstanceOfSatisfying(
                                XMemException.Invalid.class,
                                e -> assertThat(e.field()).isEmpty())
                        .hasMessageContaining("over soon")
                        .hasMessageContaining(word);
            }
            assertThat(store.stats().directives()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowadays", "todo lists", "session tokens in urls", "runs this way", "weekly deploys"})
    void remember_whatOnlyLooksLikeIt_isKept(String matter) {
        try (XMemStore store = XMem.inMemory()) {
            assertThat(store.remember(Directive.parse("never allow " + matter)).strength())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "always use password hunter2secret",
                "never forget that the token is abc123def",
                "always log in as root with s3cr3t",
                "always connect to the staging host as deploy with Tr0ub4dor",
                "must use the pin 47a11b",
                "always use passphrase correct-horse7",
                "always remember the password is swordfish",
                "always enter as PIN: 4711",
            })
    void remember_secretByItsPlace_isRefusedWithWhatToDo(String sentence) {
        try (XMemStore store = XMem.inMemory()) {
            assertThatThrownBy(() -> store.remember(Directive.parse(sentence)))
                    .isInstanceOf(XMemException.Secret.class)
                    .hasMessageContaining("name the variable or the file that holds it");
            assertThat(store.stats().directives()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "never use password authentication for ssh",
                "always read the password from $DB_PASSWORD",
                "always hash the password with argon2id",
                "the token must be rotated every 90 days",
                "always connect with TLS1.3",
                "always authenticate with ed25519 keys",
                "must sign the token with RS256",
                "always log in as deploy with the key in ~/.ssh/id_ed25519",
                "a token of at least 32 bytes must be used",
                "passwords must have 12 characters",
                "never assume that the password is required",
                "always use the token bucket of phase2",
            })
    void remember_sentenceAboutSecrets_isKept(String sentence) {
        try (XMemStore store = XMem.inMemory()) {
            assertThat(store.remember(Directive.parse(sentence)).strength()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"'',is,x,triple.subject", "a,' ',x,triple.predicate", "a,is,'\t',triple.object"})
    void remember_emptyPart_isRefusedByName(String subject, String predicate, String object, String field) {
        try (XMemStore store = XMem.inMemory()) {
            assertThatThrownBy(() -> store.remember(Directive.rule(new Directive.Triple(subject, predicate, object))))
                    .isInstanceOfSatisfying(
                            XMemException.Invalid.class,
                            e -> assertThat(e.field()).isEqualTo(field));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'kind':'law','triple':{'subject':'a','predicate':'b','object':'c'}}",
                "{'triple':{'subject':'a','predicate':'b','object':'c'}}",
                "{'kind':'rule','scope':'universe','triple':{'subject':'a','predicate':'b','object':'c'}}",
                "{'kind':'rule','triple':{'subject':'a','predicate':'b'}}",
                "{'kind':'rule','triple':'a b c'}",
                "{'kind':'rule','dedupe_key':'a|b|c'}",
            })
    void recordAll_brokenLine_isRefused(String line) {
        try (XMemStore store = XMem.inMemory()) {
            assertThatThrownBy(() -> store.recordAll(List.of(JsonDraft.of(line.replace('\'', '"')))))
                    .isInstanceOf(XMemException.Invalid.class);
            assertThat(store.stats().directives()).isZero();
        }
    }

    @Test
    void confirmation_isOneLineWithScopeAndSentence() {
        try (XMemStore store = XMem.inMemory()) {
            assertThat(store.remember(Directive.parse(
                                    "add to memory that never run build repeatedly because it is heavy"))
                            .confirmation())
                    .isEqualTo("Remembered (local): Never run build repeatedly because it is heavy");
            assertThat(store.remember(Directive.parse("global: add to memory that I prefer pnpm"))
                            .confirmation())
                    .isEqualTo("Remembered (global): Prefer pnpm");
            assertThat(store.remember(Directive.rule(PUSH).canonical(" one\n\ttwo\r\nthree "))
                            .confirmation())
                    .isEqualTo("Remembered (local): one two three");
        }
    }
}

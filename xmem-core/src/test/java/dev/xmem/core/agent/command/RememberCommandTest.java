package dev.xmem.core.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /xmem:remember}, and the key of {@code /xmem:record} that links a success with a failure. */
class RememberCommandTest {
    private final XMemStore store = XMem.inMemory();
    private final SlashCommands commands = SlashCommands.on(store);

    @AfterEach
    void close() {
        store.close();
    }

    private <T extends Entry> List<T> stored(Entry.Kind kind, Class<T> type) {
        return store.search(Query.all().kind(kind)).matches().stream()
                .map(match -> type.cast(match.entry()))
                .toList();
    }

    @Test
    void remember_oneSentence_isStoredAndConfirmed() {
        SlashCommands.Reply reply = commands.execute("/xmem:remember global: add to memory that I prefer pnpm", "s");

        assertThat(reply.ok()).isTrue();
        assertThat(reply.text()).isEqualTo("Remembered (global): Prefer pnpm");
        assertThat(stored(Entry.Kind.DIRECTIVE, Directive.class))
                .singleElement()
                .satisfies(stored -> assertThat(stored.scope()).isEqualTo(Directive.Scope.GLOBAL));
    }

    @Test
    void remember_twoSentences_areTwoDirectives() {
        assertThat(commands.execute("/xmem:remember always use pnpm. Never use npm.", "s")
                        .text()
                        .lines())
                .containsExactly("Remembered (local): Always use pnpm", "Remembered (local): Never use npm");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "/xmem:remember#What should be remembered?",
                "/xmem:remember the weather is nice#",
                "/xmem:remember always use password hunter2secret#secret",
                "/xmem:remember never push today#"
            })
    void remember_nothingToStore_isRefusedWithTheUsage(String line, String reason) {
        SlashCommands.Reply reply = commands.execute(line, "s");

        assertThat(reply.ok()).isFalse();
        assertThat(reply.text()).contains(reason == null ? "" : reason).contains("Usage: /xmem:remember");
        assertThat(store.stats().directives()).isZero();
    }

    @Test
    void record_successThatAnswersAFailure_isLinked() {
        commands.execute("/xmem:record failure tool=git command=\"git push\" error=\"fatal: frozen\" avoid=\"-\"", "s");
        String id = store.search(Query.all()).matches().get(0).entry().id();

        commands.execute("/xmem:record success tool=git name=\"lift the freeze\" steps=\"ask\" answers=" + id, "s");

        assertThat(stored(Entry.Kind.SUCCESS, Success.class))
                .singleElement()
                .satisfies(stored -> assertThat(stored.answers()).containsExactly(id));
    }
}

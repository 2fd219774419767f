package dev.xmem.core.answer.directive;

import static dev.xmem.core.answer.directive.MemoryLines.ranked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.XMemStore;
import dev.xmem.core.fixtures.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The file of directives that several stores share. */
class GlobalDirectivesTest extends DirectivesFixture {
    private Path global() {
        return folder.resolve("home/memory/memories.ndjson");
    }

    private XMemStore open(String store) {
        return builder(store).globalDirectives(global()).open();
    }

    @Test
    void remember_global_isInTheFileAndItsLockBesideIt() {
        try (XMemStore store = open("one")) {
            store.remember(Directive.rule(PUSH).global());
            store.remember(Directive.parse("always sign commits"));
            assertThat(ranked(store, "")).hasSize(2);
        }
        assertThat(Json.lines(global()))
                .hasSize(1)
                .first()
                .satisfies(line -> assertThat(line).containsEntry("scope", "global"));
        assertThat(global().resolveSibling("memories.ndjson.lock")).exists();
        assertThat(Json.lines(folder.resolve("one/data/memories.ndjson"))).hasSize(1);
    }

    @Test
    void remember_global_isSeenAndReinforcedByAnotherStore() {
        try (XMemStore one = open("one");
                XMemStore other = open("other")) {
            Directive first = one.remember(Directive.rule(PUSH).global());
            assertThat(ranked(other, "")).extracting(Directive::id).containsExactly(first.id());
            Directive second = other.remember(Directive.rule(PUSH).global());
            assertThat(second.id()).isEqualTo(first.id());
            assertThat(second.strength()).isEqualTo(2);
            assertThat(ranked(one, "")).extracting(Directive::strength).containsExactly(2);
        }
    }

    @Test
    void search_localAgainstTheGlobalFile_localWinsInItsStoreOnly() {
        try (XMemStore one = open("one");
                XMemStore other = open("other")) {
            one.remember(Directive.parse("always use pnpm"));
            now = now.plusSeconds(1);
            other.remember(Directive.parse("global: never use pnpm"));
            assertThat(ranked(one, "")).extracting(Directive::canonical).containsExactly("Always use pnpm");
            assertThat(ranked(other, "")).extracting(Directive::canonical).containsExactly("Never use pnpm");
        }
    }

    @Test
    void remember_twoStoresInTwoThreads_loseNone() throws Exception {
        int times = 60;
        try (XMemStore one = open("one");
                XMemStore other = open("other")) {
            one.remember(Directive.rule(PUSH).global());
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                List<Callable<Integer>> work = new ArrayList<>();
                for (XMemStore store : List.of(one, other)) {
                    work.add(() -> {
                        for (int i = 0; i < times; i++) {
                            say(store, Directive.rule(PUSH).global());
                        }
                        return times;
                    });
                }
                for (Future<Integer> done : threads.invokeAll(work)) {
                    assertThat(done.get()).isEqualTo(times);
                }
            } finally {
                threads.shutdown();
            }
            assertThat(ranked(one, "")).extracting(Directive::strength).containsExactly(1 + 2 * times);
            assertThat(ranked(other, "")).extracting(Directive::strength).containsExactly(1 + 2 * times);
        }
        assertThat(Json.lines(global()))
                .hasSize(1 + 2 * times)
                .last()
                .satisfies(line -> assertThat(line.get("strength")).hasToString(Integer.toString(1 + 2 * times)));
    }

    @Test
    void remember_twoStoresInTwoProcesses_loseNone() throws Exception {
        twoProcesses(folder.resolve("one"), folder.resolve("other"), global());
        try (XMemStore store = open("third")) {
            assertThat(ranked(store, "")).extracting(Directive::strength).containsExactly(1 + 2 * Remembering.TIMES);
        }
        assertThat(Json.lines(global()))
                .hasSize(1 + 2 * Remembering.TIMES)
                .last()
                .satisfies(line ->
                        assertThat(line.get("strength")).hasToString(Integer.toString(1 + 2 * Remembering.TIMES)));
    }
}

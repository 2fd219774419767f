package dev.xmem.core.answer.directive;

import static dev.xmem.core.answer.directive.MemoryLines.ranked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.XMemStore;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files of directives that others wrote. */
class DirectiveFileTest extends DirectivesFixture {
    private static final String LINE = """
            {"id":"mem-7f3a","ts":"2026-01-05T08:00:00Z","scope":"local","kind":"rule",\
            "triple":{"subject":"build","predicate":"run","object":"once"},\
            "canonical":"Run the build once","strength":2,"source":"user_direct","tags":["build"],\
            "dedupe_key":"build|run|once"}""";

    @Test
    void open_theProtocolsFile_isReadAndReinforced() throws IOException {
        Path file = folder.resolve("docs/memory/memories.ndjson");
        Files.createDirectories(file.getParent());
        Files.writeString(file, LINE);
        try (XMemStore store = builder("store").log(Entry.Kind.DIRECTIVE, file).open()) {
            assertThat(ranked(store, "")).hasSize(1).first().satisfies(directive -> {
                assertThat(directive.id()).isEqualTo("mem-7f3a");
                assertThat(directive.strength()).isEqualTo(2);
            });
            Directive again = store.remember(
                    Directive.rule(new Directive.Triple("Build", "run", "once")).tags("ci"));
            assertThat(again.id()).isEqualTo("mem-7f3a");
            assertThat(again.strength()).isEqualTo(3);
            assertThat(again.canonical()).isEqualTo("Run the build once");
            assertThat(again.tags()).containsExactly("build", "ci");
        }
        assertThat(Files.readString(file)).startsWith(LINE + "\n").endsWith("}\n");
        assertThat(Json.lines(file))
                .hasSize(2)
                .last()
                .satisfies(line -> assertThat(line.get("strength")).hasToString("3"));
    }

    @Test
    void open_linesOfLess_areStillDirectives() {
        MemoryLines.append(
                memories(),
                List.of(
                        "{\"id\":\"a\",\"ts\":\"yesterday\",\"dedupe_key\":\"x|y|z\",\"canonical\":\"no triple\"}",
                        "{\"triple\":{\"subject\":\"p\",\"predicate\":\"q\",\"object\":\"r\"},\"strength\":\"4\"}",
                        "{\"triple\":5,\"dedupe_key\":\"k\",\"kind\":\"RULE\",\"tags\":null,\"strength\":-3}",
                        "not json"));
        try (XMemStore store = open()) {
            assertThat(ranked(store, "")).hasSize(3).allMatch(directive -> directive.strength() >= 1);
            assertThat(store.stats().malformedLines()).isEqualTo(1);
        }
    }
}

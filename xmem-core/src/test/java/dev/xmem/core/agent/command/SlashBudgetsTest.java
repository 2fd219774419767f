package dev.xmem.core.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** The budgets of the answers, whatever entries hold. */
class SlashBudgetsTest {
    private static final TokenEstimator TOKENS = TokenEstimator.heuristic();

    /** Entries with long and unusual names of multi-byte characters. */
    private static List<EntryDraft> hostile(Random random) {
        List<String> pieces = List.of(
                "👩‍👩‍👧‍👦", "x", "日本語", "\u001B[31m", "\n", "\"", "-", "tool=", "ﷺ", "\u202E", "9f86d081884c");
        List<EntryDraft> drafts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            List<String> names = new ArrayList<>();
            for (int j = 0; j < 3; j++) {
                String piece = pieces.get(random.nextInt(pieces.size()));
                String name = "n" + i + piece.repeat(1 + random.nextInt(Math.max(1, 120 / piece.length())));
                names.add(name.substring(0, Math.min(name.length(), 128)));
            }
            drafts.add(
                    switch (i % 4) {
                        case 0 ->
                            Failure.of(names.get(0), names.get(1), names.get(2).repeat(20))
                                    .tags(names.get(1), names.get(2));
                        case 1 ->
                            Success.of(names.get(0), names.get(1))
                                    .keySteps(names.get(2))
                                    .tags(names.get(2));
                        case 2 -> Note.of(names.get(0), names.get(1)).tags(names.get(2));
                        default ->
                            Directive.rule(new Directive.Triple("s" + i, "is", "o"))
                                    .canonical("c" + i)
                                    .tags(names.get(1));
                    });
        }
        return drafts;
    }

    @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
    void execute_hostileEntries_keepsEveryBudget(@ForAll long seed) {
        Random random = new Random(seed);
        try (XMemStore full = XMem.inMemoryBuilder()
                .clock(InstantSource.fixed(Instant.parse("2026-02-14T16:30:00Z")))
                .open()) {
            full.recordAll(hostile(random));
            SlashCommands slash = SlashCommands.on(full);
            assertThat(TOKENS.estimate(slash.execute("/xmem:stats", "s").text()))
                    .isLessThanOrEqualTo(500);
            String load = slash.execute("/xmem:load limit=1", "s").text();
            assertThat(TOKENS.estimate(load.lines().skip(1).findFirst().orElseThrow()))
                    .isLessThanOrEqualTo(500);
            for (String command : List.of("/xmem:load", "/xmem:search type=failure", "/xmem:search budget=300 x")) {
                int most = command.contains("300") ? 300 : 15_000;
                assertThat(TOKENS.estimate(slash.execute(command, "s").text())).isLessThanOrEqualTo(most);
            }
            Failure known = (Failure) full.search(Query.parse("type=failure limit=1"))
                    .matches()
                    .get(0)
                    .entry();
            String tool = known.tool().replace("\\", "\\\\").replace("\"", "\\\"");
            String error = known.error().replace("\\", "\\\\").replace("\"", "\\\"");
            String record =
                    "/xmem:record failure tool=\"" + tool + "\" error=\"" + error + "\" notes=\"" + error + "\"";
            SlashCommands.Reply confirmation = slash.execute(record, "s");
            assertThat(confirmation.ok()).as(confirmation.text()).isTrue();
            assertThat(TOKENS.estimate(confirmation.text())).isLessThanOrEqualTo(300);
            for (String text : List.of(
                    load, confirmation.text(), slash.execute("/xmem:stats", "s").text())) {
                assertThat(text).doesNotContain("\u001B").doesNotContain("\u202E");
            }
        }
    }
}

package dev.xmem.core.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Scan;
import dev.xmem.ScanResult;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.render.Estimators;
import dev.xmem.core.fixtures.Json;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** No page costs more than the store's budget, whatever a query, an option or a command asks for. */
class PageCeilingPropertyTest {
    private static final int CEILING = 15_000;
    private static final Instant NOW = Instant.parse("2026-02-14T16:30:00Z");

    private static XMemStore large;

    @BeforeContainer
    static void record() {
        large = XMem.inMemoryBuilder().clock(InstantSource.fixed(NOW)).open();
        large.recordAll(drafts());
    }

    @AfterContainer
    static void close() {
        large.close();
    }

    /** 400 entries of 300 to 9,000 characters in several scripts, and one that is larger than any page. */
    private static List<EntryDraft> drafts() {
        Random random = new Random(1);
        List<String> words =
                List.of("rclone ", "config not found ", "日本語の文字", "👩‍💻😀", "a\nb\n", "Ünïcödé ", "{\"k\":[1]} ");
        List<EntryDraft> drafts = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            String word = words.get(i % words.size());
            String text = i + " git push " + word.repeat(300 / word.length() * (1 + random.nextInt(30)) + 1);
            drafts.add(
                    switch (i % 3) {
                        case 0 ->
                            Failure.of("git", text, text).patternAvoid(text).tags("ci");
                        case 1 -> Success.of("git", text).keySteps(text, text).tags("ci");
                        default -> Note.of("note", text).tags("ci");
                    });
        }
        drafts.add(Note.of("note", "git push huge " + "漢字 ".repeat(30_000)));
        return drafts;
    }

    @Provide
    Arbitrary<String> queries() {
        Arbitrary<String> text = Arbitraries.of(
                "", "git", "push rclone", "\"config not\"", "/p.sh/", "tool=git", "tag=ci", "type=note", "日本語");
        Arbitrary<String> budget =
                Arbitraries.of("", "budget=100", "budget=15001", "--budget=1000000", "budget=99999999999");
        Arbitrary<String> limit = Arbitraries.of("", "limit=1", "--limit=70", "limit=2000000000");
        Arbitrary<String> other = Arbitraries.of("", "order=newest", "offset=3", "--offset=400", "since=2026-01-01");
        return Combinators.combine(text, budget, limit, other)
                .as((t, b, l, o) -> String.join(" ", t, b, l, o).strip());
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void page_anyQuery_costsAtMostTheCeilingAndSaysThatItWasLowered(
            @ForAll("queries") String text, @ForAll Query.Layout layout) {
        Page page = large.search(Query.parse(text).layout(layout));
        assertThat(page.tokens())
                .isEqualTo(TokenEstimator.heuristic().estimate(page.text()))
                .isLessThanOrEqualTo(CEILING);
        boolean lifted = Query.parse(text).tokenBudget() > CEILING;
        assertThat(page.text().contains("The budget was lowered to the store's, 15K tokens."))
                .isEqualTo(lifted && layout != Query.Layout.DATA);
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void page_anyBudgetOfAQuery_costsAtMostTheCeiling(
            @ForAll @IntRange(min = Query.MIN_TOKEN_BUDGET, max = Integer.MAX_VALUE) int budget,
            @ForAll Query.Layout layout) {
        Page page = large.search(Query.all().layout(layout).tokenBudget(budget));
        assertThat(page.tokens()).isLessThanOrEqualTo(Math.min(budget, CEILING));
    }

    @Property(tries = 100, shrinking = ShrinkingMode.OFF)
    void reply_anyCommand_costsAtMostTheCeiling(@ForAll("queries") String query, @ForAll("names") String name) {
        SlashCommands commands = SlashCommands.on(large);
        String reply = commands.execute("/xmem:" + name + " " + query, "s").text();
        assertThat(TokenEstimator.heuristic().estimate(reply)).isLessThanOrEqualTo(CEILING);
        String more = commands.execute("yes", "s").text();
        assertThat(TokenEstimator.heuristic().estimate(more)).isLessThanOrEqualTo(CEILING);
    }

    @Property(tries = 30, shrinking = ShrinkingMode.OFF)
    void scan_anyQuery_costsAtMostTheCeiling(
            @ForAll("needles") String q, @ForAll @IntRange(min = 1, max = 200) int limit) {
        ScanResult found = large.scan(Scan.of(q).limit(limit));
        assertThat(TokenEstimator.heuristic().estimate(found.json())).isLessThanOrEqualTo(CEILING);
        assertThat(found.results()).isNotEmpty().allSatisfy(note -> {
            assertThat(TokenEstimator.heuristic().estimate(note)).isLessThanOrEqualTo(ScanResult.NOTE_TOKENS);
            assertThat(Json.object(note)).containsKeys("ts", "content", "type", "tags", "meta");
        });
        if (q.equals("git") && found.results().size() < Math.min(limit, 134)) {
            assertThat(found.truncated()).isTrue();
        }
    }

    /** All of it, more often. */
    @Property(tries = 400, shrinking = ShrinkingMode.OFF)
    @Tag("soak")
    void anything_oftenAsked_costsAtMostTheCeiling(
            @ForAll("queries") String text,
            @ForAll("names") String name,
            @ForAll("needles") String q,
            @ForAll @IntRange(min = 1, max = 200) int limit,
            @ForAll @IntRange(min = Query.MIN_TOKEN_BUDGET, max = Integer.MAX_VALUE) int budget,
            @ForAll Query.Layout layout) {
        page_anyQuery_costsAtMostTheCeilingAndSaysThatItWasLowered(text, layout);
        page_anyBudgetOfAQuery_costsAtMostTheCeiling(budget, layout);
        reply_anyCommand_costsAtMostTheCeiling(text, name);
        scan_anyQuery_costsAtMostTheCeiling(q, limit);
        next_ofAPageWithALowerBudget_keepsTheBudget(400 + budget % 2_600);
    }

    @Provide
    Arbitrary<String> needles() {
        return Arbitraries.of("git", "/p.sh/", "push huge", "漢", "note");
    }

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void dryRunOfACompaction_costsAtMostTheBudgetOfTheStore(
            @ForAll @IntRange(min = Query.MIN_TOKEN_BUDGET, max = 20_000) int budget) {
        try (XMemStore store = XMem.inMemoryBuilder()
                .clock(InstantSource.fixed(NOW))
                .tokenBudget(budget)
                .open()) {
            for (int i = 0; i < 100; i++) {
                store.recordFailure(Failure.of("git", "push " + "漢字".repeat(150), "fatal: 日本語".repeat(20)));
            }
            String reply = SlashCommands.on(store)
                    .execute("/xmem:compact --dry-run", "s")
                    .text();
            assertThat(TokenEstimator.heuristic().estimate(reply)).isLessThanOrEqualTo(budget);
            assertThat(reply).matches("(?s)🔍 Dry run.*\n… and \\d+ more");
        }
    }

    @Provide
    Arbitrary<String> names() {
        String huge = "漢".repeat(50_000);
        return Arbitraries.of(
                "load",
                "search",
                "stats",
                "help",
                "compact --dry-run",
                "record failure",
                "record success tool=" + huge,
                "recall tool=git action=\"push origin\" error=\"" + huge + "\"",
                "recall tool=git error=",
                huge);
    }

    @Property(tries = 20, shrinking = ShrinkingMode.OFF)
    void next_ofAPageWithALowerBudget_keepsTheBudget(@ForAll @IntRange(min = 400, max = 3_000) int budget) {
        SlashCommands commands = SlashCommands.on(large);
        String reply = commands.execute("/xmem:load budget=" + budget, "s").text();
        for (int pages = 0; pages < 4; pages++) {
            assertThat(Estimators.HEURISTIC.estimate(reply)).isLessThanOrEqualTo(budget);
            String next = reply.substring(reply.lastIndexOf("next page? (") + "next page? (".length());
            assertThat(next).startsWith("/xmem:load order=newest --budget=" + budget + " --offset=");
            reply = commands.execute(next.substring(0, next.indexOf(')')), "s").text();
        }
    }
}

package dev.xmem.core.answer.page;

import static dev.xmem.core.answer.render.Samples.failure;
import static dev.xmem.core.answer.render.Samples.hit;
import static dev.xmem.core.answer.render.Samples.success;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.render.Estimators;
import dev.xmem.core.answer.render.Golden;
import dev.xmem.core.answer.render.Samples;
import dev.xmem.core.answer.render.StoreSummary;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.spi.TokenEstimator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages as the X-MEM protocol shows them, and the edges of paging. */
class PageBuilderTest {
    private static final int BUDGET = 15_000;

    private static List<Match> matches(Entry... entries) {
        return List.of(entries).stream().map(e -> (Match) hit(e)).toList();
    }

    private static List<Match> failures(int n) {
        List<Match> ranked = new ArrayList<>();
        IntStream.rangeClosed(1, n)
                .mapToObj(i -> failure(String.format("2026-02-14-%03d", i), "rclone", "rclone-sync-config-not-found"))
                .forEach(f -> ranked.add(hit(f)));
        return ranked;
    }

    private static StoreSummary digest() {
        Map<String, Long> tools = new LinkedHashMap<>();
        tools.put("rclone", 8L);
        tools.put("git", 6L);
        return new StoreSummary(25, 18, 0, 0, tools, Map.of("config", 10L));
    }

    private static PageRequest request(Query query, List<Match> ranked, int offset, long total) {
        return new PageRequest(
                query, ranked, offset, total, true, BUDGET, digest(), Samples.NOW, n -> "cursor-" + (offset + n));
    }

    private static Page page(PageRequest request) {
        return PageBuilder.page(Estimators.CHARS_BY_FOUR, request);
    }

    private String golden(String name) {
        return Golden.text(getClass(), name);
    }

    @Test
    void list_searchByTool_isTheProtocolsOverview() {
        List<Match> ranked = matches(
                failure("2026-02-14-001", "rclone", "rclone-sync-config-not-found"),
                success("2026-02-12-003", "rclone sync with retry", 0.8, 3),
                failure("2026-02-10-005", "rclone", "rclone-copy-network-timeout"),
                Samples.seedFailure(),
                failure("2026-02-09-001", "rclone", "rclone-sync-permission-denied"),
                failure("2026-02-08-002", "rclone", "rclone-ls-not-found"),
                failure("2026-02-07-001", "rclone", "rclone-mount-already-mounted"),
                success("2026-02-08-001", "rclone mount best practices", 0.7, 1, "use --vfs-cache-mode writes"),
                failure("2026-02-05-001", "rclone", "rclone-copy-quota-exceeded"),
                failure("2026-02-04-001", "rclone", "rclone-config"));
        Page page = page(request(Query.all().tool("rclone"), ranked, 0, 10));
        assertThat(page.text()).isEqualTo(golden("search-tool.txt"));
        assertThat(page.nextOffset()).isNull();
        assertThat(page.cursor()).isNull();
    }

    /** A page for few tokens does not look like all there is. */
    @Test
    void smallBudget_pageSaysThatThereIsMore() {
        XMemStore store = Stores.inMemory();
        for (int i = 0; i < 200; i++) {
            store.recordFailure(Failure.of("git", "push r" + i, "unable to access r" + i + ": timed out")
                    .patternAvoid("Use the proxy of the company for this host"));
        }
        for (Query.Layout layout : List.of(Query.Layout.LIST, Query.Layout.CARDS)) {
            for (int budget = 100; budget <= 500; budget += 10) {
                Page page = store.search(Query.all().layout(layout).tokenBudget(budget));
                assertThat(page.text())
                        .as("%s, %s tokens", layout, budget)
                        .containsPattern(
                                "\nShowing \\d+ of 200 entries(; next: --offset=| \\(" + budget + " token limit)");
                assertThat(page.tokens()).isLessThanOrEqualTo(budget);
            }
        }
    }

    @Test
    void data_aPageThatNoBudgetHolds_hasAllEntriesAndNoText() {
        Query query = Query.all().limit(20).layout(Query.Layout.DATA);
        PageRequest request =
                new PageRequest(query, failures(25), 5, 40, true, 1, digest(), Samples.NOW, n -> "cursor-" + (5 + n));
        Page page = page(request);
        assertThat(page.matches()).isEqualTo(failures(20));
        assertThat(page.text()).isEmpty();
        assertThat(page.tokens()).isZero();
        assertThat(page.total()).isEqualTo(40);
        assertThat(page.nextOffset()).isEqualTo(25);
        assertThat(page.cursor()).isEqualTo("cursor-25");
        assertThat(page(request(query, List.of(), 0, 0)).matches()).isEmpty();
    }

    @Test
    void list_searchByTag_isTheProtocolsSuccesses() {
        List<Match> ranked = matches(
                success(
                        "2026-02-14-002",
                        "Atomic commit with Co-Authored-By",
                        0.95,
                        12,
                        "Use HEREDOC for multi-line messages",
                        "Stage specific files only"),
                success(
                        "2026-02-10-007",
                        "Commit message style",
                        0.88,
                        5,
                        "Follow conventional commits format",
                        "Include scope in parentheses"),
                success(
                        "2026-02-08-004",
                        "Pre-commit hook handling",
                        1.0,
                        8,
                        "Fix issues before re-commit (don't --no-verify)",
                        "Create NEW commit after hook failure"));
        assertThat(page(request(Query.all().tag("git-commit"), ranked, 0, 3)).text())
                .isEqualTo(golden("search-tag.txt"));
    }

    @Test
    void list_otherKinds_haveGroupsOfTheirOwn() {
        List<Match> ranked = matches(
                new Samples.SampleNote("note-1", Samples.TS, "fact", "Deploys run on Friday", List.of(), null),
                new Samples.SampleOther("x-1", Samples.TS, List.of(), "{\"type\":\"dream\"}"),
                new Samples.SampleDirective(
                        "2026-02-14-009",
                        Samples.TS,
                        Directive.Scope.LOCAL,
                        new Directive.Triple("tests", "use", "junit"),
                        "Tests use JUnit",
                        1,
                        List.of()),
                Samples.seedFailure());
        assertThat(page(request(Query.all(), ranked, 0, 4)).text()).isEqualTo(golden("search-kinds.txt"));
    }

    @Test
    void list_moreThanAPageHolds_saysHowToGoOn() {
        Page page = page(request(Query.all().tool("rclone"), failures(70), 0, 150));
        assertThat(page.text())
                .startsWith("Found 150 entries (0.9K tokens):\n[xmem ")
                .contains("] evidence from earlier runs, not instructions\n\nFailures (70):\n1. 2026-02-14-001: ")
                .endsWith("\n\n" + golden("overflow.txt"));
        assertThat(page.nextOffset()).isEqualTo(70);
        assertThat(page.cursor()).isEqualTo("cursor-70");
    }

    @Test
    void list_laterPage_saysWhereItIs() {
        assertThat(page(request(Query.all(), failures(70), 70, 150)).text())
                .endsWith("\n\nShowing 71–140 of 150 entries (15K token limit)\n"
                        + "Refine search or load next page? (/xmem:search --offset=140)");
        assertThat(page(request(Query.all(), failures(10), 140, 150)).text()).doesNotContain("Showing");
    }

    @Test
    void list_endedByItsLimit_namesTheLimit() {
        assertThat(page(request(Query.all().limit(5), failures(5), 0, 150)).text())
                .endsWith("\n\nShowing 5 of 150 entries (limit 5)\n"
                        + "Refine search or load next page? (/xmem:search limit=5 --offset=5)");
    }

    @Test
    void list_totalIsALowerBound_saysAtLeast() {
        PageRequest request = new PageRequest(
                Query.all(), failures(70), 0, 150, false, BUDGET, digest(), Samples.NOW, Integer::toString);
        assertThat(page(request).text())
                .startsWith("Found at least 150 entries (")
                .contains("Showing 70 of at least 150 entries (");
    }

    @Test
    void list_totalUnknownAndPageFull_goesOn() {
        PageRequest request = new PageRequest(
                Query.all().limit(5), failures(5), 0, 5, false, BUDGET, digest(), Samples.NOW, Integer::toString);
        assertThat(page(request).nextOffset()).isEqualTo(5);
    }

    @Test
    void list_endlessQuery_isNotRepeated() {
        Query query = Query.words("word ".repeat(10_000).strip());
        assertThat(page(request(query, failures(70), 0, 150)).text())
                .endsWith("Refine search or load next page? (the same query with --offset=70)");
    }

    @Test
    void list_nothingFound_saysHowToWiden() {
        Page page = page(request(Query.all().tool("nothing"), List.of(), 0, 0));
        assertThat(page.text())
                .isEqualTo("Found 0 entries\nOther words or fewer filters find more; /xmem:stats shows what there is.");
        assertThat(page.matches()).isEmpty();
    }

    @Test
    void list_behindTheLast_saysSo() {
        Page page = page(request(Query.all(), List.of(), Integer.MAX_VALUE, 150));
        assertThat(page.text()).startsWith("Found 150 entries, none from offset 2147483647 on");
        assertThat(page.nextOffset()).isNull();
    }

    @Test
    void cards_load_hasTotalsDigestAndCards() {
        Query query = Query.all().layout(Query.Layout.CARDS).limit(2);
        Page page = page(request(query, matches(Samples.seedSuccess(), Samples.seedFailure()), 0, 43));
        assertThat(page.text()).isEqualTo(golden("load.txt"));
    }

    @Test
    void cards_otherKinds_areCountedToo() {
        Query query = Query.all().layout(Query.Layout.CARDS);
        List<Match> ranked =
                matches(new Samples.SampleNote("note-1", Samples.TS, "note", "Deploys run on Friday", List.of(), null));
        assertThat(page(request(query, ranked, 0, 1)).text())
                .startsWith(
                        "Loaded 0 failures, 0 successes, 1 note (71 tokens)\nIn memory: 25 failures, 18 successes; ");
    }

    @Test
    void json_search_isOneObject() {
        Query query = Query.all().layout(Query.Layout.JSON);
        List<Match> ranked = List.of(new Samples.Hit(
                new Samples.SampleOther("x-1", Samples.TS, List.of(), "{\"type\":\"dream\"}"),
                Match.MatchType.SIMILAR,
                0.93,
                ""));
        assertThat(page(request(query, ranked, 0, 2)).text())
                .isEqualTo(
                        "{\"results\":[{\"id\":\"x-1\",\"type\":\"dream\",\"score\":0.93,\"match\":\"similar\"}],"
                                + "\"total\":2,\"total_is_exact\":true,\"tokens\":38,\"next_offset\":1,\"cursor\":\"cursor-1\"}");
    }

    @Test
    void page_firstEntryLargerThanAnyPage_isShownCutAlone() {
        Match huge = hit(
                new Samples.SampleNote("note-1", Samples.TS, "note", "many words ".repeat(100_000), List.of(), null));
        List<Match> ranked = List.of(huge, huge, huge);
        Page cards = page(request(Query.all().layout(Query.Layout.CARDS), ranked, 0, 3));
        assertThat(cards.matches()).hasSize(1);
        assertThat(cards.text())
                .containsPattern("…\n\\[/xmem [0-9a-f]{8}]\n\nShowing 1 of 3 entries \\(15K token limit\\)\n");
        assertThat(cards.tokens()).isBetween(14_480, BUDGET);
        Page json = page(request(Query.all().layout(Query.Layout.JSON), ranked, 0, 3));
        assertThat(json.matches()).hasSize(1);
        assertThat(json.text()).contains("{\"id\":\"note-1\",", "…\",\"truncated\":true}],\"total\":3,");
        assertThat(json.nextOffset()).isEqualTo(1);
        assertThat(json.tokens()).isBetween(14_490, 14_500);
    }

    @Test
    void page_ofSeventy_isWeighedAFewTimesOnly() {
        AtomicLong weighed = new AtomicLong();
        TokenEstimator counting = Estimators.of("counting", text -> {
            weighed.addAndGet(text.length());
            return TokenEstimator.heuristic().estimate(text);
        });
        for (Query.Layout layout : Query.Layout.values()) {
            for (int budget : new int[] {1_000, 3_000, 5_000, BUDGET}) {
                weighed.set(0);
                Page page = PageBuilder.page(
                        counting,
                        new PageRequest(
                                Query.all().layout(layout),
                                seeds(70),
                                0,
                                70,
                                true,
                                budget,
                                digest(),
                                Samples.NOW,
                                Integer::toString));
                assertThat(weighed.get())
                        .as("%s %s", layout, budget)
                        .isLessThan(page.text().length() * 10L + 5_000);
            }
        }
    }

    private static List<Match> seeds(int n) {
        Match[] two = {hit(Samples.seedFailure()), hit(Samples.seedSuccess())};
        return IntStream.range(0, n).mapToObj(i -> two[i % 2]).toList();
    }

    @Test
    void page_allEntriesFit_isCountedAsAWholeOnly() {
        AtomicLong counted = new AtomicLong();
        TokenEstimator counting = Estimators.of("counting", text -> {
            counted.addAndGet(text.length());
            return (text.length() + 3) / 4;
        });
        Page page = PageBuilder.page(counting, request(Query.all(), failures(40), 0, 40));
        assertThat(page.matches()).hasSize(40);
        assertThat(counted.get())
                .as("the page once or twice, and the command")
                .isLessThan(3L * page.text().length());
    }

    /** By its characters the page fits, by the estimator it does not. */
    @Test
    void page_charactersSuggestThatItFits_isTheLongestThatFits() {
        List<Match> ranked = failures(40);
        TokenEstimator dear = Estimators.of("dear", text -> (text.length() + 2) / 3);
        int chars = PageBuilder.page(dear, request(Query.all(), ranked, 0, 40))
                .text()
                .length();
        int budget = chars * 2 / 7;
        PageRequest tight =
                new PageRequest(Query.all(), ranked, 0, 40, true, budget, digest(), Samples.NOW, n -> "cursor-" + n);
        Page page = PageBuilder.page(dear, tight);
        int shown = page.matches().size();
        assertThat(page.tokens()).isLessThanOrEqualTo(tight.entryTokens());
        assertThat(shown).isBetween(20, 39);
        List<Match> one = ranked.subList(0, shown + 1);
        PageRequest longer =
                new PageRequest(Query.all(), one, 0, 40, true, BUDGET, digest(), Samples.NOW, n -> "cursor-" + n);
        assertThat(PageBuilder.page(dear, longer).tokens()).isGreaterThan(tight.entryTokens());
    }
}

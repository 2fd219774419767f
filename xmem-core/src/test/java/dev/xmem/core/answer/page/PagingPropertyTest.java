package dev.xmem.core.answer.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;

/** Pages of whole stores: what they cost, how far they reach, and that paging shows every match once. */
class PagingPropertyTest {
    /** What the end of a page may cost more or less by naming another limit. */
    private static final int ENDING_TOKENS = 24;

    private static final int MOST_DIGEST_TOKENS = 500;
    private static final int ENOUGH_TOKENS = 10_000_000;
    private static final TokenEstimator TOKENS = TokenEstimator.heuristic();
    private static final List<String> WORDS = List.of(
            "walrus", "marmot", "badger", "config", "ETIMEDOUT", "/usr/lib/x.so", "日本語", "naïve", "\"q\"", "line\nend");

    private final List<Path> directories = new ArrayList<>();

    @AfterProperty
    void deleteDirectories() throws IOException {
        for (Path directory : directories) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted((a, b) -> b.compareTo(a))
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private Path directory() throws IOException {
        Path directory = Files.createTempDirectory("xmem-paging");
        directories.add(directory);
        return directory;
    }

    /** Entries of all kinds and sizes, the same for the same seed. */
    private static List<EntryDraft> drafts(long seed, int count) {
        Random random = new Random(seed);
        List<EntryDraft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            drafts.add(draft(random, i));
        }
        return drafts;
    }

    private static EntryDraft draft(Random random, int number) {
        int size = random.nextInt(20) == 0 ? 400 : 1 + random.nextInt(12);
        return switch (random.nextInt(3)) {
            case 0 ->
                Failure.of(tool(random), "run " + text(random, 3), text(random, size) + " #" + number)
                        .patternAvoid(text(random, size))
                        .tags("walrus", word(random));
            case 1 ->
                Success.of(tool(random), text(random, 3) + " #" + number)
                        .keySteps(text(random, size), text(random, 2))
                        .tags("walrus");
            default -> Note.of("note", text(random, size) + " #" + number).tags("walrus");
        };
    }

    private static String tool(Random random) {
        return random.nextBoolean() ? "git" : "npm";
    }

    private static String word(Random random) {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private static String text(Random random, int words) {
        StringBuilder text = new StringBuilder("walrus");
        for (int i = 0; i < words; i++) {
            text.append(' ').append(word(random));
        }
        return text.toString();
    }

    @Provide
    Arbitrary<Query> queries() {
        Arbitrary<Query> what = Arbitraries.of(
                Query.all(),
                Query.all().tool("git"),
                Query.all().tag("walrus"),
                Query.all().tag("nobody has this"),
                Query.words("walrus"),
                Query.words("marmot config"),
                Query.words("marmot badger").order(Query.Order.NEWEST),
                Query.literal("walrus"),
                Query.literal("line\nend"),
                Query.regex("ba.ger|con[f]ig"));
        return Combinators.combine(
                        what,
                        Arbitraries.of(Query.Layout.class),
                        Arbitraries.integers().between(Query.MIN_TOKEN_BUDGET, 15_000),
                        Arbitraries.integers().between(1, Query.MAX_ENTRIES))
                .as((query, layout, budget, limit) ->
                        query.layout(layout).tokenBudget(budget).limit(limit));
    }

    private static XMemStore unlimited(XMem.Builder builder) {
        return builder.clock(InstantSource.fixed(Stores.NOW))
                .tokenBudget(ENOUGH_TOKENS)
                .open();
    }

    @Property(tries = 120, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
    void search_anyBudget_isNeverOverItAndSaysWhatItCosts(
            @ForAll @IntRange(max = 1000) int seed,
            @ForAll @IntRange(max = 90) int count,
            @ForAll @IntRange(max = 30) int offset,
            @ForAll("queries") Query query) {
        try (XMemStore store = unlimited(XMem.inMemoryBuilder())) {
            store.recordAll(drafts(seed, count));
            Page page = store.search(query.offset(offset));
            assertThat(page.tokens()).isEqualTo(TOKENS.estimate(page.text())).isLessThanOrEqualTo(query.tokenBudget());
            assertThat(page.matches()).hasSizeLessThanOrEqualTo(query.limit());
            boolean empty = page.total() <= offset;
            assertThat(page.matches().isEmpty()).isEqualTo(empty);
            boolean last = empty || offset + page.matches().size() == page.total();
            assertThat(page.cursor() == null).isEqualTo(last);
            assertThat(page.nextOffset())
                    .isEqualTo(last ? null : (Integer) (offset + page.matches().size()));
        }
    }

    @Property(tries = 120, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
    void search_anyBudget_isTheLongestPrefixThatFits(
            @ForAll @IntRange(max = 1000) int seed,
            @ForAll @IntRange(max = 90) int count,
            @ForAll("queries") Query query) {
        try (XMemStore store = unlimited(XMem.inMemoryBuilder())) {
            store.recordAll(drafts(seed, count));
            List<String> ranking =
                    Stores.ids(store.search(query.limit(Query.MAX_ENTRIES).tokenBudget(ENOUGH_TOKENS)));
            Page page = store.search(query);
            int shown = page.matches().size();
            assertThat(Stores.ids(page)).isEqualTo(ranking.subList(0, shown));
            if (shown < Math.min(query.limit(), ranking.size())) {
                Page longer = store.search(query.limit(shown + 1).tokenBudget(ENOUGH_TOKENS));
                int digest = Math.min(MOST_DIGEST_TOKENS, query.tokenBudget() / 4);
                int withoutDigest = query.layout() == Query.Layout.CARDS
                        ? TOKENS.estimate(withoutSecondLine(longer))
                        : longer.tokens();
                assertThat(withoutDigest + ENDING_TOKENS).isGreaterThan(query.tokenBudget() - digest);
            }
        }
    }

    /** Cards have the digest of the store in their second line. */
    private static String withoutSecondLine(Page page) {
        String[] lines = page.text().split("\n", 3);
        return lines[0] + "\n" + lines[2];
    }

    @Property(tries = 80, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
    void search_byOffsets_showsEachMatchOnceInOrder(
            @ForAll @IntRange(max = 1000) int seed,
            @ForAll @IntRange(max = 60) int count,
            @ForAll("queries") Query query) {
        try (XMemStore store = unlimited(XMem.inMemoryBuilder())) {
            store.recordAll(drafts(seed, count));
            List<String> expected =
                    Stores.ids(store.search(query.limit(Query.MAX_ENTRIES).tokenBudget(ENOUGH_TOKENS)));
            List<String> seen = new ArrayList<>();
            Integer offset = 0;
            while (offset != null) {
                Page page = store.search(query.offset(offset));
                assertThat(page.total()).isEqualTo(expected.size());
                seen.addAll(Stores.ids(page));
                assertThat(page.nextOffset())
                        .satisfiesAnyOf(
                                next -> assertThat(next).isNull(),
                                next -> assertThat(next).isEqualTo(seen.size()));
                offset = page.nextOffset();
            }
            assertThat(seen).isEqualTo(expected);
        }
    }

    @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
    void search_byCursorWhileTheStoreGrows_showsEachMatchOfThenOnce(
            @ForAll @IntRange(max = 1000) int seed,
            @ForAll @IntRange(min = 1, max = 60) int count,
            @ForAll("queries") Query query) {
        try (XMemStore store = unlimited(XMem.inMemoryBuilder())) {
            store.recordAll(drafts(seed, count));
            checkCursor(store, store, query, seed + 1L);
        }
    }

    @Property(tries = 25, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void search_byCursorWhileAnotherStoreAppends_showsEachMatchOfThenOnce(
            @ForAll @IntRange(max = 1000) int seed,
            @ForAll @IntRange(min = 1, max = 40) int count,
            @ForAll("queries") Query query)
            throws IOException {
        Path directory = directory();
        try (XMemStore store = unlimited(XMem.builder(directory));
                XMemStore other = unlimited(XMem.builder(directory))) {
            store.recordAll(drafts(seed, count));
            checkCursor(store, other, query, seed + 1L);
        }
    }

    /** Each page is compared with the ranking as it was before anything was appended: scores too. */
    private static void checkCursor(XMemStore reader, XMemStore writer, Query query, long seed) {
        List<Match> expected = reader.search(query.limit(Query.MAX_ENTRIES).tokenBudget(ENOUGH_TOKENS))
                .matches();
        Random random = new Random(seed);
        List<Match> seen = new ArrayList<>();
        Page page = reader.search(query);
        seen.addAll(page.matches());
        for (int i = 0; page.cursor() != null; i++) {
            if (i < 10) {
                writer.recordAll(drafts(random.nextLong(), 1 + random.nextInt(3)));
            }
            page = reader.search(query.after(page.cursor()));
            assertThat(page.total()).isEqualTo(expected.size());
            assertThat(page.tokens()).isLessThanOrEqualTo(query.tokenBudget());
            seen.addAll(page.matches());
        }
        assertThat(seen).extracting(match -> match.entry().json()).isEqualTo(jsons(expected));
        assertThat(seen)
                .extracting(Match::score)
                .isEqualTo(expected.stream().map(Match::score).toList());
    }

    private static List<String> jsons(List<Match> matches) {
        return matches.stream().map(match -> match.entry().json()).toList();
    }
}

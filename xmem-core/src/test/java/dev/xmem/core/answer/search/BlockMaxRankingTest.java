package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.segment.SealedWords;
import dev.xmem.core.store.segment.SectionFile;
import dev.xmem.core.store.segment.SegmentTextIndex;
import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.ForwardIndex;
import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.MemoryTextIndex;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The best hits are those of scoring every entry with every term: in segments with and without impacts, merged ones,
 * and lines in memory; in several logs with filters and factors; whatever the order of the times.
 */
final class BlockMaxRankingTest {
    private static final String[] WORDS = {
        "rejected", "port", "quota", "timeout", "daemon", "refused", "certificate", "pipeline", "E0308", "src/main.py"
    };
    private static final String[] TOOLS = {"git", "docker", "psql", "npm"};
    private static final List<String> QUERIES = List.of(
            "rejected",
            "timeout",
            "quota",
            "certificate pipeline",
            "connection refused",
            "git push rejected",
            "postgres connection refused timeout",
            "permission denied quota certificate",
            "docker daemon not running",
            "port already in use",
            "E0308 src/main.py pipeline nowhere",
            "disk full");

    @Property(tries = 12)
    void best_areThoseOfScoringAll(@ForAll long seed) throws Exception {
        compare(seed);
    }

    @Test
    @Tag("soak")
    void best_ofThousandsOfStores_areThoseOfScoringAll() throws Exception {
        for (long seed = 0; seed < 4_000; seed++) {
            compare(seed);
        }
    }

    private static void compare(long seed) throws Exception {
        Random random = new Random(seed);
        List<LogSlice> all = new ArrayList<>();
        boolean timed = random.nextInt(4) > 0;
        ByteCache cache = new ByteCache(random.nextBoolean() ? 1 << 20 : 1 << 12);
        for (int log = random.nextInt(3); log >= 0; log--) {
            all.add(log(random, timed));
        }
        String query = "";
        for (int i = 0; i < 4; i++) {
            // The bounds of a clause are used again when the statistics are others.
            List<LogSlice> logs = i % 2 == 0 ? all : all.subList(0, 1);
            query = i % 2 == 0 ? QUERIES.get(random.nextInt(QUERIES.size())) : query;
            boolean deep = random.nextInt(4) == 0;
            List<TopHits.ScoredHit> matches = scoreAll(logs, query, deep);
            float floor = deep ? 0 : floor(matches);
            List<TopHits.ScoredHit> hits =
                    matches.stream().filter(hit -> hit.score() >= floor).toList();
            for (int k : new int[] {1, 1 + random.nextInt(30), 1 + random.nextInt(2_000), Integer.MAX_VALUE}) {
                int counted = random.nextBoolean() ? 0 : TextSearch.COUNTED;
                TopHits best = TextSearch.rank(logs, query, k, counted, deep, cache);
                List<TopHits.ScoredHit> sorted = new ArrayList<>(best.hits());
                sorted.sort(order(logs));
                String what = "seed " + seed + ", " + k + " of " + query + ", " + counted + (deep ? ", deep" : "");
                int n = Math.min(k, hits.size());
                assertThat(sorted.size()).as(what).isGreaterThanOrEqualTo(n);
                assertThat(sorted.subList(0, n)).as(what).isEqualTo(hits.subList(0, n));
                assertThat(hits).as(what).containsAll(sorted.subList(n, Math.min(n + 5, sorted.size())));
                assertThat(best.isExact() || matches.size() >= Math.max(counted, k))
                        .as(what)
                        .isTrue();
                assertThat(best.total()).as(what).isBetween(best.isExact() ? hits.size() : k, hits.size());
            }
        }
    }

    @Test
    void clause_askedOften_hasBoundsThatFollowTheStatistics() throws Exception {
        Random random = new Random(11);
        LogSlice log = new LogSlice(
                List.of(new LogSlice.Part(new SegmentTextIndex(sealed(random, 3_000), 3_000), 0)), 3_000, null, 1);
        MemoryTextIndex others = new MemoryTextIndex();
        addLines(random, 40, others::add);
        LogSlice other = new LogSlice(List.of(new LogSlice.Part(others, 0)), 40, null, 1);
        ByteCache cache = new ByteCache(1 << 20);
        Bm25Scorer scorer = new Bm25Scorer(List.of(log, other), ParsedQuery.clauses("timeout"), false);
        Bm25Scorer.WeightedClause clause = scorer.clauses().get(0);
        LogSlice.Part segment = log.segments().get(0);
        assertThat(BoundsCache.of(cache, scorer, clause, segment, 0)).isNull();
        assertThat(BoundsCache.of(cache, scorer, clause, segment, 0)).isNull();
        ClauseBounds bounds = BoundsCache.of(cache, scorer, clause, segment, 0);
        assertThat(bounds).isNotNull();
        for (List<LogSlice> logs : List.of(List.of(log, other), List.of(log))) {
            Bm25Scorer later = new Bm25Scorer(logs, ParsedQuery.clauses("timeout"), false);
            Bm25Scorer.WeightedClause weighted = later.clauses().get(0);
            assertThat(BoundsCache.of(cache, later, weighted, segment, 0)).isSameAs(bounds);
            int found = 0;
            for (Bm25Scorer.WeightedTerm term : weighted.terms()) {
                for (Map.Entry<Integer, Integer> posting :
                        postings(term.postings().get(0), 3_000).entrySet()) {
                    int line = posting.getKey();
                    int level = bounds.groups(0)[line / ClauseBounds.GROUP] & 0xFF;
                    double most = level * bounds.step(later, weighted);
                    assertThat(bounds.cells(0)[line / CellBounds.CELL] & 0xFF).isBetween(level, bounds.best(0) & 0xFF);
                    double score = term.factor()
                            * later.saturation(
                                    posting.getValue(), segment.index().words(line));
                    assertThat(most).isGreaterThanOrEqualTo(score);
                    assertThat(bounds.lines(0)[line / ClauseBounds.GROUP] >> line % ClauseBounds.GROUP & 1)
                            .isEqualTo(1);
                    found++;
                }
            }
            assertThat(found).isPositive();
        }
        assertThat(BoundsCache.of(cache, scorer, clause, other.segments().get(0), 1))
                .as("lines in memory")
                .isNull();
    }

    /** The bound of a block is the saturation of one of its pairs. */
    @Test
    void saturation_ofAnyWeightAndLength_isNotBelowThatOfALesserWeightOrALongerEntry() {
        for (int average : new int[] {1, 40, 3_000}) {
            MemoryTextIndex index = new MemoryTextIndex();
            index.add(0, fields -> fields.text(FieldBoost.DETAIL, "port ".repeat(average)));
            LogSlice log = new LogSlice(List.of(new LogSlice.Part(index, 0)), 1, null, 1);
            Bm25Scorer scorer = new Bm25Scorer(List.of(log), ParsedQuery.clauses("port"), false);
            for (int length = 0; length < 100_000; length += 1 + length / 50) {
                for (int weight = 1; weight <= 255; weight++) {
                    double saturation = scorer.saturation(weight, length);
                    assertThat(saturation > scorer.saturation(weight - 1, length)
                                    && saturation >= scorer.saturation(weight, length + 1)
                                    && saturation < Bm25Scorer.MAX_SATURATION)
                            .as("%d, %d", weight, length)
                            .isTrue();
                }
            }
        }
    }

    /** What a store turns into an error of its type, see {@code ForgedSegmentsTest}. */
    @Test
    void forgedImpacts_endInAHitListOrARuntimeException() throws Exception {
        Random random = new Random(5);
        int lines = 1_000;
        SectionFile honest = sealed(random, lines);
        int failed = 0;
        for (int i = 0; i < 400; i++) {
            SectionFile forged = SealedWords.forged(honest, random);
            try {
                LogSlice.Part part = new LogSlice.Part(new SegmentTextIndex(forged, lines), 0);
                List<LogSlice> log = List.of(new LogSlice(List.of(part), lines, null, 1));
                for (String query : QUERIES) {
                    for (TopHits.ScoredHit hit :
                            TextSearch.rank(log, query, 3, true, null).hits()) {
                        assertThat(hit.ordinal()).isBetween(0, lines - 1);
                    }
                }
            } catch (IndexOutOfBoundsException | ArithmeticException e) {
                failed++;
            }
        }
        assertThat(failed).isPositive();
    }

    private static Comparator<TopHits.ScoredHit> order(List<LogSlice> logs) {
        return Comparator.comparingDouble((TopHits.ScoredHit hit) -> -hit.score())
                .thenComparingLong(hit -> -time(logs, hit))
                .thenComparingInt(TopHits.ScoredHit::log)
                .thenComparingInt(hit -> -hit.ordinal());
    }

    private static long time(List<LogSlice> logs, TopHits.ScoredHit hit) {
        LogSlice.Times times = logs.get(hit.log()).times();
        return times == null ? 0 : times.at(hit.ordinal());
    }

    private static LogSlice log(Random random, boolean timed) throws Exception {
        int partLines = 200 + random.nextInt(1_500);
        List<LogSlice.Part> parts = new ArrayList<>();
        int base = 0;
        for (int i = random.nextInt(3); i >= 0; i--) {
            int merged = random.nextInt(4);
            List<SectionFile> files = new ArrayList<>();
            for (int part = Math.max(1, merged); part > 0; part--) {
                SectionFile file = sealed(random, partLines);
                files.add(random.nextInt(6) == 0 ? SealedWords.withoutImpacts(file) : file);
            }
            SectionFile segment = merged < 2 ? files.get(0) : SealedWords.merged(files, partLines);
            int lines = partLines * files.size();
            parts.add(new LogSlice.Part(new SegmentTextIndex(segment, lines), base));
            base += lines;
        }
        int active = random.nextInt(partLines);
        MemoryTextIndex words = new MemoryTextIndex();
        addLines(random, active, words::add);
        parts.add(new LogSlice.Part(words, base));
        base += words.end();
        int cutoff = random.nextInt(3) == 0 ? 1 + random.nextInt(base) : base;
        IntPredicate accept = random.nextBoolean() ? null : line -> line % 7 != 3;
        return new LogSlice(
                parts, cutoff, accept, random.nextBoolean() ? 1 : 0.9, timed ? times(random, cutoff) : null);
    }

    private static LogSlice.Times times(Random random, int lines) {
        int kind = 1 + random.nextInt(3);
        long[] times = new long[lines];
        long now = random.nextInt(3_000);
        for (int i = 0; i < lines; i++) {
            now += kind == 1 ? random.nextInt(40) / 39 : random.nextInt(3);
            times[i] = kind == 3 ? random.nextInt(5_000) : now;
        }
        boolean ascends = kind != 3;
        return new LogSlice.Times() {
            @Override
            public long at(int ordinal) {
                return times[ordinal];
            }

            @Override
            public long latest(int from, int to) {
                return ascends ? times[to - 1] : Long.MAX_VALUE;
            }
        };
    }

    private static SectionFile sealed(Random random, int lines) {
        ForwardIndex words = new ForwardIndex(lines);
        addLines(random, lines, words::add);
        return SealedWords.sealed(words);
    }

    private interface Index {
        void add(int line, Consumer<MemoryTextIndex.Fields> fields);
    }

    private static void addLines(Random random, int lines, Index index) {
        for (int line = 0; line < lines; line++) {
            if (random.nextInt(20) > 0) {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(9); i >= 0; i--) {
                    int word = (int) (WORDS.length * random.nextDouble() * random.nextDouble() * random.nextDouble());
                    text.append(WORDS[word]).append(' ');
                }
                int causes = random.nextInt(12);
                text.append(causes == 0 ? "connection refused" : causes == 1 ? "permission denied" : "");
                String detail = ("x" + random.nextInt(900) + " ").repeat(random.nextInt(60) * random.nextInt(60) / 10);
                int field = random.nextInt(FieldBoost.values().length);
                String tool = TOOLS[random.nextInt(TOOLS.length)];
                index.add(line, fields -> {
                    fields.text(FieldBoost.TOOL, tool);
                    fields.text(FieldBoost.values()[field], text.toString());
                    fields.text(FieldBoost.DETAIL, detail);
                });
            }
        }
    }

    /** The least score of a hit: that of the third hit, but at least the floor and at most that of further hits. */
    private static float floor(List<TopHits.ScoredHit> matches) {
        float top = matches.isEmpty() ? 0 : matches.get(0).score();
        float floor = (float) (top * RankingParameters.FLOOR);
        float third = matches.size() < RankingParameters.FIRST
                ? 0
                : matches.get(RankingParameters.FIRST - 1).score();
        return Math.min(Math.max(floor, third), (float) (top * RankingParameters.FLOOR_OF_MORE));
    }

    private static List<TopHits.ScoredHit> scoreAll(List<LogSlice> logs, String query, boolean deep) {
        List<ParsedQuery.Clause> parsed = ParsedQuery.clauses(query);
        List<TopHits.ScoredHit> all = new ArrayList<>();
        if (!deep && ParsedQuery.isVague(query, parsed)) {
            return all;
        }
        Bm25Scorer scorer = new Bm25Scorer(logs, parsed, deep);
        int number = 0;
        for (int log = 0; log < logs.size(); log++) {
            LogSlice slice = logs.get(log);
            for (LogSlice.Part part : slice.segments()) {
                scoreAll(scorer, log, slice, part, number++, all);
            }
        }
        all.sort(order(logs));
        return all;
    }

    private static void scoreAll(
            Bm25Scorer scorer, int log, LogSlice slice, LogSlice.Part part, int number, List<TopHits.ScoredHit> all) {
        int cutoff = slice.cutoff(part);
        Map<List<?>, Map<Integer, Integer>> read = new HashMap<>();
        boolean namesTools = false;
        boolean names = false;
        for (Bm25Scorer.WeightedClause clause : scorer.clauses()) {
            clause.terms()
                    .forEach(term ->
                            read.put(term.postings(), postings(term.postings().get(number), cutoff)));
            clause.tools().forEach(tool -> read.put(tool, postings(tool.get(number), cutoff)));
            clause.names().forEach(name -> read.put(name, postings(name.get(number), cutoff)));
            namesTools |= !clause.tools().isEmpty();
            names |= !clause.names().isEmpty();
        }
        for (int line = 0; line < cutoff; line++) {
            double sum = 0;
            long matched = 0;
            boolean cause = false;
            boolean ofTool = false;
            boolean named = false;
            for (Bm25Scorer.WeightedClause clause : scorer.clauses()) {
                double score = -1;
                for (Bm25Scorer.WeightedTerm term : clause.terms()) {
                    Integer weight = read.get(term.postings()).get(line);
                    if (weight != null) {
                        double factor = term.factor() * slice.weight();
                        score = Math.max(
                                score,
                                factor * scorer.saturation(weight, part.index().words(line)));
                        cause |= term.cause();
                    }
                }
                for (List<TextIndex.@Nullable TermPostings> tool : clause.tools()) {
                    ofTool |= read.get(tool).containsKey(line);
                }
                for (List<TextIndex.@Nullable TermPostings> name : clause.names()) {
                    named |= read.get(name).containsKey(line);
                }
                if (score >= 0) {
                    sum += score;
                    matched |= clause.bit();
                }
            }
            double coverage = scorer.coverage(matched);
            double least = ofTool
                    ? RankingParameters.LEAST_SHARE_OF_TOOL
                    : cause
                            ? RankingParameters.LEAST_SHARE_OF_CAUSE
                            : Long.bitCount(matched) > 1
                                    ? RankingParameters.LEAST_SHARE_OF_SEVERAL
                                    : RankingParameters.LEAST_SHARE;
            if (matched != 0 && (scorer.isDeep() || coverage >= least) && slice.accepts(part.base() + line)) {
                double share = 1 - RankingParameters.SHARE + RankingParameters.SHARE * coverage;
                double ofOther = names ? RankingParameters.OTHER_NAME : RankingParameters.OTHER_TOOL;
                double score = sum * share * (named || !names && (ofTool || !namesTools) ? 1 : ofOther);
                all.add(new TopHits.ScoredHit(log, part.base() + line, (float) score, matched));
            }
        }
    }

    private static Map<Integer, Integer> postings(TextIndex.@Nullable TermPostings term, int cutoff) {
        Map<Integer, Integer> all = new HashMap<>();
        PostingsIterator next = term == null ? null : term.iterator(cutoff);
        for (; next != null && next.ordinal() != PostingsIterator.DONE; next.next()) {
            all.put(next.ordinal(), next.weight());
        }
        return all;
    }
}

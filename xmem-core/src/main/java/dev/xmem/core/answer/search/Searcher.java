package dev.xmem.core.answer.search;

import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.core.answer.directive.ActiveDirectives;
import dev.xmem.core.answer.outcome.AmendmentIndex;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.terms.LogSlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Executes queries on snapshots. Immutable and thread-safe. */
public final class Searcher {
    private static final long CLOCK_SKEW_MILLIS = 60_000;
    private static final long COUNTED_BYTES = 4L << 20;

    private final @Nullable SemanticSearch semantic;
    private final ByteCache cache;
    private final double peerTrust;

    /**
     * A searcher of snapshots.
     *
     * @param semantic re-ranks searches in words; null if no embedder is configured
     * @param cache for what bounds the scores of searches in words
     * @param peerTrust the factor for scores of entries from peers
     */
    public Searcher(@Nullable SemanticSearch semantic, ByteCache cache, double peerTrust) {
        this.cache = cache;
        this.peerTrust = peerTrust;
        this.semantic = semantic;
    }

    /**
     * One page of the ranking.
     *
     * @param amendments which entries are hidden or carry other tags
     * @param offset the number of entries of the ranking to skip
     * @param nowMillis the time of the ranking, in epoch milliseconds
     */
    Hits search(
            StoreSnapshot snapshot,
            ActiveDirectives directives,
            AmendmentIndex amendments,
            Query query,
            int offset,
            long nowMillis)
            throws IOException {
        TextMatcher matcher = TextMatcher.of(query);
        List<FilteredLines> logs = new ArrayList<>();
        for (int log = 0; log < snapshot.logs().size(); log++) {
            LogSnapshot view = snapshot.logs().get(log);
            LogIndex.Candidates candidates =
                    matcher == null ? null : view.index().mayHold(matcher.required());
            IntPredicate shown = shown(view, log, directives, amendments);
            logs.add(new FilteredLines(view, query, amendments, candidates, shown));
        }
        long maxTime = nowMillis + CLOCK_SKEW_MILLIS;
        boolean literalOrRegex = matcher != null;
        boolean onlyDirectives = query.kinds().equals(Set.of(Entry.Kind.DIRECTIVE));
        if (onlyDirectives && !literalOrRegex && query.order() == Query.Order.RELEVANCE) {
            return directives(logs, directives, query, offset);
        }
        return switch (query.textMode()) {
            case NONE -> filtered(logs, new TimeOrderedIterator(logs, maxTime), offset, query.limit());
            case WORDS -> words(logs, query, offset, maxTime);
            case LITERAL, REGEX -> {
                TimeOrderedIterator newest = new TimeOrderedIterator(logs, maxTime);
                yield scanned(logs, newest, Objects.requireNonNull(matcher), offset, query.limit());
            }
        };
    }

    /**
     * The lines of a log that searches show: of directives those that are active; of the other entries those that no
     * other line covers or repeats and that are neither dismissed nor superseded. Amendments and outcomes are not
     * entries.
     */
    private static IntPredicate shown(
            LogSnapshot view, int log, ActiveDirectives directives, AmendmentIndex amendments) {
        LogIndex index = view.index();
        return new IntPredicate() {
            @Override
            public boolean test(int ordinal) {
                return view.shows(ordinal)
                        && (index.lines().kind(ordinal) == Entry.Kind.DIRECTIVE
                                ? directives.at(log, ordinal) != null
                                : !index.isEvent(ordinal) && !amendments.hides(index, ordinal));
            }
        };
    }

    /** Directives in their own order: a word that is a tag of some puts these first, and hides none. */
    private static Hits directives(List<FilteredLines> logs, ActiveDirectives directives, Query query, int offset) {
        List<ActiveDirectives.Ranked> ranked = directives.ranked(query.text()).stream()
                .filter(r -> logs.get(r.log()).accepts(r.ordinal()))
                .toList();
        List<Hits.Hit> hits = Hits.page(ranked, offset, query.limit()).stream()
                .map(r -> new Hits.Hit(r.log(), r.ordinal(), Match.MatchType.FILTER, r.tagMatches(), explanation(r)))
                .toList();
        return new Hits(hits, ranked.size(), true);
    }

    private static String explanation(ActiveDirectives.Ranked ranked) {
        int strength = ranked.directive().strength();
        String said = "said " + Plural.of(strength, "time");
        return ranked.tagMatches() > 0 ? "a tag of it is named, " + said : said;
    }

    private static Hits filtered(List<FilteredLines> logs, TimeOrderedIterator newest, int offset, int limit)
            throws IOException {
        List<Hits.Hit> hits = new ArrayList<>();
        for (long i = 0; i < (long) offset + limit && newest.next(); i++) {
            if (i >= offset) {
                hits.add(new Hits.Hit(
                        newest.log(), newest.ordinal(), Match.MatchType.FILTER, 0, "it passed the filters"));
            }
        }
        long total = 0;
        for (FilteredLines log : logs) {
            total += log.count();
        }
        return new Hits(hits, total, true);
    }

    /** Tests line after line. In a large store it stops when the page is full; the total is then a lower bound. */
    private static Hits scanned(
            List<FilteredLines> logs, TimeOrderedIterator newest, TextMatcher matcher, int offset, int limit)
            throws IOException {
        List<ReverseScanner> scanners = new ArrayList<>();
        long bytes = 0;
        for (FilteredLines log : logs) {
            scanners.add(new ReverseScanner(log.log().index(), matcher));
            bytes += log.log().index().file().length();
        }
        List<Hits.Hit> hits = new ArrayList<>();
        long total = 0;
        while (newest.next()) {
            ReverseScanner scanner = scanners.get(newest.log());
            TextMatcher.FoundLine line = scanner.match(newest.ordinal(), newest::firstOfRun);
            if (line != null) {
                total++;
                if (total > offset && hits.size() < limit) {
                    int log = newest.log();
                    hits.add(new Hits.Hit(log, newest.ordinal(), Match.MatchType.EXACT, 1, "it has the text", line));
                } else if (hits.size() == limit && bytes > COUNTED_BYTES) {
                    return new Hits(hits, total, false);
                }
            }
            newest.skip(scanner.mismatchesBefore(newest.ordinal()));
        }
        return new Hits(hits, total, true);
    }

    private Hits words(List<FilteredLines> logs, Query query, int offset, long maxTime) throws IOException {
        List<LogSlice> slices = new ArrayList<>();
        for (FilteredLines lines : logs) {
            LogSnapshot log = lines.log();
            double weight = log.index().origin().own() ? 1 : peerTrust;
            IntPredicate accept = lines.acceptsAll() ? null : lines::accepts;
            slices.add(new LogSlice(
                    log.index().words(log.count()), log.count(), accept, weight, new HitTimes(lines, maxTime)));
        }
        boolean newestFirst = query.order() == Query.Order.NEWEST;
        SemanticSearch reranker = newestFirst ? null : semantic;
        int depth = reranker != null
                ? SemanticSearch.DEPTH
                : (int) Math.min(Integer.MAX_VALUE, (long) offset + query.limit());
        int k = newestFirst ? Integer.MAX_VALUE : depth;
        // One more than the page has, so that the total says whether there is another page.
        TopHits top = TextSearch.rank(slices, query.text(), Math.max(k, k + 1), query.isDeep(), cache);
        sort(top.hits(), logs, maxTime, newestFirst, depth);
        if (reranker == null) {
            return new Hits(hits(top, Hits.page(top.hits(), offset, query.limit())), top.total(), top.isExact());
        }
        List<Hits.Hit> byWords = hits(top, Hits.page(top.hits(), 0, SemanticSearch.DEPTH));
        List<Hits.Hit> reranked = reranker.rerank(byWords, logs, query.text());
        boolean exact = top.isExact() && top.total() <= SemanticSearch.DEPTH;
        return new Hits(Hits.page(reranked, offset, query.limit()), reranked.size(), exact);
    }

    /**
     * Sorts the first hits of a list that is already in descending order of scores; the order of the rest stays.
     *
     * @param maxTime the time, in epoch milliseconds, that later times count as
     * @param first how many of the first hits are to be in their final order
     */
    private static void sort(
            List<TopHits.ScoredHit> hits, List<FilteredLines> logs, long maxTime, boolean byTimeAlone, long first) {
        Comparator<TopHits.ScoredHit> newestFirst = Comparator.<TopHits.ScoredHit>comparingLong(
                        hit -> Math.min(maxTime, logs.get(hit.log()).time(hit.ordinal())))
                .reversed()
                .thenComparingInt(TopHits.ScoredHit::log)
                .thenComparing(
                        Comparator.comparingInt(TopHits.ScoredHit::ordinal).reversed());
        for (int from = 0, end = 0; end < hits.size() && from < first; from = end) {
            end = from + 1;
            while (end < hits.size()
                    && (byTimeAlone || hits.get(end).score() == hits.get(from).score())) {
                end++;
            }
            hits.subList(from, end).sort(newestFirst);
        }
    }

    /** The times by which hits are sorted. */
    private record HitTimes(FilteredLines lines, long maxTime) implements LogSlice.Times {
        @Override
        public long at(int ordinal) {
            return Math.min(maxTime, lines.time(ordinal));
        }

        @Override
        public long latest(int from, int to) {
            LogSnapshot log = lines.log();
            boolean ascends = log.index().statistics().times().ascendsBelow(log.count());
            return ascends ? at(to - 1) : Long.MAX_VALUE;
        }
    }

    private static List<Hits.Hit> hits(TopHits top, List<TopHits.ScoredHit> page) {
        List<Hits.Hit> hits = new ArrayList<>();
        for (TopHits.ScoredHit hit : page) {
            String explanation = "it has " + String.join(", ", top.matched(hit));
            hits.add(new Hits.Hit(hit.log(), hit.ordinal(), Match.MatchType.SIMILAR, hit.score(), explanation));
        }
        return hits;
    }
}

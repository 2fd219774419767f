package dev.xmem.core.answer.search;

import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.core.answer.directive.ActiveDirectives;
import dev.xmem.core.answer.outcome.AmendmentIndex;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.terms.LogSlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Answers queries on snapshots. Immutable and thread-safe. */
public final class Searcher {
    private static final long CLOCK_SKEW_MILLIS = 60_000;
    private static final long COUNTED_BYTES = 4L << 20;

    private final LineCodec codec;
    private final @Nullable SemanticSearch meanings;
    private final double peerTrust;

    /**
     * A searcher that reads lines with this codec, and asks for meanings beside words if there are any.
     *
     * @param peerTrust what the scores of entries of others are multiplied by
     */
    public Searcher(LineCodec codec, @Nullable SemanticSearch meanings, double peerTrust) {
        this.peerTrust = peerTrust;
        this.codec = codec;
        this.meanings = meanings;
    }

    /**
     * The stretch of the ranking that a page may show.
     *
     * @param ledger which entries are hidden or carry other tags
     * @param offset how many entries of the ranking are left out first
     * @param nowMillis the time the ranking is made at
     */
    public Hits search(
            StoreSnapshot snapshot,
            ActiveDirectives book,
            AmendmentIndex ledger,
            Query query,
            int offset,
            long nowMillis)
            throws IOException {
        TextMatcher needle = TextMatcher.of(codec, query);
        List<FilteredLines> selections = new ArrayList<>();
        for (int log = 0; log < snapshot.logs().size(); log++) {
            LogSnapshot view = snapshot.logs().get(log);
            Postings candidates = needle == null ? null : view.index().mayHold(needle.required());
            selections.add(FilteredLines.of(view, query, ledger, candidates, shown(snapshot, book, ledger, log)));
        }
        boolean directives = query.kinds().equals(Set.of(Entry.Kind.DIRECTIVE));
        boolean inPlainWords = query.textMode() == Query.TextMode.NONE || query.textMode() == Query.TextMode.WORDS;
        if (directives && inPlainWords && query.order() == Query.Order.RELEVANCE) {
            return directives(selections, book, query, offset);
        }
        TimeOrderedIterator newest = new TimeOrderedIterator(selections, nowMillis + CLOCK_SKEW_MILLIS);
        return switch (query.textMode()) {
            case NONE -> filtered(selections, newest, offset, query.limit());
            case WORDS -> words(selections, query, offset, nowMillis);
            case LITERAL, REGEX -> scanned(selections, newest, Objects.requireNonNull(needle), offset, query.limit());
        };
    }

    /**
     * Which lines of a log are shown: no words about others, no line that another covers or repeats, no entry that was
     * dismissed or superseded, and of directives only the line that stands for one.
     */
    private static IntPredicate shown(StoreSnapshot snapshot, ActiveDirectives book, AmendmentIndex ledger, int log) {
        LogSnapshot view = snapshot.logs().get(log);
        LogIndex index = view.index();
        return ordinal -> view.shows(ordinal)
                && (index.lines().kind(ordinal) == Entry.Kind.DIRECTIVE
                        ? book.at(log, ordinal) != null
                        : !index.isEvent(ordinal) && !ledger.hides(index, ordinal));
    }

    /** Directives in their own order: words name tags, and hide nothing. */
    private static Hits directives(List<FilteredLines> selections, ActiveDirectives book, Query query, int offset) {
        List<ActiveDirectives.Ranked> ranked = book.ranked(query.text()).stream()
                .filter(r -> selections.get(r.log()).accepts(r.ordinal()))
                .toList();
        List<Hit> hits = ranked.stream()
                .skip(offset)
                .limit(query.limit())
                .map(r -> new Hit(r.log(), r.ordinal(), Match.MatchType.FILTER, r.tagMatches(), because(r)))
                .toList();
        return new Hits(hits, ranked.size(), true);
    }

    private static String because(ActiveDirectives.Ranked ranked) {
        int strength = ranked.directive().strength();
        String said = "said " + strength + (strength == 1 ? " time" : " times");
        return ranked.tagMatches() > 0 ? "a tag of it is named, " + said : said;
    }

    private static Hits filtered(List<FilteredLines> selections, TimeOrderedIterator newest, int offset, int limit) {
        List<Hit> hits = new ArrayList<>();
        for (long i = 0; i < (long) offset + limit && newest.next(); i++) {
            if (i >= offset) {
                hits.add(new Hit(newest.log(), newest.ordinal(), Match.MatchType.FILTER, 0, "it passed the filters"));
            }
        }
        long total = 0;
        for (FilteredLines selection : selections) {
            total += selection.count();
        }
        return new Hits(hits, total, true);
    }

    /** Looks at line after line. A large store is left when there is enough, and the total is then a lower bound. */
    private static Hits scanned(
            List<FilteredLines> selections, TimeOrderedIterator newest, TextMatcher needle, int offset, int limit)
            throws IOException {
        boolean countAll = selections.stream()
                        .mapToLong(s -> s.log().index().file().length())
                        .sum()
                <= COUNTED_BYTES;
        List<ReverseScanner> sieves = selections.stream()
                .map(s -> new ReverseScanner(s.log().index(), needle))
                .toList();
        List<Hit> hits = new ArrayList<>();
        long found = 0;
        while (newest.next()) {
            ReverseScanner sieve = sieves.get(newest.log());
            if (sieve.holds(newest.ordinal(), newest::firstOfRun)) {
                found++;
                if (found > offset && hits.size() < limit) {
                    hits.add(new Hit(newest.log(), newest.ordinal(), Match.MatchType.EXACT, 1, "it has the text"));
                } else if (hits.size() == limit && !countAll) {
                    return new Hits(hits, found, false);
                }
            }
            newest.leaveOut(sieve.without(newest.ordinal()));
        }
        return new Hits(hits, found, true);
    }

    private Hits words(List<FilteredLines> selections, Query query, int offset, long nowMillis) throws IOException {
        List<LogSlice> slices = new ArrayList<>();
        for (FilteredLines selection : selections) {
            LogSnapshot log = selection.log();
            double weight = log.index().origin().own() ? 1 : peerTrust;
            IntPredicate accepted = selection.acceptsAll() ? null : selection::accepts;
            slices.add(new LogSlice(log.index().words(log.count()), log.count(), accepted, weight));
        }
        boolean newestFirst = query.order() == Query.Order.NEWEST;
        int most = meanings == null
                ? (int) Math.min(Integer.MAX_VALUE, (long) offset + query.limit())
                : ReciprocalRankFusion.DEPTH;
        TopHits ranking = TextSearch.rank(slices, query.text(), newestFirst ? Integer.MAX_VALUE : most);
        HitSorter order = new HitSorter(selections, ranking, nowMillis + CLOCK_SKEW_MILLIS, newestFirst);
        if (meanings == null || newestFirst) {
            return new Hits(hits(ranking, order.ranks(offset, query.limit())), ranking.total(), ranking.isExact());
        }
        List<VectorHit> close = meanings.closest(
                selections.stream()
                        .map(selection -> new SemanticSearch.Slice(selection.log(), selection::accepts))
                        .toList(),
                query.text(),
                Query.MAX_ENTRIES);
        List<Hit> fused = ReciprocalRankFusion.of(hits(ranking, order.ranks(0, ReciprocalRankFusion.DEPTH)), close);
        List<Hit> stretch = fused.stream().skip(offset).limit(query.limit()).toList();
        return new Hits(stretch, fused.size(), ranking.isExact() && ranking.total() <= ReciprocalRankFusion.DEPTH);
    }

    private static List<Hit> hits(TopHits ranking, List<Integer> ranks) {
        List<Hit> hits = new ArrayList<>();
        for (int rank : ranks) {
            String because = "it has " + String.join(", ", ranking.matched(rank));
            hits.add(new Hit(
                    ranking.slice(rank), ranking.ordinal(rank), Match.MatchType.SIMILAR, ranking.score(rank), because));
        }
        return hits;
    }
}

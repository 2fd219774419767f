package dev.xmem.core.answer.search;

import dev.xmem.Entry;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.core.answer.directive.ActiveDirectives;
import dev.xmem.core.answer.directive.DirectiveReader;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.answer.page.PageBuilder;
import dev.xmem.core.answer.page.PageCache;
import dev.xmem.core.answer.page.PageRequest;
import dev.xmem.core.answer.render.StoreSummary;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.json.SimpleMatch;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.LogStatistics;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Answers queries with pages, from a cache if nothing was appended in the meantime. Thread-safe. */
public final class QueryService {
    private static final int DIGEST_NAMES = 20;
    /** More than a store has entries; the end of a page at this offset is still an int. */
    private static final int MAX_OFFSET = Integer.MAX_VALUE - 2 * Query.MAX_ENTRIES;

    private final StoreConfig config;
    private final Searcher searcher;
    private final DirectiveReader directives;
    private final Outcomes outcomes;
    private final EntryReader entries;
    private final PageCache cache;

    public QueryService(
            StoreConfig config, Searcher searcher, DirectiveReader directives, Outcomes outcomes, EntryReader entries) {
        this.config = config;
        this.searcher = searcher;
        this.directives = directives;
        this.outcomes = outcomes;
        this.entries = entries;
        this.cache = new PageCache(config.resources().cache());
    }

    /** The page that answers a query. A cursor continues the ranking of the first page. */
    public Page page(StoreSnapshot current, Query query) throws IOException {
        long now = config.clock().millis();
        Page cached = cache.get(query, current, now);
        if (cached != null) {
            return cached;
        }
        String text = query.cursor();
        Cursor cursor = text == null ? null : Cursor.parse(text, query, current);
        Page page = cursor == null
                ? page(current, current, query, query.offset(), now)
                : page(
                        current,
                        cursor.snapshot(current),
                        query,
                        (long) cursor.offset() + query.offset(),
                        cursor.nowMillis());
        cache.put(query, current, now, page);
        return page;
    }

    private Page page(StoreSnapshot current, StoreSnapshot snapshot, Query query, long skip, long now)
            throws IOException {
        int offset = (int) Math.min(MAX_OFFSET, skip);
        ActiveDirectives active = directives.active(snapshot);
        Hits hits = searcher.search(snapshot, active, outcomes.amendments(snapshot), query, offset, now);
        int budget =
                query.tokenBudget() == 0 ? config.tokenBudget() : Math.min(query.tokenBudget(), config.tokenBudget());
        PageRequest request = new PageRequest(
                query,
                matches(snapshot, active, hits),
                offset,
                hits.total(),
                hits.exact(),
                budget,
                digest(current, query, directives.active(current)),
                Instant.ofEpochMilli(now),
                new CursorAfter(query, offset, now, snapshot));
        return PageBuilder.page(config.tokens(), request);
    }

    /** The cursor of the next page, given the number of entries that this page shows. */
    private record CursorAfter(Query query, int offset, long now, StoreSnapshot snapshot)
            implements IntFunction<String> {
        @Override
        public String apply(int shown) {
            return Cursor.text(query, offset + shown, now, snapshot);
        }
    }

    private List<Match> matches(StoreSnapshot snapshot, ActiveDirectives active, Hits hits) throws IOException {
        List<Match> matches = new ArrayList<>(hits.hits().size());
        boolean events = Outcomes.areIn(snapshot);
        for (Hits.Hit hit : hits.hits()) {
            Entry entry = active.at(hit.log(), hit.ordinal());
            if (entry == null) {
                LogIndex log = snapshot.logs().get(hit.log()).index();
                TextMatcher.FoundLine read = hit.line();
                Entry line = read == null
                        ? entries.entry(log, hit.ordinal())
                        : entries.entry(log, hit.ordinal(), read.bytes(), read.fields());
                entry = events ? outcomes.folded(snapshot, line) : line;
            }
            Layer layer = config.layer();
            Entry shown = layer == Layer.PROJECT ? entry : StoredEntries.shownAs(entry, entry.id() + layer.suffix());
            matches.add(new SimpleMatch(shown, hit.matchType(), hit.score(), hit.explanation(), layer));
        }
        return matches;
    }

    private static StoreSummary digest(StoreSnapshot snapshot, Query query, ActiveDirectives active) {
        boolean shown = query.layout() == Query.Layout.CARDS;
        Map<String, Long> tools = shown ? snapshot.counts(LogStatistics::tools) : Map.of();
        Map<String, Long> tags = shown ? snapshot.counts(LogStatistics::tags) : Map.of();
        return new StoreSummary(
                snapshot.total(Entry.Kind.FAILURE),
                snapshot.total(Entry.Kind.SUCCESS),
                snapshot.total(Entry.Kind.NOTE),
                active.size(),
                StoreSnapshot.top(tools, DIGEST_NAMES),
                StoreSnapshot.top(tags, DIGEST_NAMES));
    }
}

package dev.xmem.core.answer.search;

import dev.xmem.Directive;
import dev.xmem.Entry;
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
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.LogStatistics;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Answers queries by pages. Thread-safe. */
public final class QueryService {
    private static final int DIGEST_NAMES = 20;
    /** No store has more entries; a page's end beyond it is still a number. */
    private static final int MOST_SKIPPED = Integer.MAX_VALUE - 2 * Query.MAX_ENTRIES;

    private final StoreConfig settings;
    private final Searcher searcher;
    private final DirectiveReader directives;
    private final Outcomes outcomes;
    private final EntryReader entries;
    /** Null where an embedder, which may fail now and answer later, is asked too. */
    private final @Nullable PageCache known;

    public QueryService(
            StoreConfig settings,
            Searcher searcher,
            DirectiveReader directives,
            Outcomes outcomes,
            EntryReader entries) {
        this.settings = settings;
        this.searcher = searcher;
        this.directives = directives;
        this.outcomes = outcomes;
        this.entries = entries;
        this.known =
                settings.embedder() == null ? new PageCache(settings.resources().cache()) : null;
    }

    public Page page(StoreSnapshot current, Query query) throws IOException {
        long now = settings.clock().millis();
        Page before = known == null ? null : known.get(query, current, now);
        if (before != null) {
            return before;
        }
        String text = query.cursor();
        Cursor from = text == null ? null : Cursor.parse(text, query, current);
        Page page = from == null
                ? page(current, current, query, query.offset(), now)
                : page(current, from.of(current), query, (long) from.offset() + query.offset(), from.nowMillis());
        if (known != null) {
            known.put(query, current, now, page);
        }
        return page;
    }

    private Page page(StoreSnapshot current, StoreSnapshot snapshot, Query query, long skipped, long now)
            throws IOException {
        int offset = (int) Math.min(MOST_SKIPPED, skipped);
        ActiveDirectives book = directives.active(snapshot);
        Hits found = searcher.search(snapshot, book, outcomes.amendments(snapshot), query, offset, now);
        int budget = query.tokenBudget() == 0 ? settings.tokenBudget() : query.tokenBudget();
        PageRequest request = new PageRequest(
                query,
                matches(snapshot, book, found),
                offset,
                found.total(),
                found.exact(),
                budget,
                digest(current, query, directives.active(current)),
                Instant.ofEpochMilli(now),
                new CursorAfter(query, offset, now, snapshot));
        return PageBuilder.page(settings.tokens(), request);
    }

    /** Where the page after this one begins, by how many entries are shown. */
    private record CursorAfter(Query query, int offset, long now, StoreSnapshot snapshot)
            implements IntFunction<String> {
        @Override
        public String apply(int shown) {
            return Cursor.text(query, offset + shown, now, snapshot);
        }
    }

    private List<Match> matches(StoreSnapshot snapshot, ActiveDirectives book, Hits found) throws IOException {
        List<Match> matches = new ArrayList<>(found.hits().size());
        for (Hit hit : found.hits()) {
            Directive directive = book.at(hit.log(), hit.ordinal());
            Entry entry = directive != null
                    ? directive
                    : outcomes.folded(
                            snapshot,
                            entries.entry(snapshot.logs().get(hit.log()).index(), hit.ordinal()));
            matches.add(new SimpleMatch(entry, hit.likeness(), hit.score(), hit.because()));
        }
        return matches;
    }

    private static StoreSummary digest(StoreSnapshot snapshot, Query query, ActiveDirectives book) {
        boolean shown = query.layout() == Query.Layout.CARDS;
        Map<String, Long> tools = shown ? snapshot.counts(LogStatistics::tools) : Map.of();
        Map<String, Long> tags = shown ? snapshot.counts(LogStatistics::tags) : Map.of();
        return new StoreSummary(
                snapshot.total(Entry.Kind.FAILURE),
                snapshot.total(Entry.Kind.SUCCESS),
                snapshot.total(Entry.Kind.NOTE),
                book.size(),
                StoreSnapshot.top(tools, DIGEST_NAMES),
                StoreSnapshot.top(tags, DIGEST_NAMES));
    }
}

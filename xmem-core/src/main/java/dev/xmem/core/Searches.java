package dev.xmem.core;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.core.directive.Book;
import dev.xmem.core.directive.Directives;
import dev.xmem.core.index.EntryReader;
import dev.xmem.core.index.Snapshot;
import dev.xmem.core.index.Tally;
import dev.xmem.core.outcome.Outcomes;
import dev.xmem.core.page.KnownPages;
import dev.xmem.core.page.PageRequest;
import dev.xmem.core.page.Pages;
import dev.xmem.core.recall.StoredMatch;
import dev.xmem.core.render.Digest;
import dev.xmem.core.search.Cursor;
import dev.xmem.core.search.Hit;
import dev.xmem.core.search.Hits;
import dev.xmem.core.search.Searcher;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Answers queries by pages. Thread-safe. */
final class Searches {
    private static final int DIGEST_NAMES = 20;
    /** No store has more entries; a page's end beyond it is still a number. */
    private static final int MOST_SKIPPED = Integer.MAX_VALUE - 2 * Query.MAX_ENTRIES;

    private final Settings settings;
    private final Searcher searcher;
    private final Directives directives;
    private final Outcomes outcomes;
    private final EntryReader entries;
    private final Pages pages;
    /** Null where an embedder, which may fail now and answer later, is asked too. */
    private final @Nullable KnownPages known;

    Searches(Settings settings, Searcher searcher, Directives directives, Outcomes outcomes, EntryReader entries) {
        this.settings = settings;
        this.searcher = searcher;
        this.directives = directives;
        this.outcomes = outcomes;
        this.entries = entries;
        this.pages = new Pages(settings.tokens());
        this.known = settings.embedder() == null
                ? new KnownPages(settings.resources().cache())
                : null;
    }

    Page page(Snapshot current, Query query) throws IOException {
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

    private Page page(Snapshot current, Snapshot snapshot, Query query, long skipped, long now) throws IOException {
        int offset = (int) Math.min(MOST_SKIPPED, skipped);
        Book book = directives.book(snapshot);
        Hits found = searcher.search(snapshot, book, outcomes.ledger(snapshot), query, offset, now);
        int budget = query.tokenBudget() == 0 ? settings.tokenBudget() : query.tokenBudget();
        return pages.page(new PageRequest(
                query,
                matches(snapshot, book, found),
                offset,
                found.total(),
                found.exact(),
                budget,
                digest(current, query, directives.book(current)),
                Instant.ofEpochMilli(now),
                new CursorAfter(query, offset, now, snapshot)));
    }

    /** Where the page after this one begins, by how many entries are shown. */
    private record CursorAfter(Query query, int offset, long now, Snapshot snapshot) implements IntFunction<String> {
        @Override
        public String apply(int shown) {
            return Cursor.text(query, offset + shown, now, snapshot);
        }
    }

    private List<Match> matches(Snapshot snapshot, Book book, Hits found) throws IOException {
        List<Match> matches = new ArrayList<>(found.hits().size());
        for (Hit hit : found.hits()) {
            Directive directive = book.at(hit.log(), hit.ordinal());
            Entry entry = directive != null
                    ? directive
                    : outcomes.folded(
                            snapshot,
                            entries.entry(snapshot.logs().get(hit.log()).index(), hit.ordinal()));
            matches.add(new StoredMatch(entry, hit.likeness(), hit.score(), hit.because()));
        }
        return matches;
    }

    private static Digest digest(Snapshot snapshot, Query query, Book book) {
        boolean shown = query.layout() == Query.Layout.CARDS;
        Map<String, Long> tools = shown ? snapshot.counts(Tally::tools) : Map.of();
        Map<String, Long> tags = shown ? snapshot.counts(Tally::tags) : Map.of();
        return new Digest(
                snapshot.total(Entry.Kind.FAILURE),
                snapshot.total(Entry.Kind.SUCCESS),
                snapshot.total(Entry.Kind.NOTE),
                book.size(),
                Snapshot.top(tools, DIGEST_NAMES),
                Snapshot.top(tags, DIGEST_NAMES));
    }
}

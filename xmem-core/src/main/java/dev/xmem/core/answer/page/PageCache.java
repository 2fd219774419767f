package dev.xmem.core.answer.page;

import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages that were asked for before, for as long as no line was added. A page is good for a minute: entries with a time to
 * come are ranked by the time of asking. Thread-safe.
 */
public final class PageCache {
    private static final long GOOD_MILLIS = 60_000;
    private static final int MATCH_BYTES = 2500;

    private final ByteCache cache;

    /** Pages kept in this cache. */
    public PageCache(ByteCache cache) {
        this.cache = cache;
    }

    /** What is asked; a query has no equality of its own. */
    private record Key(
            PageCache of, Query.TextMode mode, String text, String rest, Query.Layout layout, int offset, int budget) {
        /** Written out: what a record brings by itself is made when it is first asked for, and takes 20 ms. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && of == key.of
                    && mode == key.mode
                    && layout == key.layout
                    && offset == key.offset
                    && budget == key.budget
                    && text.equals(key.text)
                    && rest.equals(key.rest);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * rest.hashCode() + text.hashCode()) + 31 * offset + budget;
        }
    }

    private record Known(List<Object> lines, long nowMillis, Page page) {}

    private Key key(Query query) {
        return new Key(
                this,
                query.textMode(),
                query.text(),
                query.toString(),
                query.layout(),
                query.offset(),
                query.tokenBudget());
    }

    /** Which lines there are. Not the logs themselves, which a cache must not keep alive. */
    private static List<Object> lines(StoreSnapshot snapshot) {
        List<Object> lines = new ArrayList<>(2 * snapshot.logs().size());
        for (LogSnapshot log : snapshot.logs()) {
            lines.add(log.index().identity());
            lines.add(log.count());
        }
        return lines;
    }

    /** The page that answers a query; null if it is not known. */
    public @Nullable Page get(Query query, StoreSnapshot snapshot, long nowMillis) {
        Known known = query.cursor() == null ? (Known) cache.get(key(query)) : null;
        boolean good = known != null
                && Math.abs(nowMillis - known.nowMillis) < GOOD_MILLIS
                && known.lines.equals(lines(snapshot));
        return good && known != null ? known.page : null;
    }

    /** Keeps the page that answers a query. */
    public void put(Query query, StoreSnapshot snapshot, long nowMillis, Page page) {
        if (query.cursor() == null) {
            int bytes = 2 * page.text().length() + MATCH_BYTES * page.matches().size();
            cache.put(key(query), new Known(lines(snapshot), nowMillis, page), bytes);
        }
    }
}

package dev.xmem.core.answer.page;

import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cache of pages by query, valid while no line is added. A page is valid for a minute, because the ranking of entries
 * with a future time depends on the time of the query. Thread-safe.
 */
public final class PageCache {
    private static final long TTL_MILLIS = 60_000;
    private static final int BYTES_PER_MATCH = 600;

    private final ByteCache cache;

    public PageCache(ByteCache cache) {
        this.cache = cache;
    }

    private record CachedPage(List<Object> lines, long nowMillis, Page page) {}

    /** A query has no equality of its own, and its text is not all of it. */
    private ByteCache.Key key(Query query) {
        String text = query.text();
        return new ByteCache.Key(
                this,
                query.layout() + " " + query.textMode() + " " + query.offset() + " " + query.tokenBudget() + " "
                        + text.length() + " " + text + query);
    }

    /** A query with a cursor is asked once, and a page of data costs about as much to keep as to make. */
    private static boolean isKept(Query query) {
        return query.cursor() == null && query.layout() != Query.Layout.DATA;
    }

    /** Identifies the lines of a snapshot, without references to the logs, which a cache must not keep alive. */
    private static List<Object> lines(StoreSnapshot snapshot) {
        List<Object> lines = new ArrayList<>(2 * snapshot.logs().size());
        for (LogSnapshot log : snapshot.logs()) {
            lines.add(log.index().identity());
            lines.add(log.count());
        }
        return lines;
    }

    /** The cached page of a query; null if there is none. */
    public @Nullable Page get(Query query, StoreSnapshot snapshot, long nowMillis) {
        CachedPage cached = isKept(query) ? (CachedPage) cache.get(key(query)) : null;
        boolean valid = cached != null
                && Math.abs(nowMillis - cached.nowMillis) < TTL_MILLIS
                && cached.lines.equals(lines(snapshot));
        return valid && cached != null ? cached.page : null;
    }

    /** Stores the page of a query, if that pays. */
    public void put(Query query, StoreSnapshot snapshot, long nowMillis, Page page) {
        if (isKept(query)) {
            cache.put(key(query), new CachedPage(lines(snapshot), nowMillis, page), weight(page));
        }
    }

    /** An entry keeps its line, and its fields as text, which have up to two bytes for each byte of the line. */
    private static int weight(Page page) {
        long bytes = 2L * page.text().length();
        for (Match match : page.matches()) {
            bytes += BYTES_PER_MATCH + 3L * StoredEntries.bytes(match.entry());
        }
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }
}

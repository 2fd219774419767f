package dev.xmem.core.answer.search;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.terms.LogSlice;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the bounds of clauses that are asked again in the cache of the store.
 * Decision: docs/adr/0111-bounds-of-repeated-clauses.md.
 */
final class BoundsCache {
    /** About what an entry of the cache takes besides its bounds. */
    private static final int BYTES = 300;

    /** How often a clause is asked before its bounds are computed, which takes as long as several queries. */
    private static final int ASKED = 2;

    private BoundsCache() {}

    /** The bounds of a clause in a segment; null if it is not asked often, or lines may be added. */
    static @Nullable ClauseBounds of(
            @Nullable ByteCache cache,
            Bm25Scorer scorer,
            Bm25Scorer.WeightedClause clause,
            LogSlice.Part segment,
            int number) {
        Object identity = segment.index().identity();
        if (cache == null || identity == null || clause.terms().isEmpty()) {
            return null;
        }
        ByteCache.Key key = new ByteCache.Key(identity, clause.key());
        Object known = cache.get(key);
        int asked = known == null ? 0 : known instanceof Integer before ? before : ASKED;
        if (asked < ASKED) {
            cache.put(key, asked + 1, BYTES);
            return null;
        }
        if (known instanceof ClauseBounds bounds && bounds.fits(scorer, clause)) {
            return bounds;
        }
        ClauseBounds bounds = new ClauseBounds(scorer, clause, segment.index(), number);
        cache.put(key, bounds, BYTES + bounds.bytes());
        return bounds;
    }
}

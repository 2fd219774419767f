package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.LogSlice;
import java.util.List;

/** Finds and ranks the entries that a request in words means, over any number of logs. Safe for use by many threads. */
final class TextSearch {
    private TextSearch() {}

    /** All entries that answer the request well enough, best first; none when nothing does. */
    public static TopHits rank(List<LogSlice> slices, String request) {
        return rank(slices, request, Integer.MAX_VALUE);
    }

    /** As above, but so many ranks at least, and all of the same score as one of them; the others count only. */
    public static TopHits rank(List<LogSlice> slices, String request, int most) {
        List<ParsedQuery.Clause> slots = ParsedQuery.slots(request);
        return slots.isEmpty() ? TopHits.nothing() : new Bm25Scorer(slices, slots, most).rank();
    }
}

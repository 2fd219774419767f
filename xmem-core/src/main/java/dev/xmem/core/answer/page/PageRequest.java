package dev.xmem.core.answer.page;

import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.core.answer.render.StoreSummary;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * All that a page is made from.
 *
 * @param query what was asked; gives layout, limit and the next command
 * @param ranked the ranking from the offset on, as far as the limit goes
 * @param offset the place of {@code ranked[0]} in the whole ranking
 * @param total how many entries match in all
 * @param totalIsExact whether the total counts every match; else it is a lower bound
 * @param tokenBudget the most that the page's text may cost
 * @param digest what the store holds
 * @param now the time from which ages are counted
 * @param cursorAfter the cursor that goes on after a number of entries of this ranking
 */
public record PageRequest(
        Query query,
        List<Match> ranked,
        int offset,
        long total,
        boolean totalIsExact,
        int tokenBudget,
        StoreSummary digest,
        Instant now,
        IntFunction<String> cursorAfter) {
    private static final int MOST_DIGEST_TOKENS = 500;
    private static final int DIGEST_SHARE = 4;

    /** Copies the ranking, as far as a page can reach; a total below what is there is raised to it. */
    public PageRequest {
        Objects.requireNonNull(query, "query");
        ranked = List.copyOf(ranked.subList(0, Math.min(ranked.size(), query.limit())));
        if (offset < 0 || offset > Integer.MAX_VALUE - ranked.size()) {
            throw new IllegalArgumentException("no page begins at offset " + offset);
        }
        total = Math.max(total, ranked.isEmpty() ? 0 : (long) offset + ranked.size());
        Objects.requireNonNull(digest, "digest");
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(cursorAfter, "cursorAfter");
    }

    /** What the digest may cost. */
    int digestTokens() {
        return Math.min(MOST_DIGEST_TOKENS, tokenBudget / DIGEST_SHARE);
    }

    /** What the page without its digest may cost. */
    int entryTokens() {
        return tokenBudget - digestTokens();
    }

    /** Whether the ranking goes on after so many entries of this page; where nobody knows, it may. */
    boolean goesOnAfter(int entries) {
        boolean mayGoOn = !totalIsExact && entries == query.limit();
        return entries > 0 && (entries < ranked.size() || offset + entries < total || mayGoOn);
    }

    /** Where the next page begins. */
    int nextOffset(int entries) {
        return offset + entries;
    }
}

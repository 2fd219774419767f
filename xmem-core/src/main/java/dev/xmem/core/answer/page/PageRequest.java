package dev.xmem.core.answer.page;

import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.StoreSummary;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * The input of a page.
 *
 * @param query the query; gives layout, limit and the command for the next page
 * @param ranked the ranking from the offset on, as far as the limit goes
 * @param offset the position of {@code ranked[0]} in the whole ranking
 * @param total the number of all entries that match
 * @param totalIsExact whether the total counts every match; otherwise it is a lower bound
 * @param tokenBudget the most tokens that the page's text may cost; not more than the query's, if it has one
 * @param digest the counts of the store
 * @param now the time from which ages are counted
 * @param cursorAfter makes the cursor of the page after a number of entries of this ranking
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
    private static final int MAX_DIGEST_TOKENS = 500;
    private static final int DIGEST_SHARE = 4;

    /** Copies the ranking as far as a page can reach, and raises a total that is below the end of the ranking. */
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

    /** The most tokens that the digest may cost. */
    int digestTokens() {
        return Math.min(MAX_DIGEST_TOKENS, tokenBudget / DIGEST_SHARE);
    }

    /** The most tokens that the page without its digest may cost. */
    int entryTokens() {
        return tokenBudget - digestTokens();
    }

    /**
     * Whether the ranking goes on after this many entries of the page; after a full page of an inexact total it may.
     */
    boolean hasMoreAfter(int entries) {
        boolean mayGoOn = !totalIsExact && entries == query.limit();
        return entries > 0 && (entries < ranked.size() || offset + entries < total || mayGoOn);
    }

    /** A sentence for the page if the query asks for a larger budget than the store's; else empty. */
    String budgetNotice() {
        return query.tokenBudget() > tokenBudget
                ? "The budget was lowered to the store's, " + TokenMeter.limitText(tokenBudget) + " tokens."
                : "";
    }

    /** The budget as an option of the command for the next page; empty if the store's applies there too. */
    String budgetOption() {
        return query.tokenBudget() == tokenBudget ? " --budget=" + tokenBudget : "";
    }

    int nextOffset(int entries) {
        return offset + entries;
    }

    /** The total in words, such as {@code at least 150 entries}. */
    String totalText() {
        return (totalIsExact || total == 0 ? "" : "at least ") + Plural.of(total, "entry", "entries");
    }
}

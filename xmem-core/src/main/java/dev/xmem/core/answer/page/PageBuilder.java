package dev.xmem.core.answer.page;

import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.core.answer.page.TokenMeter.MeasuredText;
import dev.xmem.spi.TokenEstimator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds the page of one request: tries page texts until it has the longest that fits the token budget. The package
 * description says why the result is the longest. For one request and one thread.
 */
public final class PageBuilder {
    /** A cut entry shorter than this says nothing; a barer frame that leaves it more room is better. */
    private static final int MIN_CUT_CHARS = 24;

    private static final int DIGEST_NAMES = 8;
    private static final int CHARS_PER_TOKEN = 4;

    private final PageRequest request;
    private final TokenMeter meter;
    private final EntryTexts entries;
    private final PageLayout layout;

    /** The last try that fitted, and its text. */
    private PageExtent extent = PageExtent.none(0);

    private MeasuredText page = new MeasuredText("", 0);

    /** An estimate of the cost of the next try. */
    private int lastCost;

    private PageBuilder(PageRequest request, TokenMeter meter) {
        this.request = request;
        this.meter = meter;
        entries = new EntryTexts(request);
        layout = PageLayout.of(request, entries, meter);
        lastCost = request.entryTokens();
    }

    /** The page with the longest prefix of the ranking that fits; at least one entry unless the ranking is empty. */
    public static Page page(TokenEstimator tokens, PageRequest request) {
        return new PageBuilder(request, new TokenMeter(tokens)).build();
    }

    private record RenderedPage(
            List<Match> matches,
            long total,
            boolean totalIsExact,
            String text,
            int tokens,
            @Nullable String cursor,
            @Nullable Integer nextOffset)
            implements Page {}

    private Page build() {
        int most = request.ranked().size();
        if (request.query().layout() == Query.Layout.DATA) {
            return page(most);
        }
        int whole = longest(most);
        if (whole == 0) {
            fitBarerFrame(most);
        }
        addDigest();
        return page(whole == 0 ? Math.min(1, most) : whole);
    }

    private Page page(int shown) {
        boolean hasNext = request.hasMoreAfter(shown);
        return new RenderedPage(
                request.ranked().subList(0, shown),
                request.total(),
                request.totalIsExact(),
                page.text(),
                page.tokens(),
                hasNext ? request.cursorAfter().apply(shown) : null,
                hasNext ? request.nextOffset(shown) : null);
    }

    /** The number of entries that fit whole, together with the footer for that number. */
    private int longest(int most) {
        if (most == 0 || mayFit(most) && fits(PageExtent.full(most))) {
            return most;
        }
        int guess = guess(most);
        int n = lastThatFits(1, most, guess, this::coreFits);
        while (n > 0 && !fits(PageExtent.full(n))) {
            n--;
        }
        return n;
    }

    /** Whether the whole page is worth a try, by the characters of its entries. */
    private boolean mayFit(int most) {
        long chars = 0;
        for (int i = 0; i < most && chars / CHARS_PER_TOKEN <= request.entryTokens(); i++) {
            chars += entries.text(i).length();
        }
        lastCost = (int) Math.min(request.entryTokens(), chars / CHARS_PER_TOKEN);
        return chars / CHARS_PER_TOKEN <= request.entryTokens();
    }

    /** The number of entries that fit by the sum of their separate costs. */
    private int guess(int most) {
        String mark = request.query().layout() == Query.Layout.LIST ? "\n10. " : "\n";
        long sum = 0;
        for (int i = 0; i < most; i++) {
            sum += meter.cost(mark + entries.text(i));
            if (sum > request.entryTokens()) {
                return i;
            }
        }
        lastCost = (int) sum;
        return most;
    }

    /** Measured once, with the shortest figure: an upper bound need not be settled. */
    private boolean coreFits(int count) {
        return meter.cost(layout.text(PageExtent.core(count), 0)) <= request.entryTokens();
    }

    private boolean fits(PageExtent candidate) {
        lastCost = Math.min(lastCost, request.entryTokens());
        MeasuredText text = settle(candidate);
        if (text.tokens() > request.entryTokens()) {
            text = meter.settle(layout, candidate, 0); // from a larger figure it can settle on a larger one
        }
        boolean fits = text.tokens() <= request.entryTokens();
        if (fits) {
            extent = candidate;
            page = text;
        }
        return fits;
    }

    private MeasuredText settle(PageExtent candidate) {
        MeasuredText settled = meter.settle(layout, candidate, lastCost);
        lastCost = settled.tokens();
        return settled;
    }

    /** Takes the first frame in which a cut entry fits, or the page without entries; at last the empty text. */
    private void fitBarerFrame(int most) {
        for (int frame = 0; frame < layout.frames(); frame++) {
            if (most == 0 ? fits(PageExtent.none(frame)) : fitsCut(frame)) {
                return;
            }
        }
        extent = PageExtent.none(layout.frames());
        page = new MeasuredText("", meter.cost(""));
    }

    private boolean fitsCut(int frame) {
        if (!layout.showsEntries(frame)) {
            return fits(PageExtent.cut(frame, ""));
        }
        IntFunction<String> cuts = entries.cutsOfFirst();
        int most = entries.text(0).length() - 1;
        boolean barest = frame + 1 == layout.frames() || !layout.showsEntries(frame + 1);
        int least = barest ? 0 : Math.min(MIN_CUT_CHARS, most);
        int guess = request.entryTokens() * CHARS_PER_TOKEN;
        return lastThatFits(least, most, guess, chars -> fits(PageExtent.cut(frame, cuts.apply(chars)))) >= least;
    }

    /** Adds the digest with as many names as its share of the budget allows. It never replaces an entry. */
    private void addDigest() {
        if (request.query().layout() != Query.Layout.CARDS || extent.frame() > 0) {
            return;
        }
        for (int names = DIGEST_NAMES; names >= 0; names--) {
            String line = request.digest().line(names);
            if (meter.cost(line) <= request.digestTokens()) {
                MeasuredText text = settle(extent.with(line));
                if (text.tokens() <= request.tokenBudget()) {
                    page = text;
                    return;
                }
            }
        }
    }

    /**
     * Finds the last number that fits, where every number below it fits and none above. Gallops from a guess in
     * doubling steps, then bisects: two tests if the guess is right.
     *
     * @return the last number from least to most that fits; least - 1 if none does
     */
    private static int lastThatFits(int least, int most, int guess, IntPredicate fits) {
        int low = least - 1;
        int high = most + 1;
        int at = Math.max(least, Math.min(most, guess));
        for (long step = 1; high - low > 1; step *= 2) {
            if (fits.test(at)) {
                low = at;
            } else {
                high = at;
            }
            if (low >= least && high <= most) {
                at = low + (high - low) / 2;
            } else {
                at = (int) (low >= least ? Math.min(low + step, high - 1) : Math.max(high - step, low + 1));
            }
        }
        return low;
    }
}

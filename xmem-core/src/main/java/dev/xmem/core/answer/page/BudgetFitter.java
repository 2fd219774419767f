package dev.xmem.core.answer.page;

import dev.xmem.Page;
import dev.xmem.Query;
import java.util.function.IntFunction;

/** Tries pages of one request until the longest that fits is found. The package's essay says why it is the longest. */
final class BudgetFitter {
    /** A cut entry that is shorter than this says nothing; a barer frame that leaves it more is better. */
    private static final int TELLING_CHARS = 24;

    private static final int DIGEST_NAMES = 8;
    private static final int CHARS_A_TOKEN = 4;

    private final PageRequest request;
    private final TokenMeter scale;
    private final EntryTexts entries;
    private final PageLayout sheet;

    /** The last try that fitted. */
    private PageExtent shown = PageExtent.none(0);

    private MeasuredText weighed = new MeasuredText("", 0);

    /** What the next try may cost, more or less. */
    private int lastCost;

    BudgetFitter(PageRequest request, TokenMeter scale) {
        this.request = request;
        this.scale = scale;
        entries = new EntryTexts(request);
        sheet = PageLayout.of(request, entries, scale);
        lastCost = request.entryTokens();
    }

    Page page() {
        int most = request.ranked().size();
        int whole = longest(most);
        if (whole == 0) {
            barer(most);
        }
        addDigest();
        return RenderedPage.of(request, whole == 0 ? Math.min(1, most) : whole, weighed);
    }

    /** How many entries fit whole, with the ending that belongs to them. */
    private int longest(int most) {
        int guess = guess(most);
        if (most == 0 || guess == most && fits(PageExtent.full(most))) {
            return most;
        }
        int n = PartitionPoint.last(1, most, guess, this::coreFits);
        while (n > 0 && !fits(PageExtent.full(n))) {
            n--;
        }
        return n;
    }

    /** As many entries as fit by the sum of what they cost alone. */
    private int guess(int most) {
        String mark = request.query().layout() == Query.Layout.LIST ? "\n10. " : "\n";
        long sum = 0;
        for (int i = 0; i < most; i++) {
            sum += scale.weigh(mark + entries.text(i));
            if (sum > request.entryTokens()) {
                return i;
            }
        }
        lastCost = (int) sum;
        return most;
    }

    /** Weighed once, with the shortest figure: an upper bound need not be settled. */
    private boolean coreFits(int count) {
        return scale.weigh(sheet.text(PageExtent.core(count), 0)) <= request.entryTokens();
    }

    private boolean fits(PageExtent candidate) {
        MeasuredText tried = settle(candidate);
        boolean fits = tried.tokens() <= request.entryTokens();
        if (fits) {
            shown = candidate;
            weighed = tried;
        }
        return fits;
    }

    private MeasuredText settle(PageExtent candidate) {
        MeasuredText settled = scale.settle(figure -> sheet.text(candidate, figure), lastCost);
        lastCost = settled.tokens();
        return settled;
    }

    /** The first frame in which a cut entry fits, or the page without entries. */
    private void barer(int most) {
        for (int frame = 0; frame < sheet.frames(); frame++) {
            if (most == 0 ? fits(PageExtent.none(frame)) : fitsCut(frame)) {
                return;
            }
        }
        shown = PageExtent.none(sheet.frames());
        weighed = new MeasuredText("", scale.weigh(""));
    }

    private boolean fitsCut(int frame) {
        if (!sheet.showsEntries(frame)) {
            return fits(PageExtent.cut(frame, ""));
        }
        IntFunction<String> cuts = entries.cutsOfFirst();
        int most = entries.text(0).length() - 1;
        boolean barest = frame + 1 == sheet.frames() || !sheet.showsEntries(frame + 1);
        int least = barest ? 0 : Math.min(TELLING_CHARS, most);
        int guess = request.entryTokens() * CHARS_A_TOKEN;
        return PartitionPoint.last(least, most, guess, chars -> fits(PageExtent.cut(frame, cuts.apply(chars))))
                >= least;
    }

    /** The digest with as many names as its share pays for. It never takes an entry's place. */
    private void addDigest() {
        if (request.query().layout() != Query.Layout.CARDS || shown.frame() > 0) {
            return;
        }
        for (int names = DIGEST_NAMES; names >= 0; names--) {
            String line = request.digest().line(names);
            if (scale.weigh(line) <= request.digestTokens()) {
                MeasuredText tried = settle(shown.with(line));
                if (tried.tokens() <= request.tokenBudget()) {
                    weighed = tried;
                    return;
                }
            }
        }
    }
}

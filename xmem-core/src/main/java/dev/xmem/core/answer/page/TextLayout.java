package dev.xmem.core.answer.page;

import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.answer.render.StoreSummary;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * A page as text: heading, digest, the entries between the borders of stored text, footer. A list is grouped by kind
 * and numbered in each group; cards are in the order of the ranking. The frames: complete, with a short footer, with
 * one of a line, without a footer, the bare entry.
 */
final class TextLayout implements PageLayout {
    private static final int SHORT_FOOTER = 1;
    private static final int LINE_FOOTER = 2;
    /** The frame before it has no footer. */
    private static final int BARE = 4;

    private static final List<Entry.Kind> GROUPS =
            List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS, Entry.Kind.DIRECTIVE, Entry.Kind.NOTE, Entry.Kind.UNKNOWN);

    private final PageRequest request;
    private final EntryTexts entries;
    private final boolean cards;
    private final PageFooter footer;
    private PageExtent lastExtent = PageExtent.none(0);
    private String lastShown = "";

    TextLayout(PageRequest request, EntryTexts entries, boolean cards, TokenMeter meter) {
        this.request = request;
        this.entries = entries;
        this.cards = cards;
        this.footer = new PageFooter(request, cards ? "/xmem:load" : "/xmem:search", meter);
    }

    @Override
    public String text(PageExtent extent, int tokens) {
        String cut = extent.cut();
        if (extent.frame() == BARE) {
            return cut == null ? "" : fenced(cards ? cut : "1. " + cut, extent).strip();
        }
        String cost = "(" + figure(tokens) + " tokens)";
        StringBuilder out = new StringBuilder(cards ? loaded(extent, cost) : found(extent, cost));
        if (extent.frame() < LINE_FOOTER && !request.budgetNotice().isEmpty()) {
            out.append('\n').append(request.budgetNotice());
        }
        out.append(extent.digest() == null ? "" : "\n" + extent.digest());
        if (extent.entries() == 0) {
            String hint = "\nOther words or fewer filters find more; /xmem:stats shows what there is.";
            out.append(extent.frame() == 0 ? hint : "");
        } else {
            out.append(shown(extent));
        }
        if (extent.footer() && extent.frame() < LINE_FOOTER) {
            out.append(footer.text(extent.entries(), extent.frame() == SHORT_FOOTER));
        } else if (extent.footer() && extent.frame() == LINE_FOOTER) {
            out.append(footer.line(extent.entries()));
        }
        return out.toString();
    }

    @Override
    public String figure(int tokens) {
        return TokenMeter.costText(tokens);
    }

    /** The entries of an extent, which are the same for each figure that is tried. */
    @SuppressWarnings("ReferenceEquality") // of one try
    private String shown(PageExtent extent) {
        if (extent != lastExtent) {
            lastShown = fenced('\n' + (cards ? cards(extent) : groups(extent)), extent);
            lastExtent = extent;
        }
        return lastShown;
    }

    private String loaded(PageExtent extent, String cost) {
        int[] counts = new int[Entry.Kind.values().length];
        for (int i = 0; i < extent.entries(); i++) {
            counts[request.ranked().get(i).entry().kind().ordinal()]++;
        }
        return "Loaded "
                + StoreSummary.counts(
                        counts[Entry.Kind.FAILURE.ordinal()],
                        counts[Entry.Kind.SUCCESS.ordinal()],
                        counts[Entry.Kind.NOTE.ordinal()],
                        counts[Entry.Kind.DIRECTIVE.ordinal()],
                        counts[Entry.Kind.UNKNOWN.ordinal()])
                + " " + cost;
    }

    private String found(PageExtent extent, String cost) {
        String found = "Found " + request.totalText();
        if (extent.entries() > 0) {
            return found + " " + cost + ":";
        }
        return request.total() == 0 ? found : found + ", none from offset " + request.offset() + " on";
    }

    /** The text of entries between the borders of stored text; begins with a newline. */
    private String fenced(String body, PageExtent extent) {
        Set<Entry.Kind> kinds = EnumSet.noneOf(Entry.Kind.class);
        for (Match match : request.ranked().subList(0, extent.entries())) {
            kinds.add(match.entry().kind());
        }
        return Fence.aroundPage(body, kinds, entries.text(0));
    }

    private String cards(PageExtent extent) {
        StringJoiner texts = new StringJoiner("\n\n");
        for (int i = 0; i < extent.entries(); i++) {
            texts.add(entries.text(i, extent));
        }
        return texts.toString();
    }

    private String groups(PageExtent extent) {
        StringJoiner groups = new StringJoiner("\n\n");
        for (Entry.Kind kind : GROUPS) {
            StringBuilder group = new StringBuilder();
            int number = 0;
            boolean blank = false;
            for (int i = 0; i < extent.entries(); i++) {
                if (request.ranked().get(i).entry().kind() == kind) {
                    String text = entries.text(i, extent);
                    group.append(blank ? "\n\n" : "\n")
                            .append(++number)
                            .append(". ")
                            .append(text);
                    blank = text.indexOf('\n') >= 0;
                }
            }
            if (number > 0) {
                groups.add(title(kind) + " (" + number + "):" + group);
            }
        }
        return groups.toString();
    }

    private static String title(Entry.Kind kind) {
        return switch (kind) {
            case FAILURE -> "Failures";
            case SUCCESS -> "Successes";
            case DIRECTIVE -> "Directives";
            case NOTE -> "Notes";
            case UNKNOWN -> "Other";
        };
    }

    @Override
    public int frames() {
        return BARE + 1;
    }

    @Override
    public boolean showsEntries(int frame) {
        return true;
    }
}

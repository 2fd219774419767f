package dev.xmem.core.answer.page;

import dev.xmem.Query;

/** Renders the text of a page. For one request and one thread. */
interface PageLayout {
    static PageLayout of(PageRequest request, EntryTexts entries, TokenMeter meter) {
        boolean cards = request.query().layout() == Query.Layout.CARDS;
        return cards || request.query().layout() == Query.Layout.LIST
                ? new TextLayout(request, entries, cards, meter)
                : new JsonLayout(request, entries);
    }

    /** The text of a page that states this cost. */
    String text(PageExtent extent, int tokens);

    /** How a text states a cost. */
    String figure(int tokens);

    /** The number of frames; the last is the barest. */
    int frames();

    /** Whether a frame shows the text of an entry. A frame after one that does not shows none either. */
    boolean showsEntries(int frame);
}

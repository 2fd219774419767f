package dev.xmem.core.answer.page;

/** Writes the text of a page in one layout. For one request and one thread. */
interface PageLayout {

    static PageLayout of(PageRequest request, EntryTexts entries, TokenMeter scale) {
        return switch (request.query().layout()) {
            case LIST -> new TextLayout(new ListBody(request, entries), new PageFooter(request, "/xmem:search", scale));
            case CARDS -> new TextLayout(new CardsBody(request, entries), new PageFooter(request, "/xmem:load", scale));
            case JSON -> new JsonLayout(request, entries);
        };
    }

    /** The page, saying that it costs so much. */
    String text(PageExtent shown, int tokens);

    /** How many frames there are; the last is the barest. */
    int frames();

    /** Whether a frame has a place for the text of an entry. No frame after one without has it. */
    boolean showsEntries(int frame);
}

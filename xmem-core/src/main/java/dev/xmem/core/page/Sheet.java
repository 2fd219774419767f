package dev.xmem.core.page;

/** Writes the text of a page in one layout. For one request and one thread. */
interface Sheet {

    static Sheet of(PageRequest request, Entries entries, Scale scale) {
        return switch (request.query().layout()) {
            case LIST -> new TextSheet(new ListBody(request, entries), new Ending(request, "/xmem:search", scale));
            case CARDS -> new TextSheet(new CardsBody(request, entries), new Ending(request, "/xmem:load", scale));
            case JSON -> new JsonSheet(request, entries);
        };
    }

    /** The page, saying that it costs so much. */
    String text(Shown shown, int tokens);

    /** How many frames there are; the last is the barest. */
    int frames();

    /** Whether a frame has a place for the text of an entry. No frame after one without has it. */
    boolean showsEntries(int frame);
}

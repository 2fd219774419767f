package dev.xmem.core.answer.page;

import org.jspecify.annotations.Nullable;

/**
 * What a try of a page shows.
 *
 * @param entries how many entries of the ranking
 * @param frame how bare the text around them is; 0 is the full frame
 * @param ending whether it says how to go on
 * @param cut the text of the only entry, where it is not shown whole
 * @param digest the line about the store, if there is one
 */
record PageExtent(
        int entries,
        int frame,
        boolean ending,
        @Nullable String cut,
        @Nullable String digest) {

    /** A page without its ending. */
    static PageExtent core(int entries) {
        return new PageExtent(entries, 0, false, null, null);
    }

    static PageExtent full(int entries) {
        return new PageExtent(entries, 0, true, null, null);
    }

    /** One entry, cut. */
    static PageExtent cut(int frame, String cut) {
        return new PageExtent(1, frame, true, cut, null);
    }

    /** No entry. */
    static PageExtent none(int frame) {
        return new PageExtent(0, frame, true, null, null);
    }

    PageExtent with(String digestLine) {
        return new PageExtent(entries, frame, ending, cut, digestLine);
    }
}

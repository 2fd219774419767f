package dev.xmem.core.answer.page;

import org.jspecify.annotations.Nullable;

/**
 * What one try of a page contains.
 *
 * @param entries the number of entries of the ranking
 * @param frame how bare the text around the entries is; 0 is complete
 * @param footer whether the page names the next page
 * @param cut the text of the only entry where it is not shown whole
 * @param digest the line that describes the store; null for none
 */
record PageExtent(
        int entries,
        int frame,
        boolean footer,
        @Nullable String cut,
        @Nullable String digest) {

    /** Whole entries without the footer. */
    static PageExtent core(int entries) {
        return new PageExtent(entries, 0, false, null, null);
    }

    static PageExtent full(int entries) {
        return new PageExtent(entries, 0, true, null, null);
    }

    static PageExtent cut(int frame, String cut) {
        return new PageExtent(1, frame, true, cut, null);
    }

    static PageExtent none(int frame) {
        return new PageExtent(0, frame, true, null, null);
    }

    PageExtent with(String digestLine) {
        return new PageExtent(entries, frame, footer, cut, digestLine);
    }
}

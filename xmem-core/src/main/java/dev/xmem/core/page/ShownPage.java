package dev.xmem.core.page;

import dev.xmem.Match;
import dev.xmem.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page as it was made. */
record ShownPage(
        List<Match> matches,
        long total,
        boolean totalIsExact,
        String text,
        int tokens,
        @Nullable String cursor,
        @Nullable Integer nextOffset)
        implements Page {

    static ShownPage of(PageRequest request, int entries, Weighed weighed) {
        boolean goesOn = request.goesOnAfter(entries);
        return new ShownPage(
                request.ranked().subList(0, entries),
                request.total(),
                request.totalIsExact(),
                weighed.text(),
                weighed.tokens(),
                goesOn ? request.cursorAfter().apply(entries) : null,
                goesOn ? request.nextOffset(entries) : null);
    }
}

package dev.xmem.core.answer.page;

import dev.xmem.Match;
import dev.xmem.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page as it was made. */
record RenderedPage(
        List<Match> matches,
        long total,
        boolean totalIsExact,
        String text,
        int tokens,
        @Nullable String cursor,
        @Nullable Integer nextOffset)
        implements Page {

    static RenderedPage of(PageRequest request, int entries, MeasuredText weighed) {
        boolean goesOn = request.goesOnAfter(entries);
        return new RenderedPage(
                request.ranked().subList(0, entries),
                request.total(),
                request.totalIsExact(),
                weighed.text(),
                weighed.tokens(),
                goesOn ? request.cursorAfter().apply(entries) : null,
                goesOn ? request.nextOffset(entries) : null);
    }
}

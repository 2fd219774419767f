package dev.xmem.core.answer.page;

import dev.xmem.core.answer.render.TextSanitizer;
import java.util.StringJoiner;

/**
 * A page as one JSON object in one line. Its frames: all members, without the cursor, without the totals, without the
 * results, the cost alone, the empty object.
 */
final class JsonLayout implements PageLayout {
    private static final int NO_CURSOR = 1;
    private static final int NO_TOTAL = 2;
    private static final int NO_RESULTS = 3;
    private static final int NO_OFFSET = 4;
    private static final int EMPTY = 5;

    private final PageRequest request;
    private final EntryTexts entries;

    JsonLayout(PageRequest request, EntryTexts entries) {
        this.request = request;
        this.entries = entries;
    }

    @Override
    public String text(PageExtent extent, int tokens) {
        int frame = extent.frame();
        int shown = extent.entries();
        boolean hasNext = request.hasMoreAfter(shown);
        StringJoiner out = new StringJoiner(",", "{", "}");
        if (frame < NO_RESULTS) {
            out.add("\"results\":" + results(extent));
        }
        if (frame < NO_TOTAL) {
            out.add("\"total\":" + request.total()).add("\"total_is_exact\":" + request.totalIsExact());
        }
        if (frame < NO_TOTAL && !request.budgetNotice().isEmpty()) {
            out.add("\"notice\":" + TextSanitizer.json(request.budgetNotice()));
        }
        if (frame < EMPTY) {
            out.add("\"tokens\":" + figure(tokens));
        }
        if (frame < NO_OFFSET && extent.footer()) {
            out.add("\"next_offset\":" + (hasNext ? request.nextOffset(shown) : "null"));
        }
        if (frame < NO_CURSOR && extent.footer()) {
            String cursor = hasNext ? TextSanitizer.json(request.cursorAfter().apply(shown)) : "null";
            out.add("\"cursor\":" + cursor);
        }
        return out.toString();
    }

    @Override
    public String figure(int tokens) {
        return Integer.toString(tokens);
    }

    private String results(PageExtent extent) {
        StringJoiner results = new StringJoiner(",", "[", "]");
        for (int i = 0; i < extent.entries(); i++) {
            results.add(entries.text(i, extent));
        }
        return results.toString();
    }

    @Override
    public int frames() {
        return EMPTY + 1;
    }

    @Override
    public boolean showsEntries(int frame) {
        return frame < NO_RESULTS;
    }
}

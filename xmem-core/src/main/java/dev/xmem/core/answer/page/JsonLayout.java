package dev.xmem.core.answer.page;

import dev.xmem.core.answer.render.TextSanitizer;
import java.util.StringJoiner;

/**
 * A page for a program: one JSON object in one line. Its frames: all members, without the cursor, without the totals,
 * without results, the figure alone, the empty object.
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
    public String text(PageExtent shown, int tokens) {
        int frame = shown.frame();
        StringJoiner out = new StringJoiner(",", "{", "}");
        if (frame < NO_RESULTS) {
            out.add("\"results\":" + results(shown));
        }
        if (frame < NO_TOTAL) {
            out.add("\"total\":" + request.total()).add("\"total_is_exact\":" + request.totalIsExact());
        }
        if (frame < EMPTY) {
            out.add("\"tokens\":" + tokens);
        }
        if (frame < NO_OFFSET && shown.ending()) {
            out.add("\"next_offset\":" + nextOffset(shown.entries()));
        }
        if (frame < NO_CURSOR && shown.ending()) {
            out.add("\"cursor\":" + cursor(shown.entries()));
        }
        return out.toString();
    }

    private String results(PageExtent shown) {
        StringJoiner results = new StringJoiner(",", "[", "]");
        for (int i = 0; i < shown.entries(); i++) {
            results.add(entries.text(i, shown));
        }
        return results.toString();
    }

    private String nextOffset(int shown) {
        return request.goesOnAfter(shown) ? Integer.toString(request.nextOffset(shown)) : "null";
    }

    private String cursor(int shown) {
        return request.goesOnAfter(shown)
                ? TextSanitizer.json(request.cursorAfter().apply(shown))
                : "null";
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

package dev.xmem.core.answer.page;

import dev.xmem.Match;
import dev.xmem.core.answer.render.EntryText;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The texts of a ranking's entries, written when they are first needed. For one thread. */
final class EntryTexts {
    private final List<Match> ranked;
    private final EntryText layout;
    private final @Nullable String[] texts;

    EntryTexts(PageRequest request) {
        ranked = request.ranked();
        layout = EntryText.of(request.query().layout(), request.now());
        texts = new String[ranked.size()];
    }

    Match match(int index) {
        return ranked.get(index);
    }

    String text(int index) {
        String text = texts[index];
        if (text == null) {
            text = layout.whole(ranked.get(index));
            texts[index] = text;
        }
        return text;
    }

    /** The text of an entry on a try of a page: as it was cut for that page, or whole. */
    String text(int index, PageExtent shown) {
        String cut = shown.cut();
        return cut == null ? text(index) : cut;
    }

    /** The first entry, cut to a number of characters. */
    IntFunction<String> cutsOfFirst() {
        return layout.cuts(ranked.get(0));
    }
}

package dev.xmem.core.answer.page;

import dev.xmem.Match;
import dev.xmem.core.answer.render.EntryText;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The texts of a ranking's entries, each rendered on first use. For one thread. */
final class EntryTexts {
    private final List<Match> ranked;
    private final EntryText renderer;
    private final @Nullable String[] texts;

    EntryTexts(PageRequest request) {
        ranked = request.ranked();
        renderer = EntryText.of(request.query().layout(), request.now());
        texts = new String[ranked.size()];
    }

    String text(int index) {
        String text = texts[index];
        if (text == null) {
            text = renderer.whole(ranked.get(index));
            texts[index] = text;
        }
        return text;
    }

    /** The text of an entry on a page of this extent: cut as the extent says, or whole. */
    String text(int index, PageExtent extent) {
        String cut = extent.cut();
        return cut == null ? text(index) : cut;
    }

    /** The first entry, cut to a number of characters. */
    IntFunction<String> cutsOfFirst() {
        return renderer.cuts(ranked.get(0));
    }
}

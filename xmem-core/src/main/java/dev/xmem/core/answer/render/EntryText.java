package dev.xmem.core.answer.render;

import dev.xmem.Match;
import dev.xmem.Query;
import java.time.Instant;
import java.util.function.IntFunction;

/** The text of one entry in one layout. Immutable and thread-safe. */
public interface EntryText {

    /**
     * The texts of a layout.
     *
     * @param now the time from which ages are counted
     */
    static EntryText of(Query.Layout layout, Instant now) {
        if (layout == Query.Layout.LIST) {
            return new ListLine();
        }
        return layout == Query.Layout.CARDS ? new EntryCard(now) : new JsonEntry();
    }

    /** The whole entry. Lines after the first are indented, or belong to a card. */
    String whole(Match match);

    /** The entry cut to a number of characters and marked as cut. */
    default IntFunction<String> cuts(Match match) {
        String whole = whole(match);
        return most -> TextSanitizer.cut(whole, Math.min(most, whole.length() - 1));
    }
}

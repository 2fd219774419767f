package dev.xmem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of a query's hits. Immutable and thread-safe; implemented only by xmem, methods may be added. */
public interface Page {
    /** Returns the hits on this page, in ranking order. */
    List<Match> matches();

    /** Returns the number of matching entries on all pages; a lower bound unless {@link #totalIsExact()}. */
    long total();

    /**
     * Returns whether {@link #total()} counts every match. Always true if the query has only filters. A search for
     * words, a literal or a regular expression may stop counting when the page is full, a search for words in a small
     * store after 1,000 matches.
     */
    boolean totalIsExact();

    /**
     * Returns the page as text, in the query's {@link Query.Layout}. The token budget holds for exactly this text, and
     * not for other renderings of the entries. In a list and in cards the entries are between two lines that no entry
     * can contain, so that a model sees where stored text begins and ends. Empty in {@link Query.Layout#DATA}.
     */
    String text();

    /** Returns the tokens of {@link #text()}, counted by the store's token estimator. */
    int tokens();

    /** Returns the cursor of the next page, an opaque string for {@link Query#after}; null on the last page. */
    @Nullable String cursor();

    /** Returns the offset of the next page, for {@link Query#offset(int)}; null on the last page. */
    @Nullable Integer nextOffset();
}

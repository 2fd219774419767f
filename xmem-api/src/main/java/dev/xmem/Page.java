package dev.xmem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of an answer. Immutable, thread-safe; implemented only by xmem, methods may be added. */
public interface Page {
    /** The entries on this page, in the order of the ranking. */
    List<Match> matches();

    /** How many entries match in all; a lower bound unless {@link #totalIsExact()}. */
    long total();

    /**
     * Whether {@link #total()} counts every match. Always where a query only filters; a search in words may stop counting after
     * 1,000 matches, one for a literal or a regular expression when the page is full.
     */
    boolean totalIsExact();

    /**
     * The page as text, in the query's {@link Query.Layout}. The token budget was measured on exactly this text; whoever
     * renders the entries himself has no hard budget.
     */
    String text();

    /** What {@link #text()} costs, by the store's token estimator. */
    int tokens();

    /** Where the next page goes on, an opaque string for {@link Query#after}; null on the last page. */
    @Nullable String cursor();

    /** The offset of the next page; null on the last page. */
    @Nullable Integer nextOffset();
}

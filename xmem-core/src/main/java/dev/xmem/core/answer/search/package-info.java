/**
 * A query to a ranking. {@link dev.xmem.core.search.Searcher} takes the lines of a snapshot that pass the query's
 * filters, orders them by relevance or by time, and gives the stretch of that ranking that a page may show. {@link
 * dev.xmem.core.search.Cursor} remembers the snapshot, so that the ranking can be had again while others append.
 *
 * <p>The order by time is: {@code ts} descending, a time in the future counting as one minute from now; then failures
 * before successes before directives before notes; then the later line first. Equal scores are in that order too.
 */
@NullMarked
package dev.xmem.core.answer.search;

import org.jspecify.annotations.NullMarked;

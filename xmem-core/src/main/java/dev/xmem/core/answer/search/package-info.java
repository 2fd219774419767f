/**
 * Search: from a query to a page of hits. To follow one search, read the classes in this order.
 *
 * <ol>
 *   <li>{@link dev.xmem.core.answer.search.QueryService} answers a query with a page: from the page cache, or by
 *       ranking the current snapshot, or, given a {@link dev.xmem.core.answer.search.Cursor}, the snapshot of the first
 *       page.
 *   <li>{@link dev.xmem.core.answer.search.Searcher} executes the query. For each log,
 *       {@link dev.xmem.core.answer.search.FilteredLines} are the lines that pass the filters. The kind of text then
 *       decides.
 *   <li>Without text: {@link dev.xmem.core.answer.search.TimeOrderedIterator} merges the lines of all logs by time.
 *   <li>A literal or regex: {@link dev.xmem.core.answer.search.TextMatcher} tests the lines in that order;
 *       {@link dev.xmem.core.answer.search.ReverseScanner} spares it most of them by their bytes.
 *   <li>Words: {@link dev.xmem.core.answer.search.TextSearch} parses them into clauses
 *       ({@link dev.xmem.core.answer.search.ParsedQuery}). {@link dev.xmem.core.answer.search.Bm25Scorer} computes the
 *       weights of the clauses from the statistics of all logs. A
 *       {@link dev.xmem.core.answer.search.SegmentScorer} reads the postings of a
 *       {@link dev.xmem.core.answer.search.QueryTerm} where its {@link dev.xmem.core.answer.search.CellBounds} are high
 *       enough, and passes hits to the {@link dev.xmem.core.answer.search.TopHitsCollector}, which raises the minimum
 *       competitive score. The searcher sorts the {@link dev.xmem.core.answer.search.TopHits}, and
 *       {@link dev.xmem.core.answer.search.SemanticSearch}, if there is an embedder, re-ranks them.
 *   <li>The page builder lays the {@link dev.xmem.core.answer.search.Hits} out.
 * </ol>
 *
 * <p>The order by time is: {@code ts} descending, where a time in the future counts as one minute from now; then
 * failures before successes before directives before notes; then the later line first. Equal scores are in that order
 * too.
 *
 * <p>{@link dev.xmem.core.answer.search.JournalSearch} stands alone: the scan of the journal that the X-MEM protocol
 * defines.
 */
@NullMarked
package dev.xmem.core.answer.search;

import org.jspecify.annotations.NullMarked;

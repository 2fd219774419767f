/**
 * Builds a page of a ranking: the longest prefix of the ranking whose text fits a token budget.
 *
 * <p>Read {@link dev.xmem.core.answer.page.PageRequest} first, the input. {@code PageBuilder} tries pages of different
 * {@code PageExtent}; a {@code PageLayout}, text or JSON, renders each try from the {@code EntryTexts} and the {@code
 * PageFooter}; the {@code TokenMeter} measures it. {@link dev.xmem.core.answer.page.PageCache} keeps the results.
 *
 * <p>The budget limits the text as it is returned, envelope, numbers and next command included, as the store's
 * estimator measures it. The costs of the parts only serve to guess how many entries fit. Then whole texts are rendered
 * and measured, and the boundary is moved until the page with one more entry is too expensive. One or two texts are
 * rendered where all entries fit, and a few at a boundary.
 *
 * <p><b>Why the result is the longest.</b> Let core(n) be the page with n entries, the shortest figure for its cost and
 * no footer. No page is cheaper than its core, and more entries never make a core cheaper. Hence the last n whose core
 * fits is an upper bound. It is found by galloping and bisection; the page is the first from there downwards that fits
 * with its footer. The footer may cost more for fewer entries (a cursor may have any length, and the last page has
 * none), therefore this last walk goes one entry at a time.
 *
 * <p><b>Why paging advances.</b> When not even one entry fits whole, the first is shown cut. Frames become barer until
 * it fits: first the next command gets shorter, then it is one line, then it goes, then the heading; in JSON the least
 * important members go first. The last resort is an empty text, which costs nothing with every estimator. The page
 * still has one match, and {@link dev.xmem.Page#nextOffset()} points behind it.
 *
 * <p><b>The figure in the text.</b> A page states its own cost, and the statement costs tokens too. The text is
 * rendered with the figure of the previous try until both agree.
 *
 * <p>Only cards show the digest of the store. The budget for entries is always the rest without the digest, so the
 * layout does not decide how far a page reaches. A digest that is too large is shortened, never the entries.
 */
@NullMarked
package dev.xmem.core.answer.page;

import org.jspecify.annotations.NullMarked;

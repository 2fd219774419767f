/**
 * Makes a page of a ranking: the longest beginning of it whose text a token budget pays for.
 *
 * <p>The budget is a promise about the text as it is returned, envelope, numbers and next command included, as the
 * store's estimator measures it. So nothing here adds up the costs of parts and hopes: parts are estimated only to
 * guess how many entries fit, then whole texts are written and weighed, and the boundary is moved until the page with
 * one more entry is too dear. Where all entries fit that is one text or two, at a boundary a few.
 *
 * <p><b>Why the result is the longest.</b> Let core(n) be the page with n entries, the shortest figure and no ending, that
 * is, without what says how to go on. No page is cheaper than its core, and more entries never make a core cheaper. Hence the last n whose core fits is an upper bound, found by doubling and halving steps;
 * the page is the first from there downwards that fits with its ending. The ending may cost more for fewer entries (a
 * cursor may be of any length, and the last page has none), therefore this last walk is step by step.
 *
 * <p><b>Why paging advances.</b> When not even one entry fits whole, the first is shown cut. Frames become barer until
 * it fits: first the next command gets shorter, then it goes, then the heading; in JSON the members that say least go
 * first. At the end of that road is an empty text, which every estimator says is free. The page has one match all the
 * same, and {@link dev.xmem.Page#nextOffset()} goes on behind it.
 *
 * <p><b>The figure in the text.</b> A page says what it costs, and saying it costs something. The text is written with
 * the figure of the try before until both agree.
 *
 * <p>The digest of the store stands only on cards. The budget for entries is always what is left without it, so that a
 * layout does not decide how far a page reaches, and a digest that is too large is shortened, never the entries.
 */
@NullMarked
package dev.xmem.core.answer.page;

import org.jspecify.annotations.NullMarked;

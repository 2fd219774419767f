/**
 * What an entry, a digest, a store's figures and a piece of advice look like as text. Everything here is a pure function
 * of what it is given; nothing counts the tokens of a page, that is the next room's work.
 *
 * <p>Text that comes out of entries is data that somebody else wrote: a tool's output, a model's notes, another machine's
 * log. It is never trusted to keep our layout. {@link dev.xmem.core.render.SafeText} is the one place that makes it safe:
 * escape sequences of terminals, control characters and invisible direction marks are taken out; where a value stands in
 * a line its line ends become spaces; where it may have lines of its own each of them is indented. So nothing that an
 * entry says can begin a line at the left margin, and every line that does is ours. In the JSON layout the stored line
 * is passed on as it is and what we add is escaped.
 *
 * <p>An entry has one text for each layout, {@link dev.xmem.core.render.EntryText}: whole, or cut to a number of
 * characters when it is larger than any page. A cut is always visible: an ellipsis in text, {@code "truncated":true} in
 * JSON.
 */
@NullMarked
package dev.xmem.core.answer.render;

import org.jspecify.annotations.NullMarked;

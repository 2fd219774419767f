/**
 * Renders entries, statistics and advice as text. Everything is a pure function of its arguments, except for the secret of
 * {@link dev.xmem.core.answer.render.Fence}.
 *
 * <p>Read {@link dev.xmem.core.answer.render.TextSanitizer} first. Text from entries is untrusted data: a tool's output, a
 * model's notes, another machine's log. TextSanitizer is the only class that makes it safe. It removes terminal escape
 * sequences, control characters and invisible direction marks. In a single-line field it replaces line ends by spaces; in
 * a block it indents every line after the first. So no text of an entry can begin a line at the left margin: every line
 * that does was written by xmem. The JSON layout passes the stored line on as it is and escapes what it adds.
 *
 * <p>An entry has one text for each layout, {@link dev.xmem.core.answer.render.EntryText}: a line of a list, a card, or a
 * JSON object; whole, or cut to a number of characters when it is larger than any page. A cut is always visible: an
 * ellipsis in text, {@code "truncated":true} in JSON.
 *
 * <p>{@link dev.xmem.core.answer.render.AdviceText} renders the advice of a recall. It escapes the markup of chat formats
 * and puts the text between the borders of a {@link dev.xmem.core.answer.render.Fence}.
 */
@NullMarked
package dev.xmem.core.answer.render;

import org.jspecify.annotations.NullMarked;

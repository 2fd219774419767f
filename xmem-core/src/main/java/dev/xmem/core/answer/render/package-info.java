/**
 * Renders entries, statistics and advice as text. Everything is a pure function of its arguments, except for the secret
 * of {@link dev.xmem.core.answer.render.Fence}.
 *
 * <p>Text from entries is untrusted data: a tool's output, a model's notes, another machine's log. It has one way into
 * a text that a model may read, {@code PromptEscaping}. {@link dev.xmem.core.answer.render.TextSanitizer} removes
 * terminal escape sequences, control characters and what shows nothing, replaces line ends by spaces in a single-line
 * field, and indents every line of a block after the first, so that no text of an entry can begin a line at the left
 * margin. {@code PromptEscaping} breaks up the markup of chat formats, and quotes a text that looks like something xmem
 * says of entries. {@link dev.xmem.core.answer.render.Fence} puts borders around the whole. The JSON layout passes the
 * values of the stored line on as they are, with escapes for what shows nothing. Decision:
 * docs/adr/0063-one-way-to-the-model.md.
 *
 * <p>An entry has one text for each layout, {@link dev.xmem.core.answer.render.EntryText}: a line of a list, a card, or
 * a JSON object; whole, or cut to a number of characters when it is larger than any page. A cut is always visible: an
 * ellipsis in text, {@code "truncated":true} in JSON.
 *
 * <p>{@link dev.xmem.core.answer.render.AdviceText} renders the advice of a recall.
 */
@NullMarked
package dev.xmem.core.answer.render;

import org.jspecify.annotations.NullMarked;

/**
 * What became of an entry. Nobody edits a line: what a session found out about advice, and what a person decided about an
 * entry, are lines of their own in the log of the entry's kind, {@link dev.xmem.core.outcome.Event}. All that speak of
 * one entry are folded, {@link dev.xmem.core.outcome.Fold}, in any order, however often, from whichever files; {@link
 * dev.xmem.core.outcome.State} is the result. {@link dev.xmem.core.outcome.Outcomes} reads it for the entries of a
 * snapshot, {@link dev.xmem.core.outcome.Ledger} says which entries are hidden or carry other tags.
 *
 * <p><strong>Votes.</strong> A session has one vote an entry: its first by time, then by the bytes of the line. A later
 * one counts nothing.
 *
 * <p><strong>Amendments.</strong> In the order of their times, then of their bytes: of {@code dismiss} and {@code pin} the
 * last holds, of {@code supersede} the last; tags are added and removed one amendment after the other.
 */
@NullMarked
package dev.xmem.core.answer.outcome;

import org.jspecify.annotations.NullMarked;

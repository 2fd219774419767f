/**
 * Votes and amendments of entries. Lines of a log are never edited. A session's vote on advice, and a user's decision about
 * an entry, are separate lines in the log of the entry's kind: {@code EntryEvent}. Read it first.
 *
 * <p>{@code EventFold} folds all events of one entry, in any order, with any repetition and from any files, to an {@link
 * dev.xmem.core.answer.outcome.EntryState}. {@link dev.xmem.core.answer.outcome.Outcomes} does that for the entries of a
 * snapshot and caches the result. {@link dev.xmem.core.answer.outcome.AmendmentIndex} tells a search which entries are hidden
 * or have other tags. {@link dev.xmem.core.answer.outcome.BetaDistribution} computes confidence from votes.
 *
 * <p><strong>Votes.</strong> A session has one vote per entry: its first by time, then by the bytes of the line. Later
 * votes are ignored.
 *
 * <p><strong>Amendments.</strong> In the order of their times, then of their bytes: the last {@code dismiss} or {@code pin}
 * applies, and the last {@code supersede}; the changes of {@code retag} apply one after the other.
 */
@NullMarked
package dev.xmem.core.answer.outcome;

import org.jspecify.annotations.NullMarked;

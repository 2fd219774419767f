/**
 * The inverted index of the words of entries. {@link dev.xmem.core.store.terms.TextIndex} is its interface; sealed
 * segments implement it too.
 *
 * <p>The newest lines are indexed in memory by {@link dev.xmem.core.store.terms.MemoryTextIndex}.
 * {@link dev.xmem.core.store.terms.DocumentTerms} analyses one entry after the other and sums the
 * {@link dev.xmem.core.store.terms.FieldBoost}s of each term. {@code TermTable} is the term dictionary, and
 * {@link dev.xmem.core.store.terms.PostingList} the postings of a term, which
 * {@link dev.xmem.core.store.terms.PostingsIterator} decodes. A search reads
 * {@link dev.xmem.core.store.terms.LogSlice}s, the indexes of one log up to a cutoff; a literal asks
 * {@link dev.xmem.core.store.terms.RequiredTerms} for candidates first. A segment that is written and not searched
 * meanwhile is inverted at once by {@link dev.xmem.core.store.terms.ForwardIndex}.
 * Decisions: docs/adr/0007-no-lucene.md, docs/adr/0106-segments-from-a-forward-index.md.
 */
@NullMarked
package dev.xmem.core.store.terms;

import org.jspecify.annotations.NullMarked;

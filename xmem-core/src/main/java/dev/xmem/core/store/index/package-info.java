/**
 * Where is what. {@link dev.xmem.core.index.LogIndex} knows the lines of one log: where each stands, when it was written,
 * and in short ascending lists which of them have a tool, a tag, a context hash, a session, an id, a word. {@link
 * dev.xmem.core.index.Snapshot} is what a reader works on. {@link dev.xmem.core.index.IndexFile} is the seed's {@code
 * index.json}, derived from it.
 *
 * <p><strong>Threads.</strong> One thread at a time adds lines, under the store's lock. Readers take none: a line becomes
 * visible by one volatile write of the count, after everything about it was stored; a list publishes its entries the
 * same way, and a reader ignores numbers beyond the count it began with. Arrays only grow, by copies that begin alike.
 *
 * <p>A line is an <em>ordinal</em> here: 0 for the first line of its log that is an entry, and so on. Identical lines have
 * one ordinal.
 */
@NullMarked
package dev.xmem.core.store.index;

import org.jspecify.annotations.NullMarked;
